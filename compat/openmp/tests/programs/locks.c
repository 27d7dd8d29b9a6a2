/* Locks of both kinds, under contention. */
#include "check.h"

int main(void) {
  omp_lock_t simple, other;
  omp_nest_lock_t nested, another;
  omp_init_lock(&simple);
  omp_init_lock(&other);
  omp_init_nest_lock(&nested);
  omp_init_nest_lock(&another);
  CHECK(omp_test_lock(&other) && !omp_test_lock(&other));
  omp_unset_lock(&other);
  CHECK(omp_test_nest_lock(&another) == 1 && omp_test_nest_lock(&another) == 2);
  omp_unset_nest_lock(&another);
  omp_unset_nest_lock(&another);
  long sum = 0, twice = 0, tried = 0;
#pragma omp parallel
  for (int i = 0; i < 300; i++) {
    omp_set_lock(&simple);
    sum++;
    omp_unset_lock(&simple);
    omp_set_nest_lock(&nested);
    omp_set_nest_lock(&nested);
    twice++;
    CHECK(omp_test_nest_lock(&nested) == 3);
    omp_unset_nest_lock(&nested);
    omp_unset_nest_lock(&nested);
    omp_unset_nest_lock(&nested);
    if (omp_test_lock(&other)) {
      tried++;
      omp_unset_lock(&other);
    }
  }
  CHECK(sum == 300L * threads_asked() && twice == sum && tried > 0);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task
    {
      omp_set_lock(&simple);
      sum--;
#pragma omp taskyield
      omp_unset_lock(&simple);
    }
  }
  CHECK(sum == 300L * threads_asked() - 100);
  omp_unset_lock(&simple); /* it isn't set */
  CHECK(omp_test_lock(&simple));
  omp_destroy_lock(&simple);
  omp_destroy_nest_lock(&nested);
  return 0;
}
