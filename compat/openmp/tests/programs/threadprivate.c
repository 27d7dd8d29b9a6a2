/* threadprivate variables: each thread has its own, which it finds again in the next region of as many threads. A task
 * sees those of the thread whose number it has. */
#include "check.h"

static int mine, row[3];
#pragma omp threadprivate(mine, row)

static int wrong;

static void expect_mine(void) {
  if (mine == omp_get_thread_num()) return;
#pragma omp atomic
  wrong++;
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

int main(void) {
  int sum = 0, copied = 0;
  const int n = omp_get_max_threads();

#pragma omp parallel
  {
    mine = omp_get_thread_num();
#pragma omp barrier
    expect_mine();
  }
#pragma omp parallel reduction(+ : sum)
  sum += mine;
  CHECK(sum == n * (n - 1) / 2);

#pragma omp parallel
  {
#pragma omp single
    tree(10);
    expect_mine();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; ++i) expect_mine();
#pragma omp critical
    expect_mine();
  }
  CHECK(wrong == 0);

  row[1] = 7;
#pragma omp parallel copyin(row) reduction(+ : copied)
  copied += row[1];
  CHECK(copied == 7 * n);
  row[1] = 8;
  copied = 0;
#pragma omp parallel reduction(+ : copied)
  copied += row[1]; /* only the first thread's is this one */
  CHECK(copied == 7 * n + 1);

#pragma omp parallel
  {
#pragma omp single copyprivate(mine)
    mine = 1000;
    if (mine != 1000) {
#pragma omp atomic
      wrong++;
    }
  }
  CHECK(wrong == 0);

  /* members of nested teams have variables of their own, too */
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
  return 0;
}
