/* threadprivate variables: each thread has its own, which it finds again in the next region of as many threads. A task
 * sees those of the thread whose number it has. */
#include "cases.h"

static int mine, row[3], wrong;
#pragma omp threadprivate(mine, row)

static void expect_mine(void) {
  if (mine == omp_get_thread_num()) return;
#pragma omp atomic
  wrong++;
}

static void number_threads(void) {
  wrong = 0;
#pragma omp parallel
  mine = omp_get_thread_num();
}

static void tree(int depth) {
  expect_mine();
  if (depth == 0) return;
#pragma omp task
  tree(depth - 1);
#pragma omp task
  tree(depth - 1);
#pragma omp taskwait
  expect_mine();
}

CASE(kept_between_regions) {
  const int n = threads_asked();
  int sum = 0;
  number_threads();
#pragma omp parallel reduction(+ : sum)
  sum += mine;
  CHECK(sum == n * (n - 1) / 2);
#pragma omp parallel
  {
#pragma omp barrier
    expect_mine();
  }
  CHECK(wrong == 0);
}

CASE(seen_by_tasks) {
  number_threads();
#pragma omp parallel
#pragma omp single
  tree(8);
  CHECK(wrong == 0);
}

CASE(seen_by_constructs) {
  number_threads();
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; ++i) expect_mine();
#pragma omp critical
    expect_mine();
#pragma omp sections
    {
#pragma omp section
      expect_mine();
#pragma omp section
      expect_mine();
    }
#pragma omp taskloop
    for (int i = 0; i < 20; ++i) expect_mine();
  }
  CHECK(wrong == 0);
}

CASE(copyin) {
  const int n = threads_asked();
  int copied = 0;
  row[1] = 7;
#pragma omp parallel copyin(row) reduction(+ : copied)
  copied += row[1];
  CHECK(copied == 7 * n);
  row[1] = 8;
  copied = 0;
#pragma omp parallel reduction(+ : copied)
  copied += row[1]; /* only the first thread's is this one */
  CHECK(copied == 7 * n + 1);
}

CASE(copyprivate) {
  wrong = 0;
#pragma omp parallel
  {
    mine = 1;
#pragma omp single copyprivate(mine)
    mine = 1000;
    if (mine != 1000) {
#pragma omp atomic
      wrong++;
    }
  }
  CHECK(wrong == 0);
}

/* Members of nested teams have variables of their own, too. */
CASE(in_nested_teams) {
  wrong = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    mine = 10 * omp_get_thread_num();
    const int outer = mine;
#pragma omp parallel num_threads(3)
    {
      mine = outer + omp_get_thread_num();
#pragma omp barrier
      if (mine != outer + omp_get_thread_num()) {
#pragma omp atomic
        wrong++;
      }
    }
    if (mine != outer) { /* the first member of the inner team is this thread */
#pragma omp atomic
      wrong++;
    }
  }
  CHECK(wrong == 0);
}
