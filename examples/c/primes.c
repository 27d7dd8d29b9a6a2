// Counts primes on all cores: a reduction in C99.
#include <tine/c.h>

#include <stdio.h>

static int is_prime(int64_t n) {
  for (int64_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return 0;
  }
  return n > 1;
}

static int count(void* data, int64_t begin, int64_t end, void* so_far) {
  (void)data;
  for (int64_t n = begin; n < end; ++n) *(int64_t*)so_far += is_prime(n);
  return 0;
}

static int add(void* data, void* so_far, const void* later) {
  (void)data;
  *(int64_t*)so_far += *(const int64_t*)later;
  return 0;
}

int main(void) {
  const int64_t none = 0;
  int64_t primes;
  if (tine_par_reduce(0, 1000000, sizeof none, &none, &primes, count, add, NULL) != 0) {
    fprintf(stderr, "%s\n", tine_last_message());
    return 1;
  }
  printf("%lld primes below a million\n", (long long)primes);
  return 0;
}
