/* Ordered regions, whose bodies run in the order of the loop, and doacross loops, where an iteration waits for those
 * that it names. */
#include "cases.h"

#include <limits.h>

#define PRAGMA(...) _Pragma(#__VA_ARGS__)

/* Iterations that skip their ordered region must not hold up later ones. */
#define ORDERED(name, ...)                                                       \
  CASE(ordered_##name) {                                                         \
    for (int n = 0; n < 80; n = n * 2 + 1) {                                     \
      int came = 0, before = -1, bad = 0;                                        \
      PRAGMA(omp parallel for ordered __VA_ARGS__) for (int i = 0; i < n; i++) { \
        if (i % 7 != 3) {                                                        \
          PRAGMA(omp ordered) {                                                  \
            bad += i <= before;                                                  \
            before = i;                                                          \
            came++;                                                              \
          }                                                                      \
        }                                                                        \
      }                                                                          \
      CHECK(bad == 0 && came == n - (n + 3) / 7);                                \
    }                                                                            \
  }
ORDERED(by_default)
ORDERED(static, schedule(static))
ORDERED(static_1, schedule(static, 1))
ORDERED(static_6, schedule(static, 6))
ORDERED(dynamic, schedule(dynamic))
ORDERED(dynamic_5, schedule(dynamic, 5))
ORDERED(guided, schedule(guided))
ORDERED(guided_3, schedule(guided, 3))
ORDERED(runtime, schedule(runtime))
ORDERED(auto, schedule(auto))

CASE(ordered_downwards) {
  int next = 60, bad = 0;
#pragma omp parallel for ordered schedule(dynamic, 2)
  for (int i = 60; i > 0; i -= 2) {
#pragma omp ordered
    {
      bad += i != next;
      next -= 2;
    }
  }
  CHECK(bad == 0 && next == 0);
}

CASE(ordered_ull) {
  unsigned long long next = ULLONG_MAX - 50;
  int bad = 0;
#pragma omp parallel for ordered schedule(dynamic, 3)
  for (unsigned long long i = ULLONG_MAX - 50; i < ULLONG_MAX; i++) {
#pragma omp ordered
    {
      bad += i != next;
      next++;
    }
  }
  CHECK(bad == 0 && next == ULLONG_MAX);
}

CASE(ordered_collapsed) {
  int next = 0, bad = 0;
#pragma omp parallel for ordered collapse(2) schedule(static, 1)
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 9; j++) {
#pragma omp ordered
      {
        bad += i * 9 + j != next;
        next++;
      }
    }
  CHECK(bad == 0 && next == 63);
}

/* In nested teams, and several loops without a barrier between. */
CASE(ordered_in_turn_and_nested) {
  int bad = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : bad)
  {
    int log[40], n = 0;
#pragma omp parallel num_threads(3) shared(log, n)
    {
#pragma omp for ordered schedule(dynamic) nowait
      for (int i = 0; i < 20; i++) {
#pragma omp ordered
        log[n++] = i;
      }
#pragma omp barrier
#pragma omp for ordered schedule(static, 2) nowait
      for (int i = 20; i < 40; i++) {
#pragma omp ordered
        log[n++] = i;
      }
    }
    for (int i = 0; i < 40; i++) bad += log[i] != i;
  }
  CHECK(bad == 0);
}

CASE(ordered_function) {
  int log[30], n = 0;
#pragma omp parallel
#pragma omp for ordered schedule(dynamic) lastprivate(n)
  for (int i = 0; i < 30; i++) {
    int before = 0;
#pragma omp ordered threads
    before = i;
    log[i] = before;
    n = before;
  }
  CHECK(n == 29);
  for (int i = 0; i < 30; i++) CHECK(log[i] == i);
}

#define LINE(name, clause)                                                     \
  CASE(line_##name) {                                                          \
    long line[100] = {1};                                                      \
    PRAGMA(omp parallel for ordered(1) clause) for (int i = 1; i < 100; i++) { \
      PRAGMA(omp ordered depend(sink : i - 1)) line[i] = line[i - 1] + i;      \
      PRAGMA(omp ordered depend(source))                                       \
    }                                                                          \
    CHECK(line[99] == 4951);                                                   \
  }
LINE(by_default, )
LINE(static_1, schedule(static, 1))
LINE(static_7, schedule(static, 7))
LINE(dynamic, schedule(dynamic))
LINE(dynamic_3, schedule(dynamic, 3))
LINE(guided, schedule(guided))
LINE(runtime, schedule(runtime))

CASE(distance_of_several) {
  int done[120] = {0}, bad = 0;
#pragma omp parallel for ordered(1) schedule(dynamic) reduction(+ : bad)
  for (int i = 0; i < 120; i++) {
#pragma omp ordered depend(sink : i - 5) depend(sink : i - 2)
    bad += (i >= 5 && !done[i - 5]) || (i >= 2 && !done[i - 2]);
    spin();
    done[i] = 1;
#pragma omp ordered depend(source)
  }
  CHECK(bad == 0);
}

CASE(line_downwards_by_steps) {
  long line[64] = {0};
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (int i = 60; i > 0; i -= 3) {
#pragma omp ordered depend(sink : i + 3)
    line[i] = line[i + 3 > 60 ? 63 : i + 3] + i;
#pragma omp ordered depend(source)
  }
  CHECK(line[3] == 630);
}

CASE(line_ull) {
  unsigned long long sum = 0, expected = 0;
#pragma omp parallel for ordered(1) schedule(guided)
  for (unsigned long long i = ULLONG_MAX - 45; i < ULLONG_MAX - 5; i++) {
#pragma omp ordered depend(sink : i - 1)
    sum = sum * 3 % 1009 + i % 100;
#pragma omp ordered depend(source)
  }
  for (unsigned long long i = ULLONG_MAX - 45; i < ULLONG_MAX - 5; i++) expected = expected * 3 % 1009 + i % 100;
  CHECK(sum == expected);
}

/* Pascal's triangle: each entry is the sum of its neighbours above and to the left. 184756 is 20 over 10. */
#define GRID(name, clause)                                                                                 \
  CASE(grid_##name) {                                                                                      \
    static long grid[20][20];                                                                              \
    for (int i = 0; i < 20; i++) grid[i][0] = grid[0][i] = 1;                                              \
    PRAGMA(omp parallel for ordered(2) clause) for (int i = 1; i < 20; i++) for (int j = 1; j < 20; j++) { \
      PRAGMA(omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1))                                  \
      grid[i][j] = (grid[i - 1][j] + grid[i][j - 1]) % 1000007;                                            \
      PRAGMA(omp ordered depend(source))                                                                   \
    }                                                                                                      \
    CHECK(grid[10][10] == 184756);                                                                         \
  }
GRID(by_default, )
GRID(static_1, schedule(static, 1))
GRID(dynamic, schedule(dynamic))
GRID(guided_2, schedule(guided, 2))

/* A sink may be in a later column of an earlier row. Code of clang 19 waits for the column behind the last one. */
#ifndef __clang__
CASE(grid_skewed) {
  static int done[12][12];
  int bad = 0;
  memset(done, 0, sizeof done);
#pragma omp parallel for ordered(2) schedule(static, 1) reduction(+ : bad)
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++) {
#pragma omp ordered depend(sink : i - 1, j + 1) depend(sink : i - 2, j - 1)
      bad += (i > 0 && j < 11 && !done[i - 1][j + 1]) || (i > 1 && j > 0 && !done[i - 2][j - 1]);
      done[i][j] = 1;
#pragma omp ordered depend(source)
    }
  CHECK(bad == 0);
}
#endif

CASE(cube) {
  static int c[8][7][6];
  int bad = 0;
  memset(c, 0, sizeof c);
#pragma omp parallel for ordered(3) schedule(dynamic) reduction(+ : bad)
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 7; j++)
      for (int k = 0; k < 6; k++) {
#pragma omp ordered depend(sink : i - 1, j, k) depend(sink : i, j - 1, k) depend(sink : i, j, k - 1)
        bad += (i > 0 && !c[i - 1][j][k]) || (j > 0 && !c[i][j - 1][k]) || (k > 0 && !c[i][j][k - 1]);
        c[i][j][k] = 1;
#pragma omp ordered depend(source)
      }
  CHECK(bad == 0);
}

CASE(cube_with_steps_and_directions) {
  static int c[10][10];
  int bad = 0;
  memset(c, 0, sizeof c);
#pragma omp parallel for ordered(2) schedule(dynamic, 2) reduction(+ : bad)
  for (long i = 18; i >= 0; i -= 2)
    for (int j = -9; j <= 9; j += 2) {
#pragma omp ordered depend(sink : i + 2, j - 2)
      bad += i < 18 && j > -9 && !c[(i + 2) / 2][(j - 2 + 9) / 2];
      c[i / 2][(j + 9) / 2] = 1;
#pragma omp ordered depend(source)
    }
  CHECK(bad == 0);
}

/* The source is posted early: what follows it may run at once with later iterations. */
CASE(source_before_the_end) {
  int posted[80] = {0}, bad = 0, sum = 0;
#pragma omp parallel for ordered(1) schedule(dynamic) reduction(+ : bad, sum)
  for (int i = 0; i < 80; i++) {
#pragma omp ordered depend(sink : i - 1)
    bad += i > 0 && !posted[i - 1];
    posted[i] = 1;
#pragma omp ordered depend(source)
    spin();
    sum += i;
  }
  CHECK(bad == 0 && sum == 3160);
}

CASE(doacross_of_nothing_and_one) {
  int ran = 0;
  for (volatile int n = 0; n < 2; n++) {
    const int bound = n;
#pragma omp parallel for ordered(1) schedule(dynamic) reduction(+ : ran)
    for (int i = 0; i < bound; i++) {
#pragma omp ordered depend(sink : i - 1)
      ran++;
#pragma omp ordered depend(source)
    }
#pragma omp parallel for ordered(2) reduction(+ : ran)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < bound; j++) {
#pragma omp ordered depend(sink : i - 1, j)
        ran++;
#pragma omp ordered depend(source)
      }
  }
  CHECK(ran == 4);
}

CASE(doacross_in_turn) {
  int bad = 0, ready[2][30] = {{0}};
#pragma omp parallel reduction(+ : bad)
  for (int k = 0; k < 2; k++) {
#pragma omp for ordered(1) schedule(dynamic) nowait
    for (int i = 0; i < 30; i++) {
#pragma omp ordered depend(sink : i - 1)
      bad += i > 0 && !ready[k][i - 1];
      ready[k][i] = 1;
#pragma omp ordered depend(source)
    }
  }
  CHECK(bad == 0);
}
