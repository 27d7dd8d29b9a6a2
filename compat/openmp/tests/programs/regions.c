/* Parallel regions: sizes, numbers, levels, nesting, reductions, and what is private to a thread. */
#include "check.h"

static void sizes(void) {
  const int asked = threads_asked();
  int seen[64] = {0};
#pragma omp parallel
  {
    CHECK(omp_get_num_threads() == asked && omp_in_parallel() == (asked > 1));
    seen[omp_get_thread_num()]++;
  }
  for (int i = 0; i < 64; i++) CHECK(seen[i] == (i < asked));
  for (int n = 1; n < 20; n += 3) {
    int sum = 0;
#pragma omp parallel num_threads(n) reduction(+ : sum)
    sum += omp_get_num_threads() + omp_get_thread_num();
    CHECK(sum == n * n + n * (n - 1) / 2);
  }
#pragma omp parallel if (asked < 0)
  CHECK(omp_get_num_threads() == 1 && omp_get_level() == 1 && omp_get_active_level() == 0);
}

static void levels(void) {
  int leaves = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
#pragma omp parallel num_threads(2)
  {
    CHECK(omp_get_level() == 2 && omp_get_active_level() == 2 && omp_get_num_threads() == 2);
    CHECK(omp_get_team_size(1) == 3 && omp_get_team_size(2) == 2 && omp_get_team_size(0) == 1 &&
          omp_get_team_size(3) == -1);
    CHECK(omp_get_ancestor_thread_num(2) == omp_get_thread_num() && omp_get_ancestor_thread_num(1) < 3);
    CHECK(omp_get_ancestor_thread_num(0) == 0 && omp_get_ancestor_thread_num(-1) == -1);
#pragma omp parallel num_threads(4)
    {
      CHECK(omp_get_num_threads() == 1 && omp_get_level() == 3 && omp_get_active_level() == 2);
#pragma omp atomic
      leaves++;
    }
#pragma omp barrier
  }
  CHECK(leaves == 6);
  omp_set_max_active_levels(1);
}

static void variables(void) {
  int first = 7, last = 0;
  double product = 1;
  long all = 0;
#pragma omp parallel for firstprivate(first) lastprivate(last) reduction(* : product) reduction(^ : all)
  for (int i = 0; i < 30; i++) {
    first++;
    last = i;
    product *= i % 2 ? 2 : 0.5;
    all ^= 1L << i;
  }
  CHECK(first == 7 && last == 29 && product == 1 && all == (1L << 30) - 1);
  int lengths[4] = {0};
#pragma omp parallel for reduction(+ : lengths[ : 4])
  for (int i = 0; i < 100; i++) lengths[i % 4]++;
  for (int i = 0; i < 4; i++) CHECK(lengths[i] == 25);
}

static void meetings(void) {
  const int n = threads_asked();
  int singles = 0, masters = 0, sum = 0, round[64] = {0};
#pragma omp parallel
  for (int k = 0; k < 20; k++) {
#pragma omp single nowait
    {
#pragma omp atomic
      singles++;
    }
#pragma omp master
    masters++;
    round[omp_get_thread_num()] = k;
#pragma omp barrier
    for (int i = 0; i < n; i++) CHECK(round[i] == k);
    int copied = 0;
#pragma omp single copyprivate(copied)
    copied = k * 3;
    CHECK(copied == k * 3);
#pragma omp critical
    sum++;
#pragma omp critical(another)
    sum += 0;
#pragma omp barrier
  }
  CHECK(singles == 20 && masters == 20 && sum == 20 * n);
}

static void parts(void) {
  for (int k = 0; k < 5; k++) {
    int ran[6] = {0};
#pragma omp parallel sections
    {
#pragma omp section
      ran[0]++;
#pragma omp section
      ran[1]++;
#pragma omp section
      ran[2]++;
    }
#pragma omp parallel
    {
#pragma omp sections nowait
      {
#pragma omp section
        ran[3]++;
#pragma omp section
        ran[4]++;
      }
#pragma omp sections
      {
#pragma omp section
        ran[5]++;
      }
      CHECK(ran[5] == 1);
    }
    for (int i = 0; i < 6; i++) CHECK(ran[i] == 1);
  }
}

static void orphans(void) {
  int n = 0;
#pragma omp for schedule(dynamic)
  for (int i = 0; i < 5; i++) n += i;
#pragma omp single
  n++;
#pragma omp barrier
#pragma omp task shared(n)
  n++;
#pragma omp taskwait
  CHECK(n == 12 && omp_get_num_threads() == 1 && omp_get_thread_num() == 0 && !omp_in_parallel());
}

int main(void) {
  sizes();
  levels();
  variables();
  meetings();
  parts();
  orphans();
  return 0;
}
