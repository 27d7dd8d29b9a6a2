/* Leagues of teams, and target regions, which run on the host: there is no device. */
#include "cases.h"

enum { n_teams = 3 };

/* Only regions may be strictly nested in teams, so functions do the rest. */
static void add_one(int* to) { __atomic_fetch_add(to, 1, __ATOMIC_RELAXED); }
static int is_initial(int limit) {
  return omp_get_level() == 0 && omp_get_num_threads() == 1 && omp_get_thread_num() == 0 &&
         omp_get_thread_limit() <= limit;
}

CASE(league) {
  int seen[n_teams] = {0}, bad = 0;
#pragma omp teams num_teams(n_teams) thread_limit(5) reduction(+ : bad)
  {
    bad += omp_get_num_teams() != n_teams || !is_initial(5);
    add_one(&seen[omp_get_team_num()]);
  }
  for (int i = 0; i < n_teams; i++) CHECK(seen[i] == 1);
  CHECK(bad == 0 && omp_get_num_teams() == 1 && omp_get_team_num() == 0 && omp_get_thread_limit() > 5);
}

/* The members of a team know their league, whatever thread runs them. */
CASE(league_in_regions) {
  int seen[n_teams][4] = {{0}}, bad = 0;
#pragma omp teams num_teams(n_teams) reduction(+ : bad)
  {
    const int me = omp_get_team_num();
#pragma omp parallel num_threads(4) reduction(+ : bad)
    {
#pragma omp barrier
      bad += omp_get_num_teams() != n_teams || omp_get_team_num() != me || omp_get_level() != 1 ||
             omp_get_num_threads() != 4;
#pragma omp atomic
      seen[me][omp_get_thread_num()]++;
#pragma omp task shared(bad)
      {
        const int wrong = omp_get_team_num() != me;
#pragma omp atomic
        bad += wrong;
      }
#pragma omp taskwait
    }
  }
  for (int i = 0; i < n_teams * 4; i++) CHECK(seen[i / 4][i % 4] == 1);
  CHECK(bad == 0);
}

/* Control variables that one team sets are not those of the next one. */
static int sets_its_own(void) {
  const int found = omp_get_max_threads();
  omp_set_num_threads(found + 5);
  return found;
}
CASE(teams_start_alike) {
  int sum = 0;
  omp_set_num_threads(4);
#pragma omp teams num_teams(2) thread_limit(9) reduction(+ : sum)
  sum += sets_its_own();
  CHECK(sum == 8 && omp_get_max_threads() == 4);
}

CASE(league_of_a_range) {
  int teams = 0;
#ifndef __clang__ /* clang 19 takes one number */
#pragma omp teams num_teams(2 : 6) reduction(+ : teams)
#else
#pragma omp teams num_teams(2) reduction(+ : teams)
#endif
  teams++;
  CHECK(teams >= 2 && teams <= 6);
}

CASE(distribute) {
  int times[100] = {0}, team[100], bad = 0;
#pragma omp teams num_teams(n_teams)
  {
#pragma omp distribute
    for (int i = 0; i < 100; i++) {
#pragma omp atomic
      times[i]++;
      team[i] = omp_get_team_num();
    }
  }
  for (int i = 0; i < 100; i++) bad += times[i] != 1 || (i > 0 && team[i] < team[i - 1]);
  CHECK(bad == 0);
#pragma omp teams num_teams(n_teams)
#pragma omp distribute dist_schedule(static, 7)
  for (int i = 0; i < 100; i++) {
#pragma omp atomic
    times[i]++;
    team[i] = omp_get_team_num();
  }
  for (int i = 0; i < 100; i++) bad += times[i] != 2 || team[i] != i / 7 % n_teams;
  CHECK(bad == 0);
}

CASE(distribute_combined) {
  int times[120] = {0}, sum = 0, last = -1, bad = 0;
#pragma omp teams distribute parallel for num_teams(n_teams) num_threads(4) reduction(+ : sum) lastprivate(last) \
    schedule(dynamic, 3)
  for (int i = 0; i < 120; i++) {
#pragma omp atomic
    times[i]++;
    sum += i;
    last = i;
  }
#pragma omp teams distribute simd num_teams(2) reduction(+ : sum)
  for (int i = 0; i < 120; i++) sum += times[i];
#pragma omp teams loop num_teams(2) collapse(2)
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 12; j++) times[i * 12 + j]++;
  for (int i = 0; i < 120; i++) bad += times[i] != 2;
  CHECK(bad == 0 && sum == 7140 + 120 && last == 119);
}

CASE(teams_limits) {
  omp_set_num_teams(2);
  CHECK(omp_get_max_teams() == 2);
  int teams = 0;
#pragma omp teams reduction(+ : teams)
  teams += omp_get_num_teams() <= 2;
  CHECK(teams == 1 || teams == 2);
  omp_set_num_teams(0);
  omp_set_teams_thread_limit(3);
  CHECK(omp_get_teams_thread_limit() == 3);
  int threads = 0;
#pragma omp teams num_teams(1) reduction(+ : threads)
  {
#pragma omp parallel num_threads(8) reduction(+ : threads)
    threads++;
  }
  CHECK(threads >= 1 && threads <= 3);
  omp_set_teams_thread_limit(0);
}

CASE(target_maps) {
  int a[10], b[10], sum = 0, mine = 4, untouched = 7;
  for (int i = 0; i < 10; i++) a[i] = i;
#pragma omp target map(to : a) map(from : b) map(tofrom : sum) firstprivate(mine)
  {
    mine++;
    for (int i = 0; i < 10; i++) {
      b[i] = a[i] * mine;
      sum += b[i];
    }
    untouched++; /* a scalar that no clause names is firstprivate */
  }
  CHECK(sum == 225 && mine == 4 && b[9] == 45 && untouched == 7);
#pragma omp target defaultmap(tofrom : scalar)
  untouched++;
  CHECK(untouched == 8);
}

/* A target region has an initial task of its own: it is outside of the regions around it. */
CASE(target_is_outside) {
  int bad = 0, threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : bad, threads)
  {
    int wrong = 0, found = 0;
#pragma omp target map(tofrom : wrong, found)
    {
      wrong += omp_get_thread_num() != 0 || omp_get_num_threads() != 1 || omp_get_level() != 0 || omp_in_parallel();
      int mine = 0;
#pragma omp parallel num_threads(2) reduction(+ : mine)
      mine += omp_get_num_threads();
      found = mine;
    }
    bad += wrong;
    threads += found;
    bad += omp_get_num_threads() != 3 || omp_get_level() != 1;
  }
  CHECK(bad == 0 && threads == 12);
}

CASE(target_regions_in_parallel) {
  int sum = 0;
#pragma omp target map(tofrom : sum)
  {
#pragma omp parallel for num_threads(4) reduction(+ : sum)
    for (int i = 0; i < 40; i++) sum += i;
  }
#pragma omp target parallel num_threads(3) map(tofrom : sum) reduction(+ : sum)
  sum += 100;
#pragma omp target parallel for num_threads(3) map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < 10; i++) sum += i;
#pragma omp target simd map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < 10; i++) sum += i;
  CHECK(sum == 780 + 300 + 45 + 45);
}

CASE(target_teams) {
  int a[60], teams = 0;
  for (int i = 0; i < 60; i++) a[i] = i;
#pragma omp target teams num_teams(3) map(tofrom : teams)
  {
    if (omp_get_num_teams() >= 1) add_one(&teams);
  }
#pragma omp target teams distribute parallel for map(tofrom : a) num_threads(3)
  for (int i = 0; i < 60; i++) a[i]++;
#pragma omp target teams distribute parallel for simd map(tofrom : a) collapse(2)
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 10; j++) a[i * 10 + j] *= 2;
#pragma omp target teams loop map(tofrom : a)
  for (int i = 0; i < 60; i++) a[i]--;
  int bad = 0;
  for (int i = 0; i < 60; i++) bad += a[i] != 2 * (i + 1) - 1;
  CHECK(bad == 0 && teams >= 1);
}

CASE(target_data) {
  int a[10], bad = 0;
  for (int i = 0; i < 10; i++) a[i] = i;
#pragma omp target data map(tofrom : a)
  {
#pragma omp target map(tofrom : a)
    for (int i = 0; i < 10; i++) a[i]++;
#pragma omp target update from(a)
    for (int i = 0; i < 10; i++) bad += a[i] != i + 1;
#pragma omp target update to(a[2 : 3])
  }
#pragma omp target enter data map(to : a)
#pragma omp target
  a[0] = 50;
#pragma omp target exit data map(from : a)
  CHECK(bad == 0 && a[0] == 50 && a[9] == 10);
#pragma omp target data map(tofrom : a) use_device_addr(a)
  CHECK(a[1] == 2);
}

#pragma omp declare target
int global = 5;
static int twice(int x) { return 2 * x + global; }
#pragma omp end declare target
CASE(declare_target) {
  int x = 0;
#pragma omp target map(from : x)
  {
    x = twice(10);
    global = 6;
  }
#pragma omp target update from(global)
  CHECK(x == 25 && global == 6);
}

CASE(target_tasks) {
  int x = 0, y = 0, bad = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int k = 0; k < 10; k++) {
    x = 0;
#pragma omp task depend(out : x) shared(x)
    {
      spin();
      x = 1;
    }
#pragma omp target depend(inout : x) map(tofrom : x) nowait
    x++;
#pragma omp target depend(in : x) depend(out : y) map(tofrom : x, y) nowait
    y = x * 10;
#pragma omp task depend(in : y) shared(x, y, bad)
    bad += x != 2 || y != 20;
#pragma omp taskwait
  }
  CHECK(bad == 0);
  x = 0;
#pragma omp target nowait map(tofrom : x)
  x = 3;
#pragma omp taskwait
  CHECK(x == 3);
#pragma omp target enter data map(to : x) depend(inout : x) nowait
#pragma omp target exit data map(from : x) depend(inout : x) nowait
#pragma omp taskwait
  CHECK(x == 3);
}

CASE(target_clauses) {
  int x = 1;
  int* p = &x;
#pragma omp target if (0) map(tofrom : x)
  x++;
#pragma omp target device(0) map(tofrom : x)
  x++;
#pragma omp target is_device_ptr(p)
  *p += 1;
#pragma omp target map(tofrom : p[ : 1])
  p[0] += 1;
#pragma omp target private(p) map(tofrom : x)
  {
    p = &x;
    ++*p;
  }
  CHECK(x == 6);
}

#ifndef __clang__ /* libomp has these functions only beside its library for devices */
CASE(device_memory) {
  const int host = omp_get_initial_device();
  int from[30], back[30] = {0}, bad = 0;
  for (int i = 0; i < 30; i++) from[i] = i;
  int* const block = (int*)omp_target_alloc(sizeof from, host);
  CHECK(block != NULL && omp_target_is_present(from, host));
  CHECK(omp_target_memcpy(block, from, sizeof from, 0, 0, host, host) == 0);
  CHECK(omp_target_memcpy(back, block, 10 * sizeof(int), 5 * sizeof(int), 20 * sizeof(int), host, host) == 0);
  for (int i = 0; i < 30; i++) bad += back[i] != (i >= 5 && i < 15 ? i + 15 : 0);
  CHECK(bad == 0);
  /* A part of 2 rows and 3 columns, out of rows of 6, into rows of 5. */
  const size_t volume[] = {2, 3}, to_at[] = {1, 1}, from_at[] = {2, 0}, to_size[] = {6, 5}, from_size[] = {5, 6};
  memset(back, 0, sizeof back);
  CHECK(omp_target_memcpy_rect(back, block, sizeof(int), 2, volume, to_at, from_at, to_size, from_size, host, host) ==
        0);
  for (int i = 0; i < 30; i++) {
    const int row = i / 5, column = i % 5, is_copied = row >= 1 && row < 3 && column >= 1 && column < 4;
    bad += back[i] != (is_copied ? (row + 1) * 6 + column - 1 : 0);
  }
  CHECK(bad == 0);
  CHECK(omp_target_memcpy_rect(NULL, NULL, sizeof(int), 0, volume, to_at, from_at, to_size, from_size, host, host) >=
        3);
  omp_target_free(block, host);
  omp_target_free(NULL, host);
}
#endif
