/* Which thread gets which iterations, for every schedule. The oracle is the definition of OpenMP: a static schedule
 * deals out chunks in turn; in a dynamic one each chunk goes to one thread; a guided one has chunks of the minimum size
 * or more. */
#include "cases.h"

#include <limits.h>

enum { most = 400 };
static int owner[most], times[most];
static const int lengths[] = {0, 1, 2, 3, 7, 16, 17, 33, 100};

static void forget(void) {
  memset(owner, -1, sizeof owner);
  memset(times, 0, sizeof times);
}
static void run_iteration(int i) {
  __atomic_fetch_add(&times[i], 1, __ATOMIC_RELAXED);
  owner[i] = omp_get_thread_num();
}

static int each_ran_once(int n) {
  for (int i = 0; i < most; i++)
    if (times[i] != (i < n)) return 0;
  return 1;
}
/* Without a chunk size: at most one chunk a thread, in their order, whose sizes differ by at most one. */
static int is_even(int n, int threads) {
  int least = INT_MAX, largest = 0, at = 0;
  for (int t = 0; t < threads; t++) {
    int size = 0;
    for (; at < n && owner[at] == t; at++) size++;
    least = size < least ? size : least;
    largest = size > largest ? size : largest;
  }
  return at == n && largest - least <= 1;
}
static int is_dealt(int n, int chunk, int threads) {
  for (int i = 0; i < n; i++)
    if (owner[i] != i / chunk % threads) return 0;
  return 1;
}
static int is_whole(int n, int chunk) {
  for (int i = 0; i < n; i++)
    if (owner[i] != owner[i - i % chunk]) return 0;
  return 1;
}
static int has_large_runs(int n, int chunk) {
  int size = 0;
  for (int i = 0; i < n; i++) {
    size++;
    if (i + 1 < n && owner[i + 1] == owner[i]) continue;
    if (i + 1 < n && size < chunk) return 0;
    size = 0;
  }
  return 1;
}

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
/* Runs the loop for each length, as a combined construct and inside of a region, and checks `oracle` of its owners. */
#define SCHEDULE(name, oracle, ...)                                                                \
  CASE(name) {                                                                                     \
    const int threads = threads_asked();                                                           \
    for (unsigned k = 0; k < sizeof lengths / sizeof *lengths; k++) {                              \
      const int n = lengths[k];                                                                    \
      forget();                                                                                    \
      PRAGMA(omp parallel for schedule(__VA_ARGS__)) for (int i = 0; i < n; i++) run_iteration(i); \
      CHECK(each_ran_once(n) && (oracle));                                                         \
      forget();                                                                                    \
      PRAGMA(omp parallel) {                                                                       \
        PRAGMA(omp for schedule(__VA_ARGS__)) for (int i = 0; i < n; i++) run_iteration(i);        \
        CHECK(each_ran_once(n));                                                                   \
      }                                                                                            \
      CHECK(threads > 0 && (oracle));                                                              \
    }                                                                                              \
  }

SCHEDULE(static_even, is_even(n, threads), static)
SCHEDULE(static_chunk_1, is_dealt(n, 1, threads), static, 1)
SCHEDULE(static_chunk_5, is_dealt(n, 5, threads), static, 5)
SCHEDULE(static_chunk_larger_than_range, is_dealt(n, 1000, threads), static, 1000)
SCHEDULE(dynamic_1, 1, dynamic)
SCHEDULE(dynamic_4, is_whole(n, 4), dynamic, 4)
SCHEDULE(dynamic_larger_than_range, is_whole(n, 1000), dynamic, 1000)
SCHEDULE(dynamic_monotonic_3, is_whole(n, 3), monotonic : dynamic, 3)
SCHEDULE(dynamic_nonmonotonic_3, is_whole(n, 3), nonmonotonic : dynamic, 3)
SCHEDULE(guided_1, 1, guided)
SCHEDULE(guided_6, has_large_runs(n, 6), guided, 6)
SCHEDULE(guided_larger_than_range, is_whole(n, 1000), guided, 1000)
SCHEDULE(guided_nonmonotonic_2, has_large_runs(n, 2), nonmonotonic : guided, 2)
SCHEDULE(automatic, 1, auto)
SCHEDULE(no_larger_than_a_chunk_of_a_variable, is_dealt(n, threads, threads), static, threads)

static void at_run_time(omp_sched_t kind, int chunk, int (*holds)(int, int, int)) {
  const int threads = threads_asked();
  omp_set_schedule(kind, chunk);
  for (unsigned k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    forget();
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < lengths[k]; i++) run_iteration(i);
    CHECK(each_ran_once(lengths[k]) && holds(lengths[k], chunk, threads));
    forget();
#pragma omp parallel
    {
#pragma omp for schedule(runtime)
      for (int i = 0; i < lengths[k]; i++) run_iteration(i);
#pragma omp for schedule(monotonic : runtime)
      for (int i = 0; i < lengths[k]; i++) times[i]--;
    }
    CHECK(each_ran_once(0) && holds(lengths[k], chunk, threads));
  }
}
static int even(int n, int chunk, int threads) { return chunk <= 0 && is_even(n, threads); }
static int whole(int n, int chunk, int threads) { return threads > 0 && is_whole(n, chunk); }
static int large(int n, int chunk, int threads) { return threads > 0 && has_large_runs(n, chunk); }
static int any(int n, int chunk, int threads) { return n >= 0 && threads > chunk; }

CASE(runtime_static_even) { at_run_time(omp_sched_static, 0, even); }
/* A chunk size below 1 stands for the default. */
CASE(runtime_static_negative_chunk) { at_run_time(omp_sched_static, -7, even); }
CASE(runtime_static_3) { at_run_time(omp_sched_static, 3, is_dealt); }
CASE(runtime_static_largest_chunk) { at_run_time(omp_sched_static, INT_MAX, is_dealt); }
CASE(runtime_dynamic_3) { at_run_time(omp_sched_dynamic, 3, whole); }
CASE(runtime_dynamic_no_chunk) { at_run_time(omp_sched_dynamic, 0, any); }
CASE(runtime_dynamic_negative_chunk) { at_run_time(omp_sched_dynamic, -3, any); }
CASE(runtime_dynamic_largest_chunk) { at_run_time(omp_sched_dynamic, INT_MAX, whole); }
CASE(runtime_guided_5) { at_run_time(omp_sched_guided, 5, large); }
CASE(runtime_guided_negative_chunk) { at_run_time(omp_sched_guided, -1, any); }
CASE(runtime_auto) { at_run_time(omp_sched_auto, 0, any); }

/* With the modifier monotonic a thread gets its iterations in ascending order. */
CASE(monotonic_ascends) {
  int last[most_threads], bad = 0;
  for (int k = 0; k < 4; k++) {
    memset(last, -1, sizeof last);
#pragma omp parallel for schedule(monotonic : dynamic, 2) reduction(+ : bad)
    for (int i = 0; i < 200; i++) {
      bad += i <= last[omp_get_thread_num()];
      last[omp_get_thread_num()] = i;
    }
    memset(last, -1, sizeof last);
#pragma omp parallel for schedule(monotonic : guided) reduction(+ : bad)
    for (int i = 0; i < 200; i++) {
      bad += i <= last[omp_get_thread_num()];
      last[omp_get_thread_num()] = i;
    }
  }
  CHECK(bad == 0);
}

/* Loops of the same static schedule and length give a thread the same iterations, so no barrier need be between. */
CASE(static_loops_agree) {
  int a[90], b[90];
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < 90; i++) a[i] = i;
#pragma omp for schedule(static)
    for (int i = 0; i < 90; i++) b[i] = a[i] + 1;
#pragma omp for schedule(static, 4) nowait
    for (int i = 0; i < 90; i++) a[i] = b[i] * 2;
#pragma omp for schedule(static, 4)
    for (int i = 0; i < 90; i++) b[i] = a[i] + 1;
  }
  int good = 0;
  for (int i = 0; i < 90; i++) good += b[i] == 2 * i + 3;
  CHECK(good == 90);
}

/* A thief may start a member before the other ones exist. */
CASE(loops_of_small_regions) {
  int bad = 0;
  for (int k = 0; k < 300; k++) {
    int ran = 0;
#pragma omp parallel for schedule(dynamic) num_threads(3) reduction(+ : ran)
    for (int i = 0; i < 12; i++) ran++;
    bad += ran != 12;
  }
  CHECK(bad == 0);
}

/* A member may be many constructs ahead of another one. */
CASE(loops_without_waits) {
  static int ran[40][30];
  memset(ran, 0, sizeof ran);
#pragma omp parallel
  for (int k = 0; k < 40; k++) {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 30; i++) {
#pragma omp atomic
      ran[k][i]++;
      if (omp_get_thread_num() == 0) spin();
    }
  }
  int good = 0;
  for (int k = 0; k < 40; k++)
    for (int i = 0; i < 30; i++) good += ran[k][i] == 1;
  CHECK(good == 1200);
}

/* The implicit barrier: after a loop, everyone sees all of its iterations. The first one waits for the second, so two
 * members have one each. Without a barrier, the second member would go on at once. */
#define BARRIER_AFTER(name, clause)                            \
  CASE(barrier_after_##name) {                                 \
    int bad = 0;                                               \
    for (int k = 0; k < 5; k++) {                              \
      int done[2] = {0};                                       \
      omp_lock_t gate;                                         \
      omp_init_lock(&gate);                                    \
      omp_set_lock(&gate);                                     \
      PRAGMA(omp parallel num_threads(2) reduction(+ : bad)) { \
        PRAGMA(omp for clause) for (int i = 0; i < 2; i++) {   \
          if (i == 0) omp_set_lock(&gate);                     \
          if (i == 1) omp_unset_lock(&gate);                   \
          done[i] = 1;                                         \
        }                                                      \
        bad += !done[0] || !done[1];                           \
      }                                                        \
      omp_destroy_lock(&gate);                                 \
    }                                                          \
    CHECK(bad == 0);                                           \
  }
BARRIER_AFTER(static, schedule(static))
BARRIER_AFTER(static_1, schedule(static, 1))
BARRIER_AFTER(dynamic, schedule(dynamic))
BARRIER_AFTER(guided, schedule(guided))
BARRIER_AFTER(runtime, schedule(runtime))

/* The control variable of the encountering task decides, in nested regions and in tasks, too. */
CASE(runtime_schedule_is_inherited) {
  omp_set_schedule(omp_sched_static, 2);
  int bad = 0;
#pragma omp parallel num_threads(2) reduction(+ : bad)
  {
    if (omp_get_thread_num() == 1) omp_set_schedule(omp_sched_guided, 9);
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    bad += (kind & 15) != (omp_get_thread_num() == 1 ? omp_sched_guided : omp_sched_static) ||
           chunk != (omp_get_thread_num() == 1 ? 9 : 2);
    const int mine = chunk;
#pragma omp task firstprivate(mine)
    {
      omp_sched_t task_kind;
      int task_chunk;
      omp_get_schedule(&task_kind, &task_chunk);
      CHECK(task_chunk == mine);
    }
  }
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  CHECK(bad == 0 && (kind & 15) == omp_sched_static && chunk == 2);
}

/* A loop and sections that no region contains, or that another region contains, belong to a team of one thread. */
CASE(orphaned_loops) {
  int sum = 0;
#pragma omp for schedule(dynamic, 3)
  for (int i = 0; i < 10; i++) sum += i;
#pragma omp for schedule(runtime)
  for (int i = 0; i < 10; i++) sum += i;
#pragma omp for schedule(guided) nowait
  for (int i = 0; i < 10; i++) sum += omp_get_thread_num() + 1;
  CHECK(sum == 100);
  int inner = 0;
  omp_set_max_active_levels(1);
#pragma omp parallel num_threads(3) reduction(+ : inner)
#pragma omp parallel for schedule(dynamic) reduction(+ : inner)
  for (int i = 0; i < 7; i++) inner += omp_get_num_threads();
  CHECK(inner == 21);
}
