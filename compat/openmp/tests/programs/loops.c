/* Loops of every schedule: each iteration runs once, ordered parts in order, and a doacross loop after its sinks. */
#include "check.h"

#include <limits.h>

#define MOST 400
static int count[MOST];

static void clear(void) { memset(count, 0, sizeof count); }
static void check_once(int n) {
  for (int i = 0; i < MOST; i++) CHECK(count[i] == (i < n));
  clear();
}

#define LOOP(name, ...)                                                                                             \
  static void name(int n) {                                                                                         \
    _Pragma(#__VA_ARGS__) for (int i = 0; i < n; i++) count[i]++;                                                   \
    check_once(n);                                                                                                  \
    long low = -3L * n;                                                                                             \
    _Pragma(#__VA_ARGS__) for (long i = 0; i > low; i -= 3) count[-i / 3]++;                                        \
    check_once(n);                                                                                                  \
    unsigned long long top = ULLONG_MAX - 5;                                                                        \
    _Pragma(#__VA_ARGS__) for (unsigned long long i = top - (unsigned long long)n * 7; i < top; i += 7)             \
        count[(i - (top - (unsigned long long)n * 7)) / 7]++;                                                       \
    check_once(n);                                                                                                  \
    _Pragma(#__VA_ARGS__) for (unsigned long long i = top; i > top - n; i--) count[top - i]++;                      \
    check_once(n);                                                                                                  \
    int last = -1;                                                                                                  \
    _Pragma("omp parallel") {                                                                                       \
      _Pragma("omp for schedule(dynamic) nowait") for (int i = 0; i < n; i++) { _Pragma("omp atomic") count[i]++; } \
      _Pragma("omp for schedule(guided, 2) lastprivate(last)") for (int i = 0; i < n; i++) {                        \
        _Pragma("omp atomic") count[i]--;                                                                           \
        last = i;                                                                                                   \
      }                                                                                                             \
    }                                                                                                               \
    CHECK(n == 0 || last == n - 1);                                                                                 \
    check_once(0);                                                                                                  \
  }

LOOP(plain, omp parallel for)
LOOP(fixed_3, omp parallel for schedule(static, 3))
LOOP(dynamic_1, omp parallel for schedule(dynamic))
LOOP(dynamic_5, omp parallel for schedule(dynamic, 5))
LOOP(monotonic, omp parallel for schedule(monotonic : dynamic, 2))
LOOP(guided_1, omp parallel for schedule(guided))
LOOP(guided_4, omp parallel for schedule(guided, 4))
LOOP(automatic, omp parallel for schedule(auto))
LOOP(at_run_time, omp parallel for schedule(runtime))

static void by_hand(void) {
  const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
  for (int k = 0; k < 4; k++) {
    omp_set_schedule(kinds[k], 2);
    omp_sched_t found;
    int chunk;
    omp_get_schedule(&found, &chunk);
    CHECK((found & 15) == kinds[k]);
    at_run_time(57);
  }
}

static void nested_space(void) {
#pragma omp parallel for collapse(3) schedule(dynamic, 2)
  for (int i = 0; i < 5; i++)
    for (int j = 10; j > 0; j -= 2)
      for (int k = 0; k < 4; k++) count[(i * 5 + (10 - j) / 2) * 4 + k]++;
  check_once(100);
}

#define ORDERED(...)                                     \
  {                                                      \
    int next = 0, bad = 0;                               \
    _Pragma(#__VA_ARGS__) for (int i = 0; i < 60; i++) { \
      if (i % 7 != 3) {                                  \
        _Pragma("omp ordered") {                         \
          bad += i < next;                               \
          next = i;                                      \
        }                                                \
      }                                                  \
    }                                                    \
    CHECK(next == 58 && !bad || next == 59 && !bad);     \
  }

static void ordered(void) {
  ORDERED(omp parallel for ordered)
  ORDERED(omp parallel for ordered schedule(static, 1))
  ORDERED(omp parallel for ordered schedule(dynamic))
  ORDERED(omp parallel for ordered schedule(dynamic, 4))
  ORDERED(omp parallel for ordered schedule(guided))
  ORDERED(omp parallel for ordered schedule(runtime))
  unsigned long long next = 0;
#pragma omp parallel for ordered schedule(dynamic, 3)
  for (unsigned long long i = 0; i < 50; i++) {
#pragma omp ordered
    {
      CHECK(i == next);
      next++;
    }
  }
}

static void doacross(void) {
  long line[100] = {1};
#pragma omp parallel for ordered(1) schedule(dynamic)
  for (int i = 1; i < 100; i++) {
#pragma omp ordered depend(sink : i - 1)
    line[i] = line[i - 1] + i;
#pragma omp ordered depend(source)
  }
  CHECK(line[99] == 4951);
  static long grid[20][20];
  for (int i = 0; i < 20; i++) grid[i][0] = grid[0][i] = 1;
#pragma omp parallel for ordered(2) schedule(static, 1)
  for (int i = 1; i < 20; i++)
    for (int j = 1; j < 20; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      grid[i][j] = (grid[i - 1][j] + grid[i][j - 1]) % 1000007;
#pragma omp ordered depend(source)
    }
  CHECK(grid[10][10] == 184756);
  unsigned long long sum = 0;
#pragma omp parallel for ordered(1) schedule(guided)
  for (unsigned long long i = 5; i < 45; i++) {
#pragma omp ordered depend(sink : i - 1)
    sum = sum * 3 % 1009 + i;
#pragma omp ordered depend(source)
  }
  unsigned long long expected = 0;
  for (unsigned long long i = 5; i < 45; i++) expected = expected * 3 % 1009 + i;
  CHECK(sum == expected);
}

int main(void) {
  for (int n = 0; n < 130; n = n * 2 + 1) {
    plain(n);
    fixed_3(n);
    dynamic_1(n);
    dynamic_5(n);
    monotonic(n);
    guided_1(n);
    guided_4(n);
    automatic(n);
    at_run_time(n);
  }
  by_hand();
  nested_space();
  ordered();
  doacross();
  return 0;
}
