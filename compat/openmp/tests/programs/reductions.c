/* Reductions: each operator with each type, on every construct that takes the clause, over arrays and sections, by
 * operators that the program declares, over tasks, and scans. */
#include "cases.h"

#include <complex.h>
#include <limits.h>
#include <stdbool.h>

#define PRAGMA(...) _Pragma(#__VA_ARGS__)

/* `op` reduces `value` of i in 0 ... 49 onto `start`. */
#define FOLD(type, identifier, start, statement, expected)                                                       \
  {                                                                                                              \
    type x = (start);                                                                                            \
    PRAGMA(omp parallel for reduction(identifier : x)) for (int i = 0; i < 50; i++) statement;                   \
    CHECK(x == (type)(expected));                                                                                \
    x = (start);                                                                                                 \
    PRAGMA(omp parallel for schedule(dynamic) reduction(identifier : x)) for (int i = 0; i < 50; i++) statement; \
    CHECK(x == (type)(expected));                                                                                \
    x = (start);                                                                                                 \
    PRAGMA(omp parallel reduction(identifier : x))                                                               \
    PRAGMA(omp for schedule(static, 3)) for (int i = 0; i < 50; i++) statement;                                  \
    CHECK(x == (type)(expected));                                                                                \
  }
/* 0 + ... + 49 = 1225 */
#define ARITHMETIC(type)                           \
  FOLD(type, +, 5, x += (type)(i % 3), 5 + 49)     \
  FOLD(type, -, 100, x -= (type)(i % 2), 100 - 25) \
  FOLD(type, *, 3, x *= (type)(i % 10 == 0 ? 2 : 1), 3 * 32)
#define ORDER(type)                                                     \
  FOLD(type, max, 7, x = x > (type)(i * 2) ? x : (type)(i * 2), 98)     \
  FOLD(type, max, 120, x = x > (type)i ? x : (type)i, 120)              \
  FOLD(type, min, 100, x = x < (type)(60 - i) ? x : (type)(60 - i), 11) \
  FOLD(type, min, 1, x = x < (type)(60 - i) ? x : (type)(60 - i), 1)
#define BITS(type)                                              \
  FOLD(type, &, 0x7f, x &= (type)(i == 20 ? 0x6d : 0x7f), 0x6d) \
  FOLD(type, |, 0x40, x |= (type)(1 << i % 4), 0x4f)            \
  FOLD(type, ^, 0x11, x ^= (type)(i == 3 || i == 30 ? 0x21 : i == 40), 0x10)
#define LOGIC(type)                      \
  FOLD(type, &&, 1, x = x && i < 50, 1)  \
  FOLD(type, &&, 1, x = x && i != 33, 0) \
  FOLD(type, ||, 0, x = x || i == 33, 1) \
  FOLD(type, ||, 0, x = x || i == 77, 0)
#define INTEGER(name, type)                                                                                     \
  CASE(name##_arithmetic){ARITHMETIC(type)} CASE(name##_order){ORDER(type)} CASE(name##_bits){BITS(type)} CASE( \
      name##_logic) {                                                                                           \
    LOGIC(type)                                                                                                 \
  }
#define REAL(name, type) \
  CASE(name##_arithmetic){ARITHMETIC(type)} CASE(name##_order){ORDER(type)} CASE(name##_logic) { LOGIC(type) }

INTEGER(char, signed char)
INTEGER(short, short)
INTEGER(int, int)
INTEGER(unsigned, unsigned)
INTEGER(long, long)
INTEGER(ull, unsigned long long)
REAL(float, float)
REAL(double, double)
REAL(long_double, long double)
CASE(bool_logic){LOGIC(bool)} CASE(complex_arithmetic){ARITHMETIC(double complex)
                                                           FOLD(float complex, +, 1, x += i % 2 ? I : 2, 51 + 25 * I)
                                                               FOLD(double complex, *, 1, x *= i % 5 == 0 ? I : 1, -1)}
/* The neutral elements are those of the type's limits. */
CASE(limits_of_order){FOLD(int, max, INT_MIN, (void)0, INT_MIN)
                          FOLD(unsigned long long, min, ULLONG_MAX, (void)0, ULLONG_MAX)
                              FOLD(long, min, LONG_MAX, x = x < LONG_MAX ? x : LONG_MAX, LONG_MAX)
                                  FOLD(int, max, INT_MIN, x = i == 7 && x < -5 ? -5 : x, -5)}

CASE(arrays) {
  long whole[6] = {1, 1, 1, 1, 1, 1}, large[300] = {0}, grid[3][4] = {{0}};
#pragma omp parallel for reduction(+ : whole, grid) reduction(max : large)
  for (int i = 0; i < 120; i++) {
    whole[i % 6] += i;
    grid[i % 3][i % 4]++;
    large[i * 2] = i;
  }
  int good = 0;
  for (int k = 0; k < 6; k++) good += whole[k] == 1 + 20 * k + 6 * 190;
  for (int k = 0; k < 12; k++) good += grid[k / 4][k % 4] == 10;
  for (int k = 0; k < 240; k++) good += large[k] == (k % 2 ? 0 : k / 2);
  CHECK(good == 6 + 12 + 240);
}

CASE(sections_of_arrays) {
  int a[20] = {0}, n = 5, grid[4][5] = {{0}};
  int* const p = a + 10;
#pragma omp parallel for reduction(+ : a[2 : n], p[ : 3], grid[1 : 2][ : ])
  for (int i = 0; i < 100; i++) {
    a[2 + i % n]++;
    p[i % 3] += i % 3;
    grid[1 + i % 2][i % 5]++;
  }
  for (int k = 0; k < 20; k++) CHECK(a[k] == (k >= 2 && k < 7 ? 20 : k == 11 ? 33 : k == 12 ? 66 : 0));
  for (int k = 0; k < 20; k++) CHECK(grid[k / 5][k % 5] == (k >= 5 && k < 15 ? 10 : 0));
}

static void sum_of_length(int n) {
  int a[n];
  memset(a, 0, sizeof a);
#pragma omp parallel reduction(+ : a)
  for (int k = 0; k < n; k++) a[k] += k;
  for (int k = 0; k < n; k++) CHECK(a[k] == k * threads_asked());
}
CASE(array_of_variable_length) {
  sum_of_length(1);
  sum_of_length(37);
}

CASE(on_a_region) {
  int threads = 0, numbers = 0, all = 1;
#pragma omp parallel reduction(+ : threads, numbers) reduction(&& : all)
  {
    threads++;
    numbers = omp_get_thread_num();
    all = omp_get_num_threads() == threads_asked();
  }
  const int n = threads_asked();
  CHECK(threads == n && numbers == n * (n - 1) / 2 && all);
}

CASE(on_sections) {
  int sum = 1000, bits = 0;
#pragma omp parallel sections reduction(+ : sum) reduction(| : bits)
  {
#pragma omp section
    sum += 1, bits |= 1;
#pragma omp section
    sum += 10, bits |= 2;
#pragma omp section
    sum += 100, bits |= 8;
  }
  CHECK(sum == 1111 && bits == 11);
}

#ifndef __clang__ /* clang 19 has no scope in C */
CASE(on_scope) {
  int sum = 2;
#pragma omp parallel
  {
#pragma omp scope reduction(+ : sum)
    sum += 3;
    CHECK(sum == 2 + 3 * omp_get_num_threads());
  }
}
#endif

CASE(nowait_and_barrier) {
  int sum = 0, product = 1;
#pragma omp parallel
  {
#pragma omp for reduction(+ : sum) nowait
    for (int i = 0; i < 30; i++) sum += i;
#pragma omp for reduction(* : product) nowait
    for (int i = 0; i < 10; i++) product *= 2;
#pragma omp barrier
    CHECK(sum == 435 && product == 1024);
  }
}

CASE(nested_regions) {
  int sum = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3) reduction(+ : sum)
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 10; i++) sum += i;
  CHECK(sum == 135);
}

struct range {
  int least, greatest, count;
};
static void join(struct range* to, const struct range* from) {
  to->least = from->least < to->least ? from->least : to->least;
  to->greatest = from->greatest > to->greatest ? from->greatest : to->greatest;
  to->count += from->count;
}
static void clear(struct range* r, const struct range* original) {
  *r = (struct range){INT_MAX, INT_MIN, original->count * 0};
}
#pragma omp declare reduction(hull : struct range : join(&omp_out, &omp_in)) initializer(clear(&omp_priv, &omp_orig))
#pragma omp declare reduction(last:int : omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = -1)
#pragma omp declare reduction(by_default:long : omp_out += omp_in)

CASE(declared) {
  struct range r = {500, 500, 1}, several[2] = {{0, 0, 0}, {9, 9, 0}};
  int last = -1;
  long sum = 3;
#pragma omp parallel for reduction(hull : r, several) reduction(last : last) reduction(by_default : sum)
  for (int i = 0; i < 90; i++) {
    const struct range one = {i * 37 % 90, i * 37 % 90, 1};
    join(&r, &one);
    join(&several[i % 2], &one);
    last = i;
    sum += i;
  }
  CHECK(r.least == 0 && r.greatest == 500 && r.count == 91 && last == 89 && sum == 4008);
  CHECK(several[0].least == 0 && several[0].count == 45 && several[1].greatest == 89 && several[1].count == 45);
}

/* A declaration inside of a block hides that of the file. */
CASE(declared_in_a_block) {
  int x = 2;
#pragma omp declare reduction(last:int : omp_out += 2 * omp_in) initializer(omp_priv = 0)
#pragma omp parallel num_threads(3) reduction(last : x)
  x += 1;
  CHECK(x == 2 + 3 * 2);
}

CASE(scan_inclusive) {
  int a[70], b[70], sum = 0;
  for (int i = 0; i < 70; i++) a[i] = i % 7;
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < 70; i++) {
    sum += a[i];
#pragma omp scan inclusive(sum)
    b[i] = sum;
  }
  int expected = 0;
  for (int i = 0; i < 70; i++) {
    expected += a[i];
    CHECK(b[i] == expected);
  }
  CHECK(sum == 210);
}

CASE(scan_exclusive) {
  int b[70];
  unsigned bits = 0, seen[70];
  long sum = 0;
#pragma omp parallel
#pragma omp for reduction(inscan, + : sum)
  for (int i = 0; i < 70; i++) {
    b[i] = (int)sum;
#pragma omp scan exclusive(sum)
    sum += i;
  }
#pragma omp parallel for reduction(inscan, | : bits)
  for (int i = 0; i < 30; i++) {
    bits |= 1U << i;
#pragma omp scan inclusive(bits)
    seen[i] = bits;
  }
  for (int i = 0; i < 70; i++) CHECK(b[i] == i * (i - 1) / 2);
  for (int i = 0; i < 30; i++) CHECK(seen[i] == (2U << i) - 1);
  CHECK(sum == 2415);
}

CASE(modifier_task_on_a_region) {
  int sum = 7;
#pragma omp parallel reduction(task, + : sum)
  {
    sum += 1;
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
      sum += i;
    }
  }
  CHECK(sum == 7 + 46 * threads_asked());
}

CASE(modifier_task_on_worksharing) {
  int loop = 0, parts = 100;
#pragma omp parallel
  {
#pragma omp for reduction(task, + : loop) schedule(dynamic)
    for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : loop)
      loop += i;
      loop += 1000;
    }
    CHECK(loop == 190 + 20000);
#pragma omp sections reduction(task, + : parts)
    {
#pragma omp section
      {
#pragma omp task in_reduction(+ : parts)
        parts += 4;
      }
#pragma omp section
      parts++;
    }
    CHECK(parts == 105);
  }
}

CASE(task_reduction) {
  int sum = 0, low = 50;
  long product[2] = {1, 1};
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(* : product) task_reduction(min : low)
    {
      for (int i = 1; i <= 12; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(* : product) in_reduction(min : low)
        {
          spin();
          sum += i;
          product[i % 2] *= i;
          low = 40 - i < low ? 40 - i : low;
#pragma omp task in_reduction(+ : sum)
          sum += 100;
        }
      }
    }
    CHECK(sum == 78 + 1200 && product[0] == 46080 && product[1] == 10395 && low == 28);
  }
}

CASE(task_reductions_in_each_other) {
  int outer = 0, inner = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : outer)
  {
    for (int i = 0; i < 6; i++) {
#pragma omp task in_reduction(+ : outer) shared(inner)
      {
        int mine = 0;
#pragma omp taskgroup task_reduction(+ : mine)
        for (int k = 0; k < 5; k++) {
#pragma omp task in_reduction(+ : mine) in_reduction(+ : outer)
          {
            mine += k;
            outer++;
          }
        }
        CHECK(mine == 10);
#pragma omp atomic
        inner += mine;
      }
    }
  }
  CHECK(outer == 30 && inner == 60);
}

CASE(taskloop_reduction) {
  int sum = 0, again = 0;
  double largest = -1;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop reduction(+ : sum) reduction(max : largest) grainsize(3)
    for (int i = 0; i < 100; i++) {
      sum += i;
      largest = largest > i * 0.5 ? largest : i * 0.5;
    }
    CHECK(sum == 4950 && largest == 49.5);
#pragma omp taskgroup task_reduction(+ : again)
    {
#pragma omp taskloop in_reduction(+ : again)
      for (int i = 0; i < 40; i++) again += i;
#pragma omp task in_reduction(+ : again)
      again += 1000;
    }
    CHECK(again == 1780);
  }
}

CASE(declared_over_tasks) {
  struct range r = {70, 70, 0};
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(hull : r)
  for (int i = 0; i < 40; i++) {
#pragma omp task in_reduction(hull : r)
    {
      const struct range one = {i, i, 1};
      join(&r, &one);
    }
  }
  CHECK(r.least == 0 && r.greatest == 70 && r.count == 40);
}
