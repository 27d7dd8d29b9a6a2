/* Entry points that today's gcc doesn't call, and arguments at the limits of their types. */
#include "cases.h"

#include <limits.h>
#include <stdbool.h>

typedef void function(void*);
typedef unsigned long long ull;
void GOMP_parallel_start(function*, void*, unsigned);
void GOMP_parallel_loop_dynamic_start(function*, void*, unsigned, long, long, long, long);
void GOMP_parallel_sections_start(function*, void*, unsigned, unsigned);
unsigned GOMP_sections_next(void);
void GOMP_parallel_end(void);
bool GOMP_loop_dynamic_next(long*, long*);
bool GOMP_loop_dynamic_start(long, long, long, long, long*, long*);
bool GOMP_loop_static_start(long, long, long, long, long*, long*);
bool GOMP_loop_static_next(long*, long*);
bool GOMP_loop_guided_start(long, long, long, long, long*, long*);
bool GOMP_loop_guided_next(long*, long*);
bool GOMP_loop_ull_dynamic_start(bool, ull, ull, ull, ull, ull*, ull*);
bool GOMP_loop_ull_dynamic_next(ull*, ull*);
void GOMP_loop_end_nowait(void);
void GOMP_loop_end(void);

static int ran, sum;

static void member(void* data) {
  CHECK(data == &sum && omp_get_num_threads() == 3);
#pragma omp atomic
  ran++;
#pragma omp barrier
  CHECK(ran == 3);
}

static void part(void* data) {
  long a, b;
  while (GOMP_loop_dynamic_next(&a, &b)) {
    for (long i = a; i < b; i += 2) {
#pragma omp atomic
      sum += (int)i;
    }
  }
  GOMP_loop_end_nowait();
}

static void section(void* data) {
  for (unsigned s = GOMP_sections_next(); s != 0; s = GOMP_sections_next()) {
#pragma omp atomic
    sum += (int)s;
  }
}

CASE(region_by_halves) {
  ran = 0;
  GOMP_parallel_start(member, &sum, 3);
  CHECK(omp_get_thread_num() == 0 && omp_get_level() == 1);
  member(&sum);
  GOMP_parallel_end();
  CHECK(omp_get_level() == 0 && ran == 3);
}

CASE(loop_by_halves) {
  sum = 0;
  GOMP_parallel_loop_dynamic_start(part, NULL, 2, 0, 21, 2, 3);
  part(NULL);
  GOMP_parallel_end();
  CHECK(sum == 110);
}

CASE(sections_by_halves) {
  sum = 0;
  GOMP_parallel_sections_start(section, NULL, 2, 5);
  section(NULL);
  GOMP_parallel_end();
  CHECK(sum == 15);
}

CASE(region_by_halves_on_a_worker) {
  int bad = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    ran = 0;
    GOMP_parallel_start(member, &sum, 3);
    member(&sum);
    GOMP_parallel_end();
    bad = ran != 3 || omp_get_level() != 1;
  }
  CHECK(bad == 0);
}

CASE(dynamic_near_the_largest) {
  long a, b, n = 0;
  for (bool more = GOMP_loop_dynamic_start(LONG_MAX - 10, LONG_MAX, 4, 1, &a, &b); more;
       more = GOMP_loop_dynamic_next(&a, &b)) {
    CHECK(a == LONG_MAX - 10 + 4 * n && (b == a + 4 || b == LONG_MAX));
    n++;
  }
  GOMP_loop_end();
  CHECK(n == 3);
}

/* In a team of one, a chunk of a guided loop is all that is left. */
CASE(guided_near_the_least) {
  long a, b, n = 0;
  for (bool more = GOMP_loop_guided_start(LONG_MIN + 3, LONG_MIN, -1, 2, &a, &b); more;
       more = GOMP_loop_guided_next(&a, &b))
    n += a - b;
  GOMP_loop_end();
  CHECK(n == 3);
}

CASE(static_in_one_part) {
  long a, b;
  CHECK(GOMP_loop_static_start(-5, 5, 1, 0, &a, &b) && a == -5 && b == 5 && !GOMP_loop_static_next(&a, &b));
  GOMP_loop_end();
  CHECK(!GOMP_loop_static_start(5, 5, 1, 0, &a, &b));
  GOMP_loop_end();
}

CASE(unsigned_with_huge_steps) {
  ull c, d, m = 0;
  for (bool more = GOMP_loop_ull_dynamic_start(true, 0, ULLONG_MAX, 1ULL << 62, 1, &c, &d); more;
       more = GOMP_loop_ull_dynamic_next(&c, &d))
    m++;
  GOMP_loop_end();
  CHECK(m == 4);
  m = 0;
  for (bool more = GOMP_loop_ull_dynamic_start(false, 10, 0, -3ULL, 2, &c, &d); more;
       more = GOMP_loop_ull_dynamic_next(&c, &d))
    m += c - d;
  GOMP_loop_end();
  CHECK(m == 10);
}

/* A guided loop of n iterations by t threads hands out at most ceil(left / t) of them at once, and never less than the
 * chunk size but at the end. */
CASE(sizes_of_guided_chunks) {
  enum { n = 1000, chunk = 7 };
  static int length[n];
  memset(length, 0, sizeof length);
#pragma omp parallel
  {
    long a, b;
    for (bool more = GOMP_loop_guided_start(0, n, 1, chunk, &a, &b); more; more = GOMP_loop_guided_next(&a, &b))
      length[a] = (int)(b - a);
    GOMP_loop_end();
  }
  const int t = threads_asked();
  int at = 0;
  while (at < n) {
    const int left = n - at, largest = (left + t - 1) / t > chunk ? (left + t - 1) / t : chunk;
    CHECK(length[at] > 0 && length[at] <= largest && (length[at] >= chunk || length[at] == left));
    if (length[at] <= 0) break;
    at += length[at];
  }
  CHECK(at == n);
}

/* libgomp has the next two functions since GCC 13. */
extern void GOMP_taskwait_depend_nowait(void**) __attribute__((weak));
extern int omp_in_explicit_task(void) __attribute__((weak));

/* `taskwait depend(in: x) depend(out: y) nowait` waits for nothing, but a task that depends on y starts after x is
 * written. */
CASE(taskwait_without_a_wait) {
  if (GOMP_taskwait_depend_nowait == NULL) return;
  int x = 0, y = 0, seen = -1;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(x) depend(out : x)
    {
      spin();
      x = 1;
    }
    void* depend[] = {(void*)2, (void*)1, &y, &x};
    GOMP_taskwait_depend_nowait(depend);
#pragma omp task shared(x, seen) depend(in : y)
    seen = x;
  }
  CHECK(x == 1 && seen == 1);
}

CASE(in_explicit_task) {
  if (omp_in_explicit_task == NULL) return;
  int in_task = 0, wrong = omp_in_explicit_task();
#pragma omp parallel reduction(+ : wrong)
  {
    wrong += omp_in_explicit_task();
#pragma omp single
    {
#pragma omp task shared(in_task)
      in_task = omp_in_explicit_task();
    }
  }
  CHECK(wrong == 0 && in_task == 1);
}
