/* Constructs of OpenMP 5.1 that clang compiles: masked, loop, error; reductions over tasks of all kinds, detached
 * tasks, untied ones, dependences with iterators and omp_all_memory; cancellation of static loops. */
#include "check.h"

static void masked_and_loop(void) {
  int by_1 = 0, by_0 = 0, threads = threads_asked();
#pragma omp parallel
  {
#pragma omp masked filter(1)
    by_1 += 1 + omp_get_thread_num();
#pragma omp masked
    by_0 += 1 + omp_get_thread_num();
  }
  CHECK(by_0 == 1 && by_1 == (threads > 1 ? 2 : 0));
  int seen[100] = {0};
#pragma omp parallel
#pragma omp loop
  for (int i = 0; i < 100; i++) seen[i]++;
  for (int i = 0; i < 100; i++) CHECK(seen[i] == 1);
#pragma omp error at(execution) severity(warning) message("expected")
}

static void copyprivate(void) {
  int same = 0;
#pragma omp parallel reduction(+ : same)
  for (int round = 0; round < 20; round++) {
    int number;
    double value[3];
#pragma omp single copyprivate(number, value)
    {
      number = round;
      for (int i = 0; i < 3; i++) value[i] = round + i;
    }
    same += number == round && value[2] == round + 2;
  }
  CHECK(same == 20 * threads_asked());
}

struct pair {
  double a, b;
};
#pragma omp declare reduction(add : struct pair : omp_out.a += omp_in.a, omp_out.b += omp_in.b) initializer(omp_priv = {0, 0})

/* The blocking form of a reduction, its atomic form and the one in a critical section. */
static void reductions(void) {
  long sum = 0;
  double product = 1;
  struct pair wide = {0, 0};
  int least = 1000, array[4] = {0};
#pragma omp parallel
  {
#pragma omp for reduction(+ : sum) reduction(min : least)
    for (int i = 1; i <= 100; i++) {
      sum += i;
      if (i < least) least = i;
    }
    CHECK(sum == 5050 && least == 1);
#pragma omp for reduction(* : product) reduction(add : wide) reduction(+ : array)
    for (int i = 1; i <= 12; i++) {
      product *= i;
      wide.a += i;
      wide.b -= i;
      array[i % 4]++;
    }
    CHECK(product == 479001600.0 && wide.a == 78 && wide.b == -78 && array[0] == 3);
#pragma omp sections reduction(+ : sum)
    {
      sum++;
#pragma omp section
      sum += 10;
    }
    CHECK(sum == 5061);
  }
}

static void reductions_over_tasks(void) {
  long sum = 0, array[5] = {0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum, array[1 : 3])
    for (int i = 1; i <= 50; i++) {
#pragma omp task in_reduction(+ : sum, array[1 : 3])
      {
        sum += i;
        array[1 + i % 3]++;
#pragma omp task in_reduction(+ : sum)
        sum += 1000;
      }
    }
    CHECK(sum == 1275 + 50000 && array[0] == 0 && array[1] == 16 && array[2] == 17 && array[3] == 17);
#pragma omp taskloop reduction(+ : sum) grainsize(7)
    for (int i = 0; i < 100; i++) sum -= 500;
    CHECK(sum == 1275);
#pragma omp taskgroup task_reduction(* : sum)
#pragma omp taskloop in_reduction(* : sum) num_tasks(4) nogroup
    for (int i = 0; i < 4; i++) sum *= 2;
    CHECK(sum == 1275 * 16);
  }
  long tasks = 0, parts = 0;
#pragma omp parallel reduction(task, + : tasks)
  {
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : tasks)
      tasks += 3;
    }
    tasks++;
  }
  CHECK(tasks == 31L * threads_asked());
#pragma omp parallel
#pragma omp for reduction(task, + : parts) schedule(static, 1)
  for (int i = 0; i < 64; i++) {
#pragma omp task in_reduction(+ : parts)
    parts += i;
  }
  CHECK(parts == 2016);
}

static void detached(void) {
  int order = 0, after = 0, ended = 0;
  omp_event_handle_t event;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task detach(event) depend(out : order)
    order = 1;
#pragma omp task depend(in : order)
    after = order;
#pragma omp task
    {
      CHECK(after == 0);
      omp_fulfill_event(event);
    }
#pragma omp taskwait
    CHECK(after == 1);
    for (int i = 0; i < 20; i++) {
      omp_event_handle_t mine;
#pragma omp task detach(mine) firstprivate(i) shared(ended)
      {
#pragma omp atomic
        ended++;
        omp_fulfill_event(mine);
      }
    }
#pragma omp taskgroup
    {
      omp_event_handle_t late;
#pragma omp task detach(late)
      {
#pragma omp atomic
        ended++;
      }
      omp_fulfill_event(late);
    }
  }
  CHECK(ended == 21);
}

static int fib(int n) {
  if (n < 2) return n;
  int x, y;
#pragma omp task untied shared(x) if (n > 4)
  x = fib(n - 1);
#pragma omp task untied shared(y) final(n < 6) mergeable priority(3)
  y = fib(n - 2);
#pragma omp taskwait
  return x + y;
}

/* libomp 19 fails assertions of its own in untied tasks, and hangs in cancelled reductions. */
static int is_on_libomp(void) { return getenv("TINE_NUM_THREADS") == NULL; }

/* An untied task goes on behind each of its scheduling points, with its private variables. */
static void untied(void) {
  int parts[20] = {0};
#pragma omp parallel
#pragma omp single
  {
    CHECK(fib(14) == 377);
    for (int i = 0; i < 20; i++) {
#pragma omp task untied firstprivate(i) shared(parts)
      {
        int mine = i;
        parts[i] = 1;
#pragma omp taskyield
        int inner = 0;
#pragma omp task shared(inner) firstprivate(mine)
        inner = mine;
#pragma omp taskwait
        parts[i] += inner == i && mine == i ? 1 : 100;
#pragma omp taskyield
        parts[i]++;
      }
    }
#pragma omp taskwait
#pragma omp task untied if (0) shared(parts)
    {
      parts[0] += 10;
#pragma omp taskyield
      parts[0] += 10;
    }
  }
  for (int i = 0; i < 20; i++) CHECK(parts[i] == (i == 0 ? 23 : 3));
}

static void dependences(void) {
  enum { n = 30 };
  int a[n] = {0}, all = 0, set = 0, one = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < n; i++) {
#pragma omp task depend(out : a[i]) firstprivate(i) shared(a) affinity(a[i])
      a[i] = i;
    }
#pragma omp task depend(iterator(k = 0 : n), in : a[k]) shared(all, a)
    for (int i = 0; i < n; i++) all += a[i];
#pragma omp task depend(out : omp_all_memory) shared(all)
    {
      CHECK(all == n * (n - 1) / 2);
      all = -1;
    }
    for (int i = 0; i < 10; i++) {
#pragma omp task depend(inoutset : all) shared(all, set)
      {
        CHECK(all == -1);
#pragma omp atomic
        set++;
      }
    }
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(mutexinoutset : all) shared(one, all, set)
      {
        CHECK(set == 10);
        one++;
      }
    }
    omp_depend_t object;
#pragma omp depobj(object) depend(in : all)
#pragma omp task depend(depobj : object) shared(one)
    CHECK(one == 20);
#pragma omp depobj(object) update(inout)
#pragma omp task depend(depobj : object) shared(one)
    one = 21;
#pragma omp depobj(object) destroy
#pragma omp taskwait depend(in : all)
    CHECK(one == 21);
#pragma omp task depend(out : one) shared(one)
    one = 22;
#pragma omp task if (0) depend(in : one) shared(one)
    CHECK(one == 22);
#pragma omp task depend(out : a[0]) shared(a)
    a[0] = 7;
#pragma omp taskwait depend(in : a[0]) depend(out : a[1]) nowait
#pragma omp task depend(in : a[1]) shared(a)
    CHECK(a[0] == 7);
  }
}

static void taskloops(void) {
  int seen[200] = {0}, last = -1, tasks = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop lastprivate(last) grainsize(13)
    for (int i = 199; i >= 0; i--) {
      seen[i]++;
      last = i;
    }
    CHECK(last == 0);
#pragma omp taskloop num_tasks(9) collapse(2) shared(tasks)
    for (int i = 0; i < 20; i++)
      for (long j = 0; j < 10; j++) seen[i * 10 + j]++;
#pragma omp taskloop if (0)
    for (unsigned i = 0; i < 200; i++) seen[i]++;
#pragma omp taskloop
    for (int i = 5; i < 5; i++) seen[i] = 100;
#pragma omp taskloop simd nogroup
    for (int i = 0; i < 200; i++) seen[i]++;
#pragma omp taskwait
  }
#pragma omp parallel
#pragma omp masked
#pragma omp taskloop
  for (int i = 0; i < 200; i++) seen[i]++;
  for (int i = 0; i < 200; i++) CHECK(seen[i] == 5);
}

/* After each cancelled loop the next one is as usual; its iterations all run. */
static void cancelled_loops(void) {
  int run = 0, full = 0, sections = 0;
#pragma omp parallel
  for (int round = 0; round < 10; round++) {
#pragma omp for
    for (int i = 0; i < 1000; i++) {
#pragma omp atomic
      run++;
#pragma omp cancel for if (i % 4 == 3)
    }
#pragma omp for
    for (int i = 0; i < 100; i++) {
#pragma omp atomic
      full++;
#pragma omp cancellation point for
#pragma omp cancel for if (i < 0) /* without it, clang drops the cancellation point */
    }
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 1000; i++) {
#pragma omp atomic
      run++;
#pragma omp cancel for if (i == 20)
    }
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp cancel sections
#pragma omp atomic
        sections += 1000;
      }
#pragma omp section
#pragma omp atomic
      sections++;
    }
  }
  CHECK(full == 1000);
  if (omp_get_cancellation()) {
    CHECK(run > 0 && run < 20000 && sections <= 10);
  } else {
    CHECK(run == 20000 && sections == 10 * 1001);
  }
}

/* A member that leaves a cancelled loop takes no part in its reduction. The others don't wait for it there. */
static void cancelled_reduction(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp for reduction(+ : sum)
  for (int i = 0; i < 1000; i++) {
    sum++;
#pragma omp cancel for if (i == 0)
  }
  CHECK(omp_get_cancellation() ? sum >= 0 && sum < 1000 : sum == 1000);
}

static void cancelled_regions(void) {
  int behind = 0, tasks = 0;
#pragma omp parallel reduction(+ : behind)
  {
#pragma omp barrier
#pragma omp cancel parallel if (omp_get_thread_num() == 0)
#pragma omp barrier
    behind++;
  }
  CHECK(behind == (omp_get_cancellation() ? 0 : threads_asked()));
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  for (int i = 0; i < 100; i++) {
#pragma omp task shared(tasks) firstprivate(i)
    {
#pragma omp atomic
      tasks++;
#pragma omp cancel taskgroup if (i == 50)
    }
  }
  CHECK(omp_get_cancellation() ? tasks >= 1 && tasks <= 100 : tasks == 100);
}

int main(void) {
  masked_and_loop();
  copyprivate();
  reductions();
  reductions_over_tasks();
  detached();
  if (!is_on_libomp()) untied();
  dependences();
  taskloops();
  cancelled_loops();
  if (!is_on_libomp()) cancelled_reduction();
  cancelled_regions();
  return 0;
}
