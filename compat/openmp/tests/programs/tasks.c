/* Tasks: their arguments, waits, groups and loops; and that no two that run at once have the same thread number. */
#include "check.h"

static long fib(int n) {
  long a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b) final(n < 5) mergeable
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

#define BYTES(name, n)                                      \
  static void name(void) {                                  \
    struct {                                                \
      char c[n];                                            \
    } v;                                                    \
    int good = 0;                                           \
    for (int k = 0; k < 10; k++) {                          \
      memset(&v, k, sizeof v);                              \
      _Pragma("omp task firstprivate(v, k) shared(good)") { \
        int all = 1;                                        \
        for (int i = 0; i < n; i++) all &= v.c[i] == k;     \
        _Pragma("omp atomic") good += all;                  \
      }                                                     \
    }                                                       \
    _Pragma("omp taskwait") CHECK(good == 10);              \
  }
BYTES(bytes_1, 1)
BYTES(bytes_3, 3)
BYTES(bytes_13, 13)
BYTES(bytes_40, 40)
BYTES(bytes_250, 250)
BYTES(bytes_5000, 5000)

static void aligned(void) {
  _Alignas(64) long v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int good = 0;
  for (int k = 0; k < 5; k++) {
#pragma omp task firstprivate(v) shared(good)
    {
#pragma omp atomic
      good += (size_t)v % 64 == 0 && v[7] == 8;
    }
  }
#pragma omp taskwait
  CHECK(good == 5);
}

static void many(void) {
  static int ran[20000];
  memset(ran, 0, sizeof ran);
#pragma omp taskgroup
  for (int i = 0; i < 20000; i++) {
#pragma omp task untied priority(i % 3)
    ran[i]++;
  }
  for (int i = 0; i < 20000; i++) CHECK(ran[i] == 1);
}

static void tree(int depth, int* leaves) {
  if (depth == 0) {
#pragma omp atomic
    ++*leaves;
    return;
  }
  for (int i = 0; i < 3; i++) {
#pragma omp task
    tree(depth - 1, leaves);
  }
#pragma omp taskyield
}

static void groups(void) {
  int leaves = 0, inner = 0;
#pragma omp taskgroup
  {
    tree(6, &leaves);
#pragma omp taskgroup
    {
#pragma omp task shared(inner)
#pragma omp task shared(inner)
      inner++;
    }
    CHECK(inner == 1);
#pragma omp taskwait
    tree(3, &leaves);
  }
  CHECK(leaves == 729 + 27);
}

static void undeferred(void) {
  int x = 0;
#pragma omp task if (0) shared(x)
  {
    x = 1;
#pragma omp task shared(x)
    x += omp_in_final() ? 100 : 1;
#pragma omp taskwait
  }
  CHECK(x == 2);
#pragma omp task final(1) shared(x)
  {
    CHECK(omp_in_final());
#pragma omp task shared(x)
    x += omp_in_final() ? 100 : 1;
  }
#pragma omp taskwait
  CHECK(x == 102);
}

static int busy[64];
static long sums[64];

static void alone(int depth) {
  const int me = omp_get_thread_num();
  CHECK(__atomic_fetch_add(&busy[me], 1, __ATOMIC_SEQ_CST) == 0);
  for (volatile int i = 0; i < 300; i++) sums[me]++;
  CHECK(__atomic_fetch_sub(&busy[me], 1, __ATOMIC_SEQ_CST) == 1);
  if (depth == 0) return;
#pragma omp task
  alone(depth - 1);
#pragma omp task
  alone(depth - 1);
#pragma omp taskwait
  CHECK(omp_get_thread_num() == me);
}

static void numbers(void) {
  long before = 0, after = 0;
  for (int i = 0; i < 64; i++) before += sums[i];
#pragma omp parallel
  {
#pragma omp single
    alone(7);
#pragma omp single nowait
    alone(6);
  }
  for (int i = 0; i < 64; i++) after += sums[i];
  CHECK(after - before == 300 * (255 + 127));
  for (int i = threads_asked(); i < 64; i++) CHECK(sums[i] == 0);
}

static void loops(void) {
  static int ran[1000];
  memset(ran, 0, sizeof ran);
#pragma omp taskloop
  for (int i = 0; i < 1000; i++) ran[i]++;
#pragma omp taskloop grainsize(7)
  for (long i = 999; i >= 0; i--) ran[i]++;
#pragma omp taskloop num_tasks(13) if (threads_asked() > 1)
  for (unsigned long long i = 0; i < 1000; i += 2) ran[i]++;
#pragma omp taskloop nogroup collapse(2)
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 100; j++) {
#pragma omp atomic
      ran[i * 100 + j]++;
    }
#pragma omp taskwait
  for (int i = 0; i < 1000; i++) CHECK(ran[i] == 3 + (i % 2 == 0));
  long last = -1, sum = 0;
#pragma omp taskloop lastprivate(last) reduction(+ : sum)
  for (long i = 0; i < 100; i++) {
    last = i;
    sum += i;
  }
  CHECK(last == 99 && sum == 4950);
}

static void regions_in_tasks(void) {
  int sum = 0;
  for (int k = 0; k < 4; k++) {
#pragma omp task shared(sum)
    {
      int mine = 0;
#pragma omp parallel for reduction(+ : mine)
      for (int i = 0; i < 10; i++) mine += i;
#pragma omp atomic
      sum += mine;
    }
  }
#pragma omp taskwait
  CHECK(sum == 180);
}

int main(void) {
#pragma omp parallel
  {
#pragma omp single
    CHECK(fib(15) == 610);
#pragma omp master
    {
      bytes_1();
      bytes_3();
      bytes_13();
      bytes_40();
      bytes_250();
      bytes_5000();
      aligned();
      many();
      groups();
      undeferred();
      loops();
      regions_in_tasks();
    }
  }
  fib(8);
  loops();
  numbers();
  int done = 0;
#pragma omp parallel
  {
    for (int i = 0; i < 50; i++) {
#pragma omp task shared(done)
      {
#pragma omp critical
        done++;
      }
    }
#pragma omp barrier
    CHECK(done == 50 * omp_get_num_threads());
  }
  return 0;
}
