/* Loops over all types of induction variables, at the ends of their ranges: each iteration is executed once, and a
 * static schedule gives it to the thread that OpenMP says. */
#include "check.h"
#include <limits.h>
#include <string.h>

enum { most = 64, most_threads = 64 };
static int times[most], thread_of[most];

static void start(void) {
  memset(times, 0, sizeof times);
  memset(thread_of, -1, sizeof thread_of);
}

static void visit(int i) {
  CHECK(i >= 0 && i < most);
#pragma omp atomic
  times[i]++;
  thread_of[i] = omp_get_thread_num();
}

static void visited_once(int n) {
  for (int i = 0; i < most; i++) CHECK(times[i] == (i < n));
}

/* schedule(static): parts that follow each other; their sizes differ by one at most. */
static void visited_in_parts(int n) {
  int size[most_threads] = {0}, threads = threads_asked();
  visited_once(n);
  for (int i = 0; i < n; i++) {
    size[thread_of[i]]++;
    CHECK(i == 0 || thread_of[i] >= thread_of[i - 1]);
  }
  for (int t = 0; t < threads; t++) CHECK(size[t] == n / threads || size[t] == n / threads + 1);
}

static void visited_in_chunks(int n, int chunk) {
  visited_once(n);
  for (int i = 0; i < n; i++) CHECK(thread_of[i] == i / chunk % threads_asked());
}

/* libomp 19 steals iterations of a dynamic loop, and then the last one sometimes isn't known as the last one. */
static int may_lose_last(const char *clause) {
  return getenv("TINE_NUM_THREADS") == NULL && strstr(clause, "dynamic") != NULL && strstr(clause, "(monotonic") == NULL;
}

#define index_of(i, from, step) (int)(((__int128)(i) - (from)) / (step))

/* `n` iterations from `first` on, by `step`; `compare` leads to `end`. Number `i` has the value first + i * step. */
#define LOOPS(type, first, compare, end, step, n)                                              \
  do {                                                                                         \
    const type from = (first), to = (end);                                                     \
    type last = 1;                                                                             \
    EACH(type, compare, step, n, schedule(static), visited_in_parts(n))                        \
    EACH(type, compare, step, n, schedule(static, 1), visited_in_chunks(n, 1))                 \
    EACH(type, compare, step, n, schedule(static, 5), visited_in_chunks(n, 5))                 \
    EACH(type, compare, step, n, schedule(static, 1000), visited_in_chunks(n, 1000))           \
    EACH(type, compare, step, n, schedule(dynamic), visited_once(n))                           \
    EACH(type, compare, step, n, schedule(monotonic : dynamic, 3), visited_once(n))            \
    EACH(type, compare, step, n, schedule(nonmonotonic : dynamic, 1000), visited_once(n))      \
    EACH(type, compare, step, n, schedule(guided), visited_once(n))                            \
    EACH(type, compare, step, n, schedule(nonmonotonic : guided, 4), visited_once(n))          \
    EACH(type, compare, step, n, schedule(auto), visited_once(n))                              \
    EACH(type, compare, step, n, schedule(runtime), visited_once(n))                           \
    IN_ORDER(type, compare, step, n, schedule(static))                                         \
    IN_ORDER(type, compare, step, n, schedule(static, 2))                                      \
    IN_ORDER(type, compare, step, n, schedule(dynamic, 3))                                     \
    IN_ORDER(type, compare, step, n, schedule(guided))                                         \
    IN_ORDER(type, compare, step, n, schedule(runtime))                                        \
    IN_ORDER(type, compare, step, n, schedule(auto))                                           \
  } while (0)
#define PRAGMA(text) _Pragma(#text)
#define EACH(type, compare, step, n, clause, judge)                                            \
  start();                                                                                     \
  last = from;                                                                                 \
  PRAGMA(omp parallel for clause lastprivate(last))                                            \
  for (type i = from; i compare to; i += (step)) {                                             \
    visit(index_of(i, from, step));                                                         \
    last = i;                                                                                  \
  }                                                                                            \
  judge;                                                                                       \
  CHECK(n == 0 || last == (type)(from + (type)((n) - 1) * (step)) || may_lose_last(#clause));
#define IN_ORDER(type, compare, step, n, clause)                                               \
  {                                                                                            \
    int next = 0;                                                                              \
    start();                                                                                   \
    PRAGMA(omp parallel for ordered clause)                                                    \
    for (type i = from; i compare to; i += (step)) {                                           \
      visit(index_of(i, from, step));                                                       \
      PRAGMA(omp ordered)                                                                      \
      CHECK(next++ == index_of(i, from, step));                                             \
    }                                                                                          \
    visited_once(n);                                                                           \
    CHECK(next == n);                                                                          \
  }

/* Loops of a team one after the other, without barriers between them. */
static void without_waits(void) {
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  for (int round = 0; round < 30; round++) {
#pragma omp for schedule(dynamic, 2) nowait
    for (unsigned i = 0; i < 40; i++) sum += i;
#pragma omp for schedule(guided) nowait
    for (long i = 39; i >= 0; i--) sum += i;
#pragma omp for nowait
    for (int i = 0; i < 40; i++) sum += i;
  }
  CHECK(sum == 30L * 3 * 780);
}

static void collapsed(void) {
  int seen = 0;
  start();
#pragma omp parallel for collapse(3) schedule(dynamic) reduction(+ : seen)
  for (int i = 5; i > 1; i--)
    for (unsigned long j = 3; j < 7; j += 2)
      for (short k = -2; k < 2; k++) {
        visit((5 - i) * 8 + (int)(j - 3) / 2 * 4 + k + 2);
        seen++;
      }
  visited_once(32);
  CHECK(seen == 32);
  int below = 0;
#pragma omp parallel for collapse(2) reduction(+ : below)
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < i; j++) below += i > j;
  CHECK(below == 190);
}

static void doacross(void) {
  enum { rows = 12, columns = 9 };
  static int a[rows][columns];
  memset(a, 0, sizeof a);
#pragma omp parallel for ordered(2) schedule(dynamic)
  for (int i = 1; i < rows; i++)
    for (int j = columns - 1; j > 0; j--) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j + 1)
      a[i][j] = 1 + a[i - 1][j] + (j + 1 < columns ? a[i][j + 1] : 0);
#pragma omp ordered depend(source)
    }
  for (int i = 1; i < rows; i++)
    for (int j = columns - 1; j > 0; j--) CHECK(a[i][j] == 1 + a[i - 1][j] + (j + 1 < columns ? a[i][j + 1] : 0));
  int along[50] = {0};
#pragma omp parallel
  for (int round = 0; round < 3; round++) {
#pragma omp for ordered(1) nowait
    for (long i = 1; i < 50; i++) {
#pragma omp ordered depend(sink : i - 1)
      along[i] = along[i - 1] + 1;
#pragma omp ordered depend(source)
    }
#pragma omp barrier
  }
  CHECK(along[49] == 49);
}

static void league(void) {
  enum { n = 1000 };
  static int hit[n], number_of[n];
  int teams = 0;
#pragma omp teams num_teams(3) thread_limit(4) reduction(max : teams)
  {
    teams = omp_get_num_teams();
    CHECK(omp_get_team_num() < teams && omp_get_thread_num() == 0);
#pragma omp distribute
    for (int i = 0; i < n; i++) {
      hit[i]++;
      number_of[i] = omp_get_team_num();
    }
  }
  for (int i = 0; i < n; i++) CHECK(hit[i] == 1 && (i == 0 || number_of[i] >= number_of[i - 1]));
  CHECK(number_of[n - 1] == teams - 1);
#pragma omp teams distribute num_teams(3) dist_schedule(static, 7)
  for (int i = 0; i < n; i++) number_of[i] = omp_get_team_num();
  for (int i = 0; i < n; i++) CHECK(number_of[i] == i / 7 % teams);
  long sum = 0;
#pragma omp teams distribute parallel for num_teams(2) schedule(static, 3) reduction(+ : sum)
  for (long i = n; i > 0; i--) {
    CHECK(omp_get_num_teams() >= 1 && omp_get_team_num() < omp_get_num_teams());
    sum += i;
  }
#pragma omp teams distribute parallel for simd reduction(+ : sum) dist_schedule(static, 11) schedule(dynamic)
  for (unsigned i = 1; i <= n; i++) sum += i;
  CHECK(sum == 2L * 500500);
  CHECK(omp_get_num_teams() == 1 && omp_get_team_num() == 0);
}

int main(void) {
  LOOPS(int, 0, <, 37, 1, 37);
  LOOPS(int, 5, <, 5, 1, 0);
  LOOPS(int, 7, <, -3, 2, 0);
  LOOPS(int, INT_MAX - 20, <, INT_MAX, 1, 20);
  LOOPS(int, INT_MAX - 40, <, INT_MAX - 1, 3, 13);
  LOOPS(int, INT_MIN + 60, >, INT_MIN + 2, -3, 20);
  LOOPS(int, INT_MIN, <=, INT_MIN + 9, 1, 10);
  LOOPS(unsigned, UINT_MAX - 30, <, UINT_MAX, 1, 30);
  LOOPS(unsigned, 40, >, 2, -3, 13);
  LOOPS(unsigned, 3, >=, 7, -1, 0);
  LOOPS(long, LONG_MIN, <, LONG_MIN + 50, 2, 25);
  LOOPS(long, LONG_MAX - 10, <, LONG_MAX, 1, 10);
  LOOPS(long, 1L << 40, >, -(1L << 40), -(1L << 37), 16);
  LOOPS(unsigned long, ULONG_MAX - 50, <, ULONG_MAX, 5, 10);
  LOOPS(unsigned long, 1UL << 63, <, (1UL << 63) + 33, 1, 33);
  LOOPS(short, -3, <, 30, 7, 5);
  LOOPS(unsigned char, 250, <, 255, 1, 5);
  without_waits();
  collapsed();
  doacross();
  league();
  return 0;
}
