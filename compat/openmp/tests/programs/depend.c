/* Dependences between tasks, events of detached tasks, and reductions over tasks. */
#include "check.h"

static void spin(void) {
  for (volatile int i = 0; i < 2000; i++) {
  }
}

static void chain(void) {
  int x = 0, log[50], n = 0;
  for (int i = 0; i < 50; i++) {
#pragma omp task depend(inout : x) shared(log, n)
    log[n++] = i;
  }
#pragma omp taskwait
  for (int i = 0; i < 50; i++) CHECK(log[i] == i);
}

static void readers(void) {
  int x = 0, sum = 0;
  for (int round = 1; round <= 5; round++) {
#pragma omp task depend(out : x) shared(x)
    {
      spin();
      x = round;
    }
    for (int i = 0; i < 4; i++) {
#pragma omp task depend(in : x) shared(x, sum)
      {
        CHECK(x == round);
        spin();
#pragma omp atomic
        sum += x;
      }
    }
  }
#pragma omp taskwait
  CHECK(sum == 60);
}

static void wavefront(void) {
  static long g[9][9];
  for (int i = 0; i < 9; i++) g[i][0] = g[0][i] = 1;
  for (int i = 1; i < 9; i++)
    for (int j = 1; j < 9; j++) {
#pragma omp task depend(in : g[i - 1][j], g[i][j - 1]) depend(out : g[i][j])
      {
        spin();
        g[i][j] = g[i - 1][j] + g[i][j - 1];
      }
    }
#pragma omp taskwait
  CHECK(g[8][8] == 12870);
}

static void exclusive(void) {
  int x = 0, y = 0, n = 0;
#pragma omp task depend(out : x) shared(n)
  n = 1;
  for (int i = 0; i < 10; i++) {
#pragma omp task depend(mutexinoutset : x, y) shared(n)
    {
      const int before = n;
      spin();
      n = before + 1;
    }
  }
#pragma omp task depend(in : x) shared(n)
  CHECK(n == 11);
#pragma omp taskwait
}

static void objects(void) {
  int x = 0;
  omp_depend_t d;
#pragma omp depobj(d) depend(inout : x)
  for (int i = 0; i < 5; i++) {
#pragma omp task depend(depobj : d) shared(x)
    x = x * 2 + 1;
  }
#pragma omp taskwait
  CHECK(x == 31);
#pragma omp depobj(d) update(in)
#pragma omp task depend(depobj : d) shared(x)
  CHECK(x == 31);
#pragma omp taskwait
#pragma omp depobj(d) destroy
}

static void waits(void) {
  int x = 0, y = 0;
#pragma omp task depend(out : x) shared(x)
  {
    spin();
    x = 1;
  }
#pragma omp task depend(out : y) shared(y)
  {
    spin();
    y = 1;
  }
#pragma omp taskwait depend(in : x)
  CHECK(x == 1);
#pragma omp task if (0) depend(inout : y) shared(y)
  y++;
  CHECK(y == 2);
#pragma omp taskgroup
  {
#pragma omp task depend(inout : y) shared(y)
    y++;
  }
  CHECK(y == 3);
}

static void detached(void) {
  int x = 0, after = 0;
  omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x) shared(x)
  x = 1;
#pragma omp task depend(in : x) shared(x, after)
  after = x;
#pragma omp task shared(x) firstprivate(event)
  {
    spin();
    omp_fulfill_event(event);
  }
#pragma omp taskwait
  CHECK(after == 1);
#pragma omp taskgroup
  {
#pragma omp task detach(event) shared(x)
    {
      x = 5;
      omp_fulfill_event(event);
    }
  }
  CHECK(x == 5);
}

static void reductions(void) {
  int sum = 0;
  long product[2] = {1, 1};
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(* : product)
  {
    for (int i = 1; i <= 12; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(* : product)
      {
        spin();
        sum += i;
        product[i % 2] *= i;
#pragma omp task in_reduction(+ : sum)
        sum += 100;
      }
    }
  }
  CHECK(sum == 78 + 1200 && product[0] == 46080 && product[1] == 10395);
}

int main(void) {
#pragma omp parallel
#pragma omp master
  for (int i = 0; i < 5; i++) {
    chain();
    readers();
    wavefront();
    exclusive();
    objects();
    waits();
    if (omp_get_num_threads() > 1 || i == 0) detached();
    reductions();
  }
  chain();
  wavefront();
  exclusive();
  int sum = 0, loop = 0, sections = 0;
#pragma omp parallel reduction(task, + : sum)
  {
#pragma omp task in_reduction(+ : sum)
    sum++;
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
      sum++;
    }
#pragma omp for reduction(task, + : loop)
    for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : loop)
      loop += i;
    }
    CHECK(loop == 190);
#pragma omp sections reduction(task, + : sections)
    {
#pragma omp section
      {
#pragma omp task in_reduction(+ : sections)
        sections += 4;
      }
#pragma omp section
      sections++;
    }
    CHECK(sections == 5);
  }
  CHECK(sum == 11 * threads_asked());
  return 0;
}
