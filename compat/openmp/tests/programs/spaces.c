/* The values that a loop runs over: empty ones, single ones, both directions, near the limits of each type, and several
 * loops as one. A list with the values in their order, which a sequential loop would run over, is the oracle. */
#include "cases.h"

#include <limits.h>
#include <stdint.h>

enum { most = 300 };
static int times[most];
static int stray;

static void count_value(int i) {
  if (i >= 0 && i < most)
    __atomic_fetch_add(&times[i], 1, __ATOMIC_RELAXED);
  else
    __atomic_fetch_add(&stray, 1, __ATOMIC_RELAXED);
}
static int each_once(int n) {
  int good = stray == 0;
  for (int i = 0; i < most; i++) good &= times[i] == (i < n);
  memset(times, 0, sizeof times);
  stray = 0;
  return good;
}
#define PRAGMA(...) _Pragma(#__VA_ARGS__)

/* One loop. Value number i is from + i * step, and there are n of them. The compiler doesn't know the bounds. */
#define ONE(type, from, relation, to, step, n, ...)                           \
  {                                                                           \
    volatile type given = (from);                                             \
    const type first = given;                                                 \
    given = (to);                                                             \
    const type bound = given;                                                 \
    PRAGMA(__VA_ARGS__) for (type i = first; i relation bound; i += (step)) { \
      const __int128 distance = (__int128)i - first, by = (step);             \
      count_value(distance % by == 0 ? (int)(distance / by) : -1);            \
    }                                                                         \
    CHECK(each_once(n));                                                      \
  }
#define SPACE(name, type, from, relation, to, step, n)                                   \
  CASE(name) {                                                                           \
    ONE(type, from, relation, to, step, n, omp parallel for)                             \
    ONE(type, from, relation, to, step, n, omp parallel for schedule(static, 3))         \
    ONE(type, from, relation, to, step, n, omp parallel for schedule(dynamic))           \
    ONE(type, from, relation, to, step, n, omp parallel for schedule(dynamic, 7))        \
    ONE(type, from, relation, to, step, n, omp parallel for schedule(guided))            \
    ONE(type, from, relation, to, step, n, omp parallel for schedule(guided, 4))         \
    ONE(type, from, relation, to, step, n, omp parallel for schedule(runtime))           \
    ONE(type, from, relation, to, step, n, omp parallel for ordered schedule(dynamic))   \
    ONE(type, from, relation, to, step, n, omp parallel for ordered schedule(static, 2)) \
  }                                                                                      \
  CASE(name##_by_tasks) {                                                                \
    ONE(type, from, relation, to, step, n, omp taskloop)                                 \
    ONE(type, from, relation, to, step, n, omp parallel master taskloop grainsize(5))    \
    ONE(type, from, relation, to, step, n, omp parallel master taskloop num_tasks(7))    \
  }

SPACE(int_up, int, -20, <, 80, 1, 100)
SPACE(int_up_inclusive, int, -20, <=, 80, 1, 101)
SPACE(int_up_by_7, int, -50, <, 50, 7, 15)
SPACE(int_down, int, 80, >, -20, -1, 100)
SPACE(int_down_inclusive_by_3, int, 80, >=, -20, -3, 34)
SPACE(int_empty, int, 5, <, 5, 1, 0)
SPACE(int_empty_backwards, int, 5, <, -5, 1, 0)
SPACE(int_empty_downwards, int, -5, >, 5, -2, 0)
SPACE(int_one, int, 5, <, 6, 100, 1)
SPACE(int_not_equal, int, 3, !=, 63, 1, 60)
SPACE(int_largest, int, INT_MAX - 60, <, INT_MAX, 1, 60)
SPACE(int_least, int, INT_MIN + 60, >, INT_MIN, -1, 60)
SPACE(short_up, short, -100, <, 100, 1, 200)
SPACE(unsigned_char_up, unsigned char, 0, <, 200, 1, 200)
SPACE(unsigned_top, unsigned, UINT_MAX - 90, <, UINT_MAX, 1, 90)
SPACE(unsigned_up_by_3, unsigned, 0x7fffffe0U, <, 0x80000020U, 3, 22)
SPACE(long_across_int, long, INT_MAX - 20L, <, INT_MAX + 20L, 1, 40)
SPACE(long_largest, long, LONG_MAX - 50, <, LONG_MAX, 1, 50)
SPACE(long_least, long, LONG_MIN + 50, >, LONG_MIN, -1, 50)
SPACE(long_huge_step, long, -(1L << 61), <, 1L << 61, 1L << 55, 128)
SPACE(ull_top, unsigned long long, ULLONG_MAX - 70, <, ULLONG_MAX, 1, 70)
SPACE(ull_across_sign, unsigned long long, (1ULL << 63) - 30, <, (1ULL << 63) + 30, 1, 60)
SPACE(ull_huge_step, unsigned long long, 0, <, 1ULL << 63, 1ULL << 56, 128)
SPACE(ull_empty, unsigned long long, ULLONG_MAX, <, 5, 1, 0)

CASE(ull_down) {
#define DOWN(...)                                                                                                   \
  {                                                                                                                 \
    PRAGMA(__VA_ARGS__)                                                                                             \
    for (unsigned long long i = ULLONG_MAX; i > ULLONG_MAX - 200; i -= 3) count_value((int)((ULLONG_MAX - i) / 3)); \
    CHECK(each_once(67));                                                                                           \
    PRAGMA(__VA_ARGS__) for (unsigned long long i = 60; i > 0; i--) count_value((int)(60 - i));                     \
    CHECK(each_once(60));                                                                                           \
  }
  DOWN(omp parallel for)
  DOWN(omp parallel for schedule(dynamic, 2))
  DOWN(omp parallel for schedule(guided))
  DOWN(omp parallel for ordered schedule(dynamic, 2))
  DOWN(omp parallel master taskloop)
}

CASE(pointers) {
  char text[100];
#pragma omp parallel for schedule(dynamic, 3)
  for (char* p = text; p < text + 100; p += 2) count_value((int)(p - text) / 2);
  CHECK(each_once(50));
#pragma omp parallel for
  for (char* p = text + 99; p >= text; p--) count_value((int)(p - text));
  CHECK(each_once(100));
}

#define NESTED(name, n, clause, loops, number)                                     \
  CASE(name) {                                                                     \
    PRAGMA(omp parallel for clause) loops count_value(number);                     \
    CHECK(each_once(n));                                                           \
    PRAGMA(omp parallel for clause schedule(static, 4)) loops count_value(number); \
    CHECK(each_once(n));                                                           \
    PRAGMA(omp parallel for clause schedule(dynamic)) loops count_value(number);   \
    CHECK(each_once(n));                                                           \
    PRAGMA(omp parallel for clause schedule(guided, 3)) loops count_value(number); \
    CHECK(each_once(n));                                                           \
    PRAGMA(omp parallel for clause schedule(runtime)) loops count_value(number);   \
    CHECK(each_once(n));                                                           \
  }
#define FOR(i, from, relation, to, step) for (int i = (from); i relation(to); i += (step))

NESTED(collapse_2, 120, collapse(2), FOR(i, 0, <, 10, 1) FOR(j, 0, <, 12, 1), i * 12 + j)
NESTED(collapse_3, 120, collapse(3), FOR(i, 0, <, 4, 1) FOR(j, 5, >, 0, -1) FOR(k, 0, <, 12, 2),
       (i * 5 + 5 - j) * 6 + k / 2)
NESTED(collapse_4, 81, collapse(4), FOR(i, 0, <, 3, 1) FOR(j, 0, <, 3, 1) FOR(k, 0, <, 3, 1) FOR(l, 0, <, 3, 1),
       i * 27 + j * 9 + k * 3 + l)
NESTED(collapse_with_empty_inner, 0, collapse(2), FOR(i, 0, <, 10, 1) FOR(j, 5, <, 5, 1), i + j)
NESTED(collapse_with_empty_outer, 0, collapse(2), FOR(i, 0, <, 0, 1) FOR(j, 0, <, 5, 1), i + j)
/* Inner loops that depend on outer ones take no schedule. */
#define SKEWED(name, n, loops, number)                              \
  CASE(name) {                                                      \
    PRAGMA(omp parallel for collapse(2)) loops count_value(number); \
    CHECK(each_once(n));                                            \
    PRAGMA(omp parallel) {                                          \
      PRAGMA(omp for collapse(2) nowait) loops count_value(number); \
    }                                                               \
    CHECK(each_once(n));                                            \
  }
/* Row i of a triangle starts at number i * (i - 1) / 2, or i * (i + 1) / 2 if it has one more. */
SKEWED(triangle_below, 190, FOR(i, 0, <, 20, 1) FOR(j, 0, <, i, 1), i*(i - 1) / 2 + j)
SKEWED(triangle_with_diagonal, 210, FOR(i, 0, <, 20, 1) FOR(j, 0, <=, i, 1), i*(i + 1) / 2 + j)
SKEWED(triangle_above, 190, FOR(i, 0, <, 20, 1) FOR(j, i + 1, <, 20, 1), j*(j - 1) / 2 + i)
SKEWED(trapezium, 265, FOR(i, 0, <, 10, 1) FOR(j, 2 * i, <, 3 * i + 22, 1), i * 22 + i * (i - 1) / 2 + j - 2 * i)
SKEWED(parallelogram, 100, FOR(i, 0, <, 10, 1) FOR(j, i, <, i + 10, 1), i * 10 + j - i)

CASE(types_differ_in_collapsed_loops) {
#pragma omp parallel for collapse(3) schedule(dynamic, 3)
  for (unsigned char a = 250; a < 254; a++)
    for (long b = -2; b <= 2; b++)
      for (unsigned long long c = ULLONG_MAX - 4; c < ULLONG_MAX; c += 2)
        count_value((a - 250) * 10 + (int)(b + 2) * 2 + (int)((c - (ULLONG_MAX - 4)) / 2));
  CHECK(each_once(40));
}

CASE(nested_loops_of_variable_bounds) {
  volatile int rows = 6, columns = 7, step = 2;
  const int r = rows, c = columns, s = step;
#pragma omp parallel for collapse(2) schedule(static, 2)
  for (int i = 0; i < r * s; i += s)
    for (int j = c - 1; j >= 0; j--) count_value(i / s * c + c - 1 - j);
  CHECK(each_once(42));
}

CASE(collapsed_taskloop) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop collapse(2) grainsize(4)
    for (int i = 0; i < 9; i++)
      for (int j = 0; j < 11; j++) count_value(i * 11 + j);
#pragma omp taskloop collapse(2)
    for (int i = 0; i < 14; i++)
      for (int j = 0; j < 11; j++) count_value(99 + i * 11 + j);
  }
  CHECK(each_once(253));
}

CASE(loop_construct) {
#pragma omp parallel
  {
#pragma omp loop bind(parallel)
    for (int i = 0; i < 50; i++) count_value(i);
#pragma omp loop bind(thread)
    for (int i = 0; i < 5; i++) __atomic_fetch_add(&times[50 + i], 1, __ATOMIC_RELAXED);
  }
  for (int i = 0; i < 5; i++) times[50 + i] -= threads_asked() - 1;
  CHECK(each_once(55));
#pragma omp parallel for order(concurrent)
  for (int i = 0; i < 77; i++) times[i]++;
  CHECK(each_once(77));
}

CASE(simd) {
  int sum = 0, last = -1, position = 3;
#pragma omp simd reduction(+ : sum) lastprivate(last) linear(position : 2) safelen(8)
  for (int i = 0; i < 100; i++) {
    sum += position;
    position += 2;
    last = i;
  }
  CHECK(sum == 300 + 2 * 4950 && last == 99 && position == 203);
#pragma omp parallel
#pragma omp for simd collapse(2) nowait
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; j++) times[i * 10 + j]++;
  CHECK(each_once(100));
}

CASE(simd_schedules) {
#pragma omp parallel for simd schedule(simd : static, 5)
  for (int i = 0; i < 100; i++) times[i]++;
  CHECK(each_once(100));
#pragma omp parallel for simd schedule(simd, monotonic : dynamic, 3)
  for (int i = 0; i < 100; i++) times[i]++;
  CHECK(each_once(100));
}
