/* Parallel regions and the constructs of their teams: sizes and numbers of threads, levels, `single`, `masked`,
 * `sections`, `critical`, barriers. */
#include "cases.h"

#include <limits.h>
#include <pthread.h>

CASE(team_as_asked) {
  const int asked = threads_asked();
  int seen[most_threads] = {0}, bad = 0;
#pragma omp parallel reduction(+ : bad)
  {
    bad += omp_get_num_threads() != asked || omp_in_parallel() != (asked > 1) || omp_get_level() != 1;
    seen[omp_get_thread_num()]++;
  }
  for (int i = 0; i < most_threads; i++) bad += seen[i] != (i < asked);
  CHECK(bad == 0);
}

CASE(num_threads) {
  for (int n = 1; n < 40; n += 3) {
    int sum = 0;
#pragma omp parallel num_threads(n) reduction(+ : sum)
    sum += omp_get_num_threads() + omp_get_thread_num();
    CHECK(sum == n * n + n * (n - 1) / 2);
  }
}

CASE(many_threads) {
  enum { n = 300 };
  int seen[n] = {0}, good = 0;
#pragma omp parallel num_threads(n)
  {
#pragma omp barrier
    seen[omp_get_thread_num()]++;
#pragma omp barrier
  }
  for (int i = 0; i < n; i++) good += seen[i] == 1;
  CHECK(good == n);
}

CASE(set_num_threads) {
  int threads = 0;
  omp_set_num_threads(5);
  CHECK(omp_get_max_threads() == 5);
#pragma omp parallel reduction(+ : threads)
  threads++;
  CHECK(threads == 5);
#pragma omp parallel num_threads(3) reduction(+ : threads)
  threads++;
  CHECK(threads == 8);
}

CASE(if_clause) {
  int threads = 0;
  for (volatile int on = 0; on < 2; on++) {
#pragma omp parallel num_threads(4) if (on) reduction(+ : threads)
    threads += omp_get_num_threads() == (on ? 4 : 1) && omp_get_level() == 1 && omp_get_active_level() == on &&
               omp_in_parallel() == on;
  }
  CHECK(threads == 5);
}

CASE(proc_bind_clause) {
  int threads = 0;
#pragma omp parallel num_threads(4) proc_bind(close) reduction(+ : threads)
  threads++;
#pragma omp parallel num_threads(4) proc_bind(spread) reduction(+ : threads)
  threads++;
#pragma omp parallel num_threads(4) proc_bind(primary) reduction(+ : threads)
  threads++;
  CHECK(threads == 12);
}

/* A team may be smaller than asked for if it may adjust itself. */
CASE(dynamic_teams) {
  omp_set_dynamic(1);
  int threads = 0, bad = 0;
#pragma omp parallel num_threads(7) reduction(+ : threads, bad)
  {
    threads++;
    bad += omp_get_num_threads() < 1 || omp_get_num_threads() > 7;
  }
  CHECK(threads >= 1 && threads <= 7 && bad == 0);
}

CASE(outside_of_regions) {
  CHECK(omp_get_num_threads() == 1 && omp_get_thread_num() == 0 && !omp_in_parallel() && omp_get_level() == 0);
  CHECK(omp_get_active_level() == 0 && omp_get_team_size(0) == 1 && omp_get_ancestor_thread_num(0) == 0);
  CHECK(omp_get_team_size(1) == -1 && omp_get_ancestor_thread_num(1) == -1 && omp_get_team_size(-1) == -1);
  int n = 0;
#pragma omp single
  n++;
#pragma omp masked
  n++;
#pragma omp barrier
#pragma omp critical
  n++;
#pragma omp task shared(n)
  n++;
#pragma omp taskwait
#pragma omp sections
  {
#pragma omp section
    n++;
#pragma omp section
    n++;
  }
  CHECK(n == 6);
}

/* Each level with 2 threads, up to the limit; below it the teams have one thread. */
static int leaves(int level, int depth, int active) {
  int count = 0;
  if (level == depth) return 1;
#pragma omp parallel num_threads(2) reduction(+ : count)
  {
    const int now = level + 1 < active ? level + 1 : active;
    if (omp_get_level() != level + 1 || omp_get_active_level() != now) count += 1000000;
    if (omp_get_num_threads() != (level < active ? 2 : 1)) count += 1000000;
    count += leaves(level + 1, depth, active);
  }
  return count;
}
CASE(max_active_levels) {
  for (int active = 0; active < 5; active++) {
    omp_set_max_active_levels(active);
    CHECK(omp_get_max_active_levels() == active);
    CHECK(leaves(0, 4, active) == 1 << active);
  }
}

CASE(ancestors) {
  int bad = 0, met = 0;
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(3) reduction(+ : bad, met)
  {
    const int first = omp_get_thread_num();
#pragma omp parallel num_threads(2) reduction(+ : bad, met)
    {
      const int second = omp_get_thread_num();
#pragma omp parallel num_threads(4) reduction(+ : bad, met)
      {
        met++;
        bad += omp_get_ancestor_thread_num(0) != 0 || omp_get_ancestor_thread_num(1) != first;
        bad += omp_get_ancestor_thread_num(2) != second || omp_get_ancestor_thread_num(3) != omp_get_thread_num();
        bad += omp_get_ancestor_thread_num(4) != -1 || omp_get_ancestor_thread_num(-1) != -1;
        bad += omp_get_team_size(0) != 1 || omp_get_team_size(1) != 3 || omp_get_team_size(2) != 2;
        bad += omp_get_team_size(3) != 4 || omp_get_team_size(4) != -1;
#pragma omp task shared(bad, met)
        {
#pragma omp atomic
          bad += omp_get_ancestor_thread_num(1) != first || omp_get_ancestor_thread_num(2) != second ||
                 omp_get_team_size(3) != 4;
#pragma omp atomic
          met++;
        }
#pragma omp taskwait
      }
    }
  }
  CHECK(bad == 0 && met == 48);
}

/* A member passes no barrier before all have come, over many generations. */
CASE(barriers_in_loops) {
  int round[most_threads] = {0}, bad = 0;
  const int n = threads_asked();
#pragma omp parallel reduction(+ : bad)
  for (int k = 1; k < 300; k++) {
    round[omp_get_thread_num()] = k;
#pragma omp barrier
    for (int i = 0; i < n; i++) bad += round[i] != k;
#pragma omp barrier
  }
  CHECK(bad == 0);
}

CASE(barriers_of_nested_teams) {
  int bad = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3) reduction(+ : bad)
  {
    int came = 0;
#pragma omp parallel num_threads(4) reduction(+ : bad)
    for (int k = 1; k < 30; k++) {
#pragma omp atomic
      came++;
#pragma omp barrier
      bad += came != 4 * k;
#pragma omp barrier
    }
#pragma omp barrier
    bad += came != 116;
  }
  CHECK(bad == 0);
}

CASE(single_runs_once) {
  int ran[100] = {0}, bad = 0;
#pragma omp parallel reduction(+ : bad)
  for (int k = 0; k < 100; k++) {
#pragma omp single
    ran[k]++;
    bad += ran[k] != 1;
  }
  CHECK(bad == 0);
#pragma omp parallel
  for (int k = 0; k < 100; k++) {
#pragma omp single nowait
    ran[k] += 10;
  }
  for (int k = 0; k < 100; k++) bad += ran[k] != 11;
  CHECK(bad == 0);
}

CASE(masked) {
  int masters = 0, filtered = 0, others = 0;
  const int n = threads_asked();
#pragma omp parallel
  {
#pragma omp masked
    masters += 1 + omp_get_thread_num();
#pragma omp master
    masters += 1 + omp_get_thread_num();
#pragma omp masked filter(omp_get_num_threads() - 1)
    filtered = omp_get_thread_num() + 1;
#pragma omp masked filter(n + 5)
    others++;
#pragma omp masked filter(omp_get_thread_num())
    {
#pragma omp atomic
      others++;
    }
  }
  CHECK(masters == 2 && filtered == n && others == n);
}

/* Any number of sections, more and fewer than threads, each once. */
#define SECTION(i) \
  _Pragma("omp section") { ran[i]++; }
CASE(sections_of_many_shapes) {
  int ran[12] = {0};
#pragma omp parallel sections
  {
    ran[0]++;
  }
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    ran[1]++;
    SECTION(2) SECTION(3) SECTION(4) SECTION(5)
  }
#pragma omp parallel
  {
#pragma omp sections nowait
    {
      SECTION(6) SECTION(7)
    }
#pragma omp sections
    {SECTION(8) SECTION(9) SECTION(10)} CHECK(ran[8] == 1 && ran[9] == 1 && ran[10] == 1);
#pragma omp sections
    {
      ;
      SECTION(11)
    }
    CHECK(ran[11] == 1);
  }
  for (int i = 0; i < 12; i++) CHECK(ran[i] == 1);
}

/* The first section waits for the second one, so two members have one each; see also barrier_after_dynamic. */
CASE(barrier_after_sections) {
  int done[2] = {0}, bad = 0;
  omp_lock_t gate;
  omp_init_lock(&gate);
  omp_set_lock(&gate);
#pragma omp parallel num_threads(2) reduction(+ : bad)
  {
#pragma omp sections
    {
#pragma omp section
      {
        omp_set_lock(&gate);
        done[0] = 1;
      }
#pragma omp section
      {
        omp_unset_lock(&gate);
        done[1] = 1;
      }
    }
    bad += !done[0] || !done[1];
  }
  omp_destroy_lock(&gate);
  CHECK(bad == 0);
}

CASE(sections_in_a_loop) {
  int count[3] = {0};
#pragma omp parallel
  for (int k = 0; k < 50; k++) {
#pragma omp sections nowait
    {
#pragma omp section
      {
#pragma omp atomic
        count[0]++;
      }
#pragma omp section
      {
#pragma omp atomic
        count[1]++;
      }
#pragma omp section
      {
#pragma omp atomic
        count[2]++;
      }
    }
  }
  CHECK(count[0] == 50 && count[1] == 50 && count[2] == 50);
}

CASE(critical_excludes) {
  int sum = 0, inside = 0, bad = 0, other = 0;
#pragma omp parallel
  for (int k = 0; k < 50; k++) {
#pragma omp critical
    {
      bad += inside++ != 0;
      sum++;
      spin();
      inside--;
    }
#pragma omp critical(second)
    other++;
#pragma omp critical(third) hint(omp_sync_hint_contended | omp_sync_hint_nonspeculative)
    {
#pragma omp critical(fourth) hint(omp_sync_hint_uncontended)
      other += 0;
    }
  }
  CHECK(bad == 0 && sum == 50 * threads_asked() && other == sum);
}

/* Sections of different names don't exclude each other: each of two members waits inside of its own for the other. */
CASE(critical_names_are_independent) {
  int came = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp critical(one)
    {
#pragma omp critical(two)
#pragma omp atomic
      came++;
    }
  } else {
#pragma omp critical(three)
    {
#pragma omp critical(two)
#pragma omp atomic
      came++;
    }
  }
  CHECK(came == 2);
}

/* A member that waits for a critical section leaves its worker to the one that is in it. */
CASE(critical_around_waits) {
  int sum = 0;
#pragma omp parallel
#pragma omp critical
  {
    int x = 0;
#pragma omp task shared(x)
    x = 1;
#pragma omp taskwait
    sum += x;
  }
  CHECK(sum == threads_asked());
}

CASE(scopes_and_nothing) {
  int sum = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp nothing
#ifndef __clang__ /* clang 19 has no scope in C */
#pragma omp scope nowait
    {
#pragma omp atomic
      sum++;
    }
#else
#pragma omp atomic
    sum++;
#endif
#pragma omp flush
#pragma omp flush(sum)
  }
  CHECK(sum == 3);
}

static int sum_of_region(int n) {
  int sum = 0;
#pragma omp parallel num_threads(n) reduction(+ : sum)
  {
#pragma omp barrier
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 20; i++) sum += i;
#pragma omp critical
    sum += 1;
  }
  return sum;
}
static void* of_thread(void* sums) {
  for (int k = 0; k < 20; k++) *(int*)sums += sum_of_region(3);
  *(int*)sums += omp_get_level() * 1000 + omp_get_thread_num();
  return NULL;
}
/* Each thread of the program has an initial task and teams of its own. */
CASE(regions_of_several_threads) {
  pthread_t threads[4];
  int sums[4] = {0};
  for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, of_thread, &sums[i]) == 0);
  for (int k = 0; k < 20; k++) CHECK(sum_of_region(2) == 192);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < 4; i++) CHECK(sums[i] == 20 * 193);
}
static void* sets_its_own(void* found) {
  omp_set_num_threads(7);
  *(int*)found = omp_get_max_threads();
  return NULL;
}
CASE(variables_of_several_threads) {
  pthread_t thread;
  int found = 0;
  omp_set_num_threads(2);
  CHECK(pthread_create(&thread, NULL, sets_its_own, &found) == 0);
  pthread_join(thread, NULL);
  CHECK(found == 7 && omp_get_max_threads() == 2);
}

CASE(many_small_regions) {
  int sum = 0;
  for (int k = 0; k < 300; k++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += omp_get_thread_num() + 1;
  }
  CHECK(sum == 900);
}

CASE(regions_in_tasks) {
  int sum = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int k = 0; k < 4; k++) {
#pragma omp task shared(sum)
    {
      int mine = 0;
#pragma omp parallel for num_threads(2) reduction(+ : mine)
      for (int i = 0; i < 10; i++) mine += i;
#pragma omp atomic
      sum += mine;
    }
  }
  CHECK(sum == 180);
}

CASE(combined_constructs) {
  int count = 0, sum = 0;
#pragma omp parallel masked num_threads(3)
  count += omp_get_num_threads();
  CHECK(count == 3);
#pragma omp parallel loop num_threads(3) reduction(+ : sum)
  for (int i = 0; i < 10; i++) sum += i;
#pragma omp parallel for simd num_threads(3) reduction(+ : sum)
  for (int i = 0; i < 10; i++) sum += i;
  CHECK(sum == 90);
}

CASE(combined_taskloops) {
  int sum = 0;
#pragma omp parallel masked taskloop num_threads(3) reduction(+ : sum)
  for (int i = 0; i < 10; i++) sum += i;
#pragma omp parallel master taskloop simd num_threads(3) reduction(+ : sum)
  for (int i = 0; i < 10; i++) sum += i;
  CHECK(sum == 90);
}
