// Sorts numbers on all cores: a recursion of forks in C99.
#include <tine/c.h>

#include <stdio.h>
#include <stdlib.h>

struct part {
  double *first, *last;  // last is behind the end
};

static void swap(double* a, double* b) {
  const double kept = *a;
  *a = *b;
  *b = kept;
}

// A branch returns what tine_par2 returned to it, so the first failure comes up to main.
static int sort(void* data) {
  const struct part* p = data;
  if (p->last - p->first < 2) return 0;
  const double pivot = p->first[(p->last - p->first) / 2];
  double *less = p->first, *more = p->last - 1;
  while (less <= more) {
    while (*less < pivot) ++less;
    while (*more > pivot) --more;
    if (less <= more) swap(less++, more--);
  }
  struct part left = {p->first, more + 1}, right = {less, p->last};
  return tine_par2(sort, &left, sort, &right);
}

int main(void) {
  enum { n = 200000 };
  double* const numbers = malloc(n * sizeof *numbers);
  if (numbers == NULL) return 1;
  for (unsigned i = 0; i < n; ++i) numbers[i] = i * 2654435761u % n;
  struct part all = {numbers, numbers + n};
  if (tine_run(sort, &all) != 0) {
    fprintf(stderr, "%s\n", tine_last_message());
    return 1;
  }
  for (int i = 1; i < n; ++i) {
    if (numbers[i - 1] > numbers[i]) return 1;
  }
  puts("sorted");
  free(numbers);
  return 0;
}
