/* Explicit tasks: their arguments, clauses, waits and groups, events, and the thread numbers under which they run. */
#include "cases.h"

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define IN_TEAM PRAGMA(omp parallel) PRAGMA(omp single)

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
CASE(fibonacci) {
  long x = 0;
  IN_TEAM
  x = fib(14);
  CHECK(x == 377);
  CHECK(fib(8) == 21);
}

/* Arguments of each size reach the task as they are when it is made. */
#define BYTES(n)                                         \
  CASE(bytes_##n) {                                      \
    struct {                                             \
      char c[n];                                         \
    } v;                                                 \
    int good = 0;                                        \
    IN_TEAM for (int k = 0; k < 10; k++) {               \
      memset(&v, k, sizeof v);                           \
      PRAGMA(omp task firstprivate(v, k) shared(good)) { \
        int all = 1;                                     \
        for (int i = 0; i < n; i++) all &= v.c[i] == k;  \
        memset(&v, 99, sizeof v);                        \
        PRAGMA(omp atomic) good += all;                  \
      }                                                  \
    }                                                    \
    CHECK(good == 10);                                   \
  }
BYTES(1)
BYTES(3)
BYTES(8)
BYTES(13)
BYTES(16)
BYTES(40)
BYTES(250)
BYTES(5000)

CASE(large_alignment) {
  _Alignas(32) long v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int good = 0;
  IN_TEAM for (int k = 0; k < 5; k++) {
#pragma omp task firstprivate(v) shared(good)
    {
#pragma omp atomic
      good += v[0] == 1 && v[7] == 8;
    }
  }
  CHECK(good == 5);
}

CASE(each_once) {
  static int ran[10000];
  int good = 0;
  memset(ran, 0, sizeof ran);
  IN_TEAM for (int i = 0; i < 10000; i++) {
#pragma omp task untied priority(i % 3)
    ran[i]++;
  }
  for (int i = 0; i < 10000; i++) good += ran[i] == 1;
  CHECK(good == 10000);
}

CASE(made_by_all_members) {
  int done = 0, bad = 0;
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
#pragma omp atomic
    bad += done != 50 * omp_get_num_threads();
  }
  CHECK(bad == 0);
}

/* The end of a region, and of a worksharing construct, waits for tasks as a barrier does. */
CASE(awaited_by_barriers) {
  int x = 0, bad = 0;
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp task shared(x)
      {
        spin();
#pragma omp task shared(x)
        {
          spin();
#pragma omp atomic
          x++;
        }
#pragma omp atomic
        x++;
      }
    }
#pragma omp atomic
    bad += x != 2;
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(x)
      {
#pragma omp atomic
        x++;
      }
    }
#pragma omp atomic
    bad += x != 22;
  }
  CHECK(bad == 0 && x == 22);
}

CASE(taskwait_waits_for_children) {
  int bad = 0;
  IN_TEAM for (int k = 0; k < 50; k++) {
    int done = 0;
    for (int i = 0; i < 7; i++) {
#pragma omp task shared(done)
      {
        spin();
#pragma omp atomic
        done++;
      }
    }
#pragma omp taskwait
    bad += done != 7;
  }
  CHECK(bad == 0);
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
/* A group waits for descendants, too. */
CASE(taskgroups) {
  int bad = 0;
  IN_TEAM {
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
      bad += inner != 1;
#pragma omp taskwait
      tree(3, &leaves);
    }
    bad += leaves != 729 + 27;
  }
  CHECK(bad == 0);
}

CASE(groups_in_tasks) {
  int total = 0, bad = 0;
  IN_TEAM for (int k = 0; k < 12; k++) {
#pragma omp task shared(total, bad)
    {
      int mine = 0;
#pragma omp taskgroup
      for (int i = 0; i < 5; i++) {
#pragma omp task shared(mine)
        {
#pragma omp task shared(mine)
          {
#pragma omp atomic
            mine++;
          }
        }
      }
#pragma omp atomic
      bad += mine != 5;
#pragma omp atomic
      total += mine;
    }
  }
  CHECK(bad == 0 && total == 60);
}

CASE(undeferred) {
  int x = 0, order = 0;
  IN_TEAM {
#pragma omp task if (0) shared(x, order)
    {
      x = 1;
#pragma omp task shared(x)
      x += omp_in_final() ? 100 : 1;
#pragma omp taskwait
      order = 1;
    }
    CHECK(x == 2 && order == 1);
  }
}

/* All descendants of a final task are final, and run at once in the thread that meets them. */
CASE(final_and_included) {
  int bad = 0, ran = 0;
  IN_TEAM {
#pragma omp task final(1) shared(bad, ran)
    {
      const int me = omp_get_thread_num();
      bad += !omp_in_final();
      for (int i = 0; i < 5; i++) {
        const int before = ran;
#pragma omp task shared(bad, ran)
        {
          bad += !omp_in_final() || omp_get_thread_num() != me;
#pragma omp task mergeable shared(bad, ran)
          bad += !omp_in_final();
          ran++;
        }
        bad += ran != before + 1;
      }
    }
#pragma omp taskwait
#pragma omp task final(0) shared(bad)
    bad += omp_in_final();
  }
  CHECK(bad == 0 && ran == 5 && !omp_in_final());
}

/* No two tasks that run at once have the same thread number, and each has one of the team. */
static int busy[most_threads], strange;
static long spent[most_threads];
static void alone(int depth) {
  const int me = omp_get_thread_num();
  if (__atomic_fetch_add(&busy[me], 1, __ATOMIC_SEQ_CST) != 0) __atomic_fetch_add(&strange, 1, __ATOMIC_RELAXED);
  for (volatile int i = 0; i < 100; i++) spent[me]++;
  if (__atomic_fetch_sub(&busy[me], 1, __ATOMIC_SEQ_CST) != 1) __atomic_fetch_add(&strange, 1, __ATOMIC_RELAXED);
  if (depth == 0) return;
#pragma omp task
  alone(depth - 1);
#pragma omp task
  alone(depth - 1);
#pragma omp taskwait
  if (omp_get_thread_num() != me) __atomic_fetch_add(&strange, 1, __ATOMIC_RELAXED); /* a tied task stays */
}
CASE(numbers_of_tasks) {
  long all = 0;
  memset(spent, 0, sizeof spent);
  strange = 0;
#pragma omp parallel
  {
#pragma omp single
    alone(7);
#pragma omp single nowait
    alone(6);
  }
  for (int i = 0; i < most_threads; i++) all += spent[i];
  CHECK(strange == 0 && all == 100 * (255 + 127));
  for (int i = threads_asked(); i < most_threads; i++) CHECK(spent[i] == 0);
}

CASE(queries_in_tasks) {
  int bad = 0;
  const int n = threads_asked();
  omp_set_max_active_levels(2);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp task shared(bad)
    {
      const int wrong = omp_get_num_threads() != n || omp_get_level() != 1 || omp_get_team_size(1) != n ||
                        omp_get_ancestor_thread_num(1) != omp_get_thread_num() || omp_in_parallel() != (n > 1);
#pragma omp atomic
      bad += wrong;
    }
  }
  CHECK(bad == 0);
}

CASE(taskyield) {
  int ran = 0;
  IN_TEAM for (int i = 0; i < 200; i++) {
#pragma omp task shared(ran)
    {
#pragma omp taskyield
#pragma omp atomic
      ran++;
    }
    if (i % 10 == 0) {
#pragma omp taskyield
    }
  }
  CHECK(ran == 200);
}

CASE(deep_chain) {
  int depth = 0;
  IN_TEAM {
#pragma omp taskgroup
    {
      struct {
        int left;
      } s = {2000};
      void descend(int left, int* count);
#pragma omp task shared(depth) firstprivate(s)
      descend(s.left, &depth);
    }
  }
  CHECK(depth == 2001);
}
void descend(int left, int* count) {
#pragma omp atomic
  ++*count;
  if (left == 0) return;
#pragma omp task
  descend(left - 1, count);
}

/* The parent ends before its child, whose data must not be on the parent's stack. */
CASE(child_outlives_parent) {
  int sum = 0;
  IN_TEAM for (int k = 0; k < 30; k++) {
#pragma omp task shared(sum)
    {
      int local[10];
      for (int i = 0; i < 10; i++) local[i] = k + i;
#pragma omp task firstprivate(local) shared(sum)
      {
        int mine = 0;
        spin();
        for (int i = 0; i < 10; i++) mine += local[i];
#pragma omp atomic
        sum += mine;
      }
      memset(local, 0, sizeof local);
    }
  }
  CHECK(sum == 10 * 435 + 30 * 45);
}

CASE(tasks_outside_of_regions) {
  int sum = 0;
  for (int i = 0; i < 10; i++) {
#pragma omp task shared(sum)
    sum += i;
  }
#pragma omp taskwait
#pragma omp taskgroup
  {
#pragma omp task shared(sum)
#pragma omp task shared(sum)
    sum += 100;
  }
  CHECK(sum == 145);
}

CASE(member_creates_while_others_wait) {
  int bad = 0;
  for (int k = 0; k < 20; k++) {
    int sum = 0;
#pragma omp parallel
    {
#pragma omp masked
      for (int i = 0; i < 30; i++) {
#pragma omp task shared(sum)
        {
          if (i % 10 == 0) spin();
#pragma omp atomic
          sum += i;
        }
      }
    }
    bad += sum != 435;
  }
  CHECK(bad == 0);
}

/* Control variables of a task start with those of its parent at the moment when it was made. */
CASE(control_variables) {
  int bad = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    for (int i = 1; i < 10; i++) {
      omp_set_num_threads(i);
#pragma omp task firstprivate(i) shared(bad)
      {
        const int wrong = omp_get_max_threads() != i;
        omp_set_num_threads(99);
#pragma omp task shared(bad)
        {
          const int child = omp_get_max_threads() != 99;
#pragma omp atomic
          bad += child;
        }
#pragma omp atomic
        bad += wrong;
      }
    }
#pragma omp taskwait
    bad += omp_get_max_threads() != 9;
  }
  CHECK(bad == 0 && omp_get_max_threads() == threads_asked());
}

/* Detached tasks: the event is fulfilled by another task, by the task itself, before or after its body has ended. */
CASE(detached_fulfilled_by_a_sibling) {
  int bad = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int k = 0; k < 20; k++) {
    int x = 0, after = 0;
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x) shared(x)
    x = 1;
#pragma omp task depend(in : x) shared(x, after)
    after = x + 1;
#pragma omp task firstprivate(event)
    {
      spin();
      omp_fulfill_event(event);
    }
#pragma omp taskwait
    bad += after != 2;
  }
  CHECK(bad == 0);
}
CASE(detached_fulfilled_by_itself) {
  int x = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp taskgroup
    {
#pragma omp task detach(event) shared(x)
      {
        omp_fulfill_event(event);
        spin();
        x = 5;
      }
    }
    CHECK(x == 5);
  }
}
CASE(detached_fulfilled_by_the_parent) {
  int bad = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int k = 0; k < 20; k++) {
    int x = 0;
    omp_event_handle_t event;
#pragma omp task detach(event) shared(x)
    {
#pragma omp atomic write
      x = 1;
    }
    if (k % 2) spin();
    omp_fulfill_event(event);
#pragma omp taskwait
    bad += x != 1;
  }
  CHECK(bad == 0);
}
CASE(detached_fulfilled_by_another_member) {
  int bad = 0;
  for (int k = 0; k < 10; k++) {
    omp_event_handle_t event;
    omp_lock_t is_made;
    int x = 0;
    omp_init_lock(&is_made);
    omp_set_lock(&is_made);
#pragma omp parallel num_threads(2) shared(event)
    {
      if (omp_get_thread_num() == 0) {
#pragma omp task detach(event) shared(x)
        x = 3;
        omp_unset_lock(&is_made);
#pragma omp taskwait
        bad += x != 3;
      } else {
        omp_set_lock(&is_made);
        if (k % 2) spin();
        omp_fulfill_event(event);
      }
    }
    omp_destroy_lock(&is_made);
  }
  CHECK(bad == 0);
}
/* Many events are open at once; tasks that depend on them form a chain. */
CASE(detached_chain) {
  int log[15], n = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    omp_event_handle_t events[15];
    int x = 0;
    for (int i = 0; i < 15; i++) {
      omp_event_handle_t event;
#pragma omp task detach(event) depend(inout : x) shared(log, n)
      log[n++] = i;
      events[i] = event;
    }
    for (int i = 14; i >= 0; i--) {
      const omp_event_handle_t event = events[i];
#pragma omp task firstprivate(event)
      omp_fulfill_event(event);
    }
#pragma omp taskwait
  }
  for (int i = 0; i < 15; i++) CHECK(n == 15 && log[i] == i);
}
