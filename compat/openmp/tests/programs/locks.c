/* Locks and nested locks: exclusion, tests, hints, owners, and waits that leave the worker to others. */
#include "cases.h"

CASE(set_excludes) {
  omp_lock_t lock;
  int inside = 0, sum = 0, bad = 0;
  omp_init_lock(&lock);
#pragma omp parallel
  for (int k = 0; k < 100; k++) {
    omp_set_lock(&lock);
    bad += inside++ != 0;
    sum++;
    if (k % 16 == 0) spin();
    inside--;
    omp_unset_lock(&lock);
  }
  CHECK(bad == 0 && sum == 100 * threads_asked());
  omp_destroy_lock(&lock);
}

CASE(test_excludes) {
  omp_lock_t lock;
  int inside = 0, took = 0, refused = 0, bad = 0;
  omp_init_lock(&lock);
  CHECK(omp_test_lock(&lock) && !omp_test_lock(&lock));
  omp_unset_lock(&lock);
#pragma omp parallel reduction(+ : took, refused)
  for (int k = 0; k < 100; k++) {
    if (!omp_test_lock(&lock)) {
      refused++;
      continue;
    }
    bad += inside++ != 0;
    took++;
    inside--;
    omp_unset_lock(&lock);
  }
  CHECK(bad == 0 && took > 0 && took + refused == 100 * threads_asked());
  omp_destroy_lock(&lock);
}

#ifdef __clang__ /* libgomp 12 has no such functions */
CASE(hints) {
  const omp_sync_hint_t hints[] = {omp_sync_hint_none, omp_sync_hint_uncontended, omp_sync_hint_contended,
                                   omp_sync_hint_nonspeculative};
  for (int h = 0; h < 4; h++) {
    omp_lock_t lock;
    omp_nest_lock_t nested;
    int sum = 0, twice = 0;
    omp_init_lock_with_hint(&lock, hints[h]);
    omp_init_nest_lock_with_hint(&nested, hints[h]);
#pragma omp parallel
    for (int k = 0; k < 20; k++) {
      omp_set_lock(&lock);
      sum++;
      omp_unset_lock(&lock);
      omp_set_nest_lock(&nested);
      omp_set_nest_lock(&nested);
      twice++;
      omp_unset_nest_lock(&nested);
      omp_unset_nest_lock(&nested);
    }
    CHECK(sum == 20 * threads_asked() && twice == sum);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nested);
  }
}
#endif

CASE(nested_counts) {
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
  for (int i = 1; i < 6; i++) CHECK(omp_test_nest_lock(&lock) == i);
  omp_set_nest_lock(&lock);
  for (int i = 0; i < 6; i++) omp_unset_nest_lock(&lock);
  CHECK(omp_test_nest_lock(&lock) == 1);
  omp_unset_nest_lock(&lock);
  omp_destroy_nest_lock(&lock);
}

CASE(nested_excludes) {
  omp_nest_lock_t lock;
  int inside = 0, sum = 0, bad = 0;
  omp_init_nest_lock(&lock);
#pragma omp parallel
  for (int k = 0; k < 60; k++) {
    omp_set_nest_lock(&lock);
    bad += inside++ != 0;
    omp_set_nest_lock(&lock);
    bad += omp_test_nest_lock(&lock) != 3;
    sum++;
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
    bad += inside-- != 1;
    omp_unset_nest_lock(&lock);
  }
  CHECK(bad == 0 && sum == 60 * threads_asked());
  omp_destroy_nest_lock(&lock);
}

/* Other threads find a nested lock taken. */
CASE(nested_test_of_others) {
  omp_nest_lock_t lock;
  int got = 0;
  omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(4) reduction(+ : got)
  {
#pragma omp masked
    omp_set_nest_lock(&lock);
#pragma omp barrier
    if (omp_get_thread_num() != 0) got += omp_test_nest_lock(&lock);
#pragma omp barrier
#pragma omp masked
    omp_unset_nest_lock(&lock);
#pragma omp barrier
    if (omp_get_thread_num() == 3) {
      got += 10 * omp_test_nest_lock(&lock);
      omp_unset_nest_lock(&lock);
    }
  }
  CHECK(got == 10);
  omp_destroy_nest_lock(&lock);
}

/* A nested lock belongs to a task: its child finds it taken, even if it runs at once on the thread of its parent. */
CASE(nested_belongs_to_task) {
  omp_nest_lock_t lock;
  int got = -1;
  omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_set_nest_lock(&lock);
#pragma omp task if (0) shared(got)
    got = omp_test_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
  }
  CHECK(got == 0);
  omp_destroy_nest_lock(&lock);
}

/* More members than workers wait for a lock that one holds at a barrier of its nested team. */
CASE(held_over_waits) {
  omp_lock_t lock;
  int sum = 0;
  omp_init_lock(&lock);
  omp_set_max_active_levels(2);
#pragma omp parallel
  {
    omp_set_lock(&lock);
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
      sum++;
#pragma omp barrier
    }
#pragma omp task shared(sum)
    sum++;
#pragma omp taskwait
    omp_unset_lock(&lock);
  }
  CHECK(sum == 3 * threads_asked());
  omp_destroy_lock(&lock);
}

CASE(in_tasks) {
  omp_lock_t lock;
  int sum = 0;
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task
    {
      omp_set_lock(&lock);
      sum++;
#pragma omp taskyield
      omp_unset_lock(&lock);
    }
  }
  CHECK(sum == 100);
  omp_destroy_lock(&lock);
}

/* Programs release locks that another thread has set; libraries allow it, though OpenMP does not. */
CASE(released_by_others) {
  omp_lock_t locks[3];
  int order[12], n = 0;
  for (int i = 0; i < 3; i++) {
    omp_init_lock(&locks[i]);
    omp_set_lock(&locks[i]);
  }
  omp_unset_lock(&locks[0]);
#pragma omp parallel num_threads(3)
  {
    const int me = omp_get_thread_num();
    for (int k = 0; k < 4; k++) {
      omp_set_lock(&locks[me]);
      order[n++] = me;
      omp_unset_lock(&locks[(me + 1) % 3]);
    }
  }
  for (int i = 0; i < 12; i++) CHECK(order[i] == i % 3);
}

CASE(many_locks) {
  static omp_lock_t locks[200];
  static int count[200];
  memset(count, 0, sizeof count);
  for (int i = 0; i < 200; i++) omp_init_lock(&locks[i]);
#pragma omp parallel
  for (int k = 0; k < 400; k++) {
    omp_set_lock(&locks[k * 7 % 200]);
    count[k * 7 % 200]++;
    omp_unset_lock(&locks[k * 7 % 200]);
  }
  for (int i = 0; i < 200; i++) CHECK(count[i] == 2 * threads_asked());
  for (int i = 0; i < 200; i++) omp_destroy_lock(&locks[i]);
}

CASE(initialised_again) {
  omp_lock_t lock;
  for (int k = 0; k < 10; k++) {
    omp_init_lock(&lock);
    CHECK(omp_test_lock(&lock));
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
  }
}
