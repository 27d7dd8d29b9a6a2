/* Atomic operations: each form on each type, under contention. Long double and complex numbers have no instructions. */
#include "cases.h"

#include <complex.h>
#include <limits.h>
#include <stdbool.h>

enum { team = 4, rounds = 50, all = team * rounds };
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define EVERYONE PRAGMA(omp parallel num_threads(team)) for (int i = 0; i < rounds; i++)

#define UPDATES(type, x, value)                                   \
  {                                                               \
    type x = 1;                                                   \
    EVERYONE { PRAGMA(omp atomic) x++; }                          \
    CHECK(x == (type)(all + 1));                                  \
    EVERYONE { PRAGMA(omp atomic update) x -= value; }            \
    CHECK(x == (type)(all + 1 - all * value));                    \
    x = 0;                                                        \
    EVERYONE { PRAGMA(omp atomic update seq_cst) x = x + value; } \
    CHECK(x == (type)(all * value));                              \
    EVERYONE { PRAGMA(omp atomic relaxed)-- x; }                  \
    CHECK(x == (type)(all * value - all));                        \
  }
#define FACTORS(type)                                                             \
  {                                                                               \
    type x = 3;                                                                   \
    PRAGMA(omp parallel num_threads(team)) { PRAGMA(omp atomic) x *= 2; }         \
    CHECK(x == 48);                                                               \
    PRAGMA(omp parallel num_threads(team)) { PRAGMA(omp atomic release) x /= 2; } \
    CHECK(x == 3);                                                                \
    PRAGMA(omp parallel num_threads(1)) { PRAGMA(omp atomic) x = 12 - x; }        \
    CHECK(x == 9);                                                                \
    PRAGMA(omp parallel num_threads(1)) { PRAGMA(omp atomic) x = 18 / x; }        \
    CHECK(x == 2);                                                                \
  }
#define BITS(type)                                   \
  {                                                  \
    type x = 0;                                      \
    EVERYONE { PRAGMA(omp atomic) x |= 1 << i % 6; } \
    CHECK(x == 63);                                  \
    EVERYONE { PRAGMA(omp atomic) x &= 61; }         \
    CHECK(x == 61);                                  \
    EVERYONE { PRAGMA(omp atomic) x ^= 4; }          \
    CHECK(x == 61);                                  \
    PRAGMA(omp atomic) x <<= 1;                      \
    CHECK(x == 122);                                 \
    PRAGMA(omp atomic) x >>= 3;                      \
    CHECK(x == 15);                                  \
  }
#define INTEGER(name, type) \
  CASE(name##_updates) { UPDATES(type, x, 3) FACTORS(type) BITS(type) }
#define REAL(name, type) \
  CASE(name##_updates) { UPDATES(type, x, 2.5) FACTORS(type) }
INTEGER(char, signed char)
INTEGER(unsigned_char, unsigned char)
INTEGER(short, short)
INTEGER(int, int)
INTEGER(unsigned, unsigned)
INTEGER(long, long)
INTEGER(ull, unsigned long long)
REAL(float, float)
REAL(double, double)
REAL(long_double, long double)

#ifdef __clang__ /* gcc has them in Fortran only */
CASE(complex_updates) {
  double complex x = 0;
  float complex y = 1;
  EVERYONE {
#pragma omp atomic
    x += 1 + 2 * I;
#pragma omp atomic
    y -= I;
  }
  CHECK(x == all + 2 * all * I && y == 1 - all * I);
}
#endif

/* Each value is captured once, before or after the change. */
#define CAPTURES(name, type)                                      \
  CASE(name##_captures) {                                         \
    static int seen[2 * all + 2];                                 \
    type x = 0;                                                   \
    memset(seen, 0, sizeof seen);                                 \
    EVERYONE {                                                    \
      type v;                                                     \
      PRAGMA(omp atomic capture) v = x++;                         \
      seen[(int)v]++;                                             \
    }                                                             \
    for (int i = 0; i < all; i++) CHECK(seen[i] == 1);            \
    EVERYONE {                                                    \
      type v;                                                     \
      PRAGMA(omp atomic capture) v = x += 1;                      \
      seen[(int)v]++;                                             \
    }                                                             \
    for (int i = all + 1; i <= 2 * all; i++) CHECK(seen[i] == 1); \
    EVERYONE {                                                    \
      type v;                                                     \
      PRAGMA(omp atomic capture) {                                \
        v = x;                                                    \
        x = x - 1;                                                \
      }                                                           \
      seen[(int)v]++;                                             \
      PRAGMA(omp atomic capture seq_cst) {                        \
        x += 1;                                                   \
        v = x;                                                    \
      }                                                           \
      seen[(int)v] += v < 1;                                      \
    }                                                             \
    CHECK(x == 2 * all);                                          \
  }
CAPTURES(int, int)
CAPTURES(short, short)
CAPTURES(ull, unsigned long long)
CAPTURES(double, double)
CAPTURES(long_double, long double)

/* An exchange hands each value to one thread. */
CASE(exchanges) {
  int x = -1, taken[all] = {0}, bad = 0;
  EVERYONE {
    const int mine = omp_get_thread_num() * rounds + i;
    int v;
#pragma omp atomic capture
    {
      v = x;
      x = mine;
    }
    if (v >= 0) {
#pragma omp atomic
      taken[v]++;
    }
  }
  taken[x]++;
  for (int i = 0; i < all; i++) bad += taken[i] != 1;
  CHECK(bad == 0);
}

/* A read never finds half of a write. */
#define HALVES(name, type, low, high)                    \
  CASE(name##_reads_and_writes) {                        \
    type x = (low);                                      \
    int bad = 0;                                         \
    EVERYONE {                                           \
      const type w = i % 2 ? (type)(low) : (type)(high); \
      type v;                                            \
      PRAGMA(omp atomic write) x = w;                    \
      PRAGMA(omp atomic read) v = x;                     \
      if (v != (type)(low) && v != (type)(high)) {       \
        PRAGMA(omp atomic) bad++;                        \
      }                                                  \
      PRAGMA(omp atomic write release) x = w;            \
      PRAGMA(omp atomic read acquire) v = x;             \
      if (v != (type)(low) && v != (type)(high)) {       \
        PRAGMA(omp atomic) bad++;                        \
      }                                                  \
    }                                                    \
    CHECK(bad == 0);                                     \
  }
HALVES(short, short, 0x0101, 0x7f7f)
HALVES(long, long, 0x0101010101010101, 0x7f7f7f7f7f7f7f7f)
HALVES(double, double, 1e300, -2.5e-300)
HALVES(long_double, long double, 1e4000L, -3e-4000L)

CASE(compares) {
  int largest = 0, least = 1000, taken = 0, winner = -1;
  EVERYONE {
    const int mine = omp_get_thread_num() * rounds + i;
#pragma omp atomic compare
    if (largest < mine) {
      largest = mine;
    }
#pragma omp atomic compare
    if (least > mine) {
      least = mine;
    }
    int expected = -1, before = -2;
#pragma omp atomic compare capture
    {
      before = winner;
      if (winner == expected) {
        winner = mine;
      }
    }
    if (before == -1) {
#pragma omp atomic
      taken++;
    }
  }
  CHECK(largest == all - 1 && least == 0 && taken == 1 && winner >= 0);
}

CASE(hints_and_elements) {
  int a[8] = {0};
  struct {
    char c;
    int n;
  } s = {1, 0};
  EVERYONE {
#pragma omp atomic hint(omp_sync_hint_contended)
    a[i % 8] += 1;
#pragma omp atomic
    s.n += a[0] >= 0;
  }
  int sum = 0;
  for (int i = 0; i < 8; i++) sum += a[i];
  CHECK(sum == all && s.n == all && s.c == 1);
}
