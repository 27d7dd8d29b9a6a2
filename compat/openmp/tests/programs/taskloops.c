/* Taskloops: how iterations are divided into tasks, the clauses, and the group around them. */
#include "cases.h"

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define IN_TEAM PRAGMA(omp parallel) PRAGMA(omp single)

enum { most = 1000 };
static int times[most], owner[most], tasks;

static void forget(void) {
  memset(times, 0, sizeof times);
  memset(owner, -1, sizeof owner);
  tasks = 0;
}
static int each_once(int n) {
  for (int i = 0; i < most; i++)
    if (times[i] != (i < n)) return 0;
  return 1;
}

/* A task numbers itself at its first iteration: its private copy of `mine` is still -1. */
#define COUNTED(n, ...)                                                                       \
  {                                                                                           \
    int mine = -1;                                                                            \
    forget();                                                                                 \
    IN_TEAM PRAGMA(omp taskloop firstprivate(mine) __VA_ARGS__) for (int i = 0; i < n; i++) { \
      if (mine < 0) mine = __atomic_fetch_add(&tasks, 1, __ATOMIC_RELAXED);                   \
      __atomic_fetch_add(&times[i], 1, __ATOMIC_RELAXED);                                     \
      owner[i] = mine;                                                                        \
    }                                                                                         \
    CHECK(each_once(n));                                                                      \
  }
static int least_run(int n) {
  int least = n, size = 0;
  for (int i = 0; i < n; i++) {
    size++;
    if (i + 1 < n && owner[i + 1] == owner[i]) continue;
    least = size < least ? size : least;
    size = 0;
  }
  return least;
}
static int largest_run(int n) {
  int largest = 0, size = 0;
  for (int i = 0; i < n; i++) {
    size++;
    if (i + 1 < n && owner[i + 1] == owner[i]) continue;
    largest = size > largest ? size : largest;
    size = 0;
  }
  return largest;
}

static const int lengths[] = {1, 2, 9, 10, 11, 99, 100, 257};
#define FOR_LENGTHS for (unsigned k = 0; k < sizeof lengths / sizeof *lengths; k++)

CASE(by_default) {
  FOR_LENGTHS {
    const int n = lengths[k];
    COUNTED(n, )
    CHECK(tasks >= 1 && tasks <= n);
  }
}

/* A grain size g: each task has at least g and less than 2 g iterations, if there are that many. */
CASE(grainsize) {
  FOR_LENGTHS {
    const int n = lengths[k];
    COUNTED(n, grainsize(10))
    CHECK(n < 10 ? tasks == 1 : least_run(n) >= 10 && largest_run(n) < 20);
    COUNTED(n, grainsize(1))
    CHECK(tasks == n);
    COUNTED(n, grainsize(2000))
    CHECK(tasks == 1);
  }
}
CASE(num_tasks) {
  FOR_LENGTHS {
    const int n = lengths[k];
    COUNTED(n, num_tasks(7))
    CHECK(tasks == (n < 7 ? n : 7));
    COUNTED(n, num_tasks(1))
    CHECK(tasks == 1);
    COUNTED(n, num_tasks(500))
    CHECK(tasks == n);
  }
}
/* Strictly: all tasks but the last have g iterations, or as many as an even division rounded up. */
CASE(strict_grainsize) {
  FOR_LENGTHS {
    const int n = lengths[k];
    COUNTED(n, grainsize(strict : 10))
    CHECK(tasks == (n + 9) / 10);
    for (int i = 0; i < n; i++) CHECK(owner[i] == owner[i - i % 10]);
  }
}
CASE(strict_num_tasks) {
  FOR_LENGTHS {
    const int n = lengths[k];
    COUNTED(n, num_tasks(strict : 7))
    CHECK(tasks == (n < 7 ? n : 7) && largest_run(n) - least_run(n) <= 1);
  }
}

CASE(variables_as_arguments) {
  volatile int grain = 4;
  COUNTED(40, grainsize(grain))
  CHECK(tasks <= 10 && tasks >= 6);
  COUNTED(40, num_tasks(grain))
  CHECK(tasks == 4);
}

CASE(waits_at_its_end) {
  int bad = 0;
  IN_TEAM for (int k = 0; k < 20; k++) {
    int sum = 0;
#pragma omp taskloop grainsize(2) shared(sum)
    for (int i = 0; i < 20; i++) {
      if (i % 7 == 0) spin();
#pragma omp atomic
      sum += i;
#pragma omp task shared(sum)
      {
        spin();
#pragma omp atomic
        sum += 100;
      }
    }
    bad += sum != 190 + 2000;
  }
  CHECK(bad == 0);
}

CASE(nogroup) {
  int sum = 0, bad = 0;
  IN_TEAM {
#pragma omp taskloop nogroup num_tasks(5)
    for (int i = 0; i < 50; i++) {
#pragma omp atomic
      sum += i;
    }
#pragma omp taskwait
    bad += sum != 1225;
#pragma omp taskgroup
    {
#pragma omp taskloop nogroup
      for (int i = 0; i < 50; i++) {
#pragma omp atomic
        sum += i;
      }
    }
    bad += sum != 2450;
  }
  CHECK(bad == 0);
}

CASE(lastprivate) {
  long last = -1;
  int first = 5, bad = 0;
  IN_TEAM {
#pragma omp taskloop lastprivate(last) firstprivate(first) grainsize(3)
    for (long i = 0; i < 100; i++) {
      last = i * first;
      if (i % 10 == 9) spin();
    }
    bad += last != 495;
#pragma omp taskloop collapse(2) lastprivate(last) num_tasks(3)
    for (int i = 0; i < 5; i++)
      for (int j = 8; j > 0; j -= 3) last = i * 10 + j;
    bad += last != 42;
  }
  CHECK(bad == 0);
}

CASE(private_and_shared) {
  int x = 9, sum = 0, a[4] = {1, 2, 3, 4};
  IN_TEAM {
#pragma omp taskloop private(x) firstprivate(a) shared(sum) num_tasks(6)
    for (int i = 0; i < 60; i++) {
      x = i;
      a[0]++;
#pragma omp atomic
      sum += x + a[3];
    }
  }
  CHECK(x == 9 && sum == 1770 + 240 && a[0] == 1);
}

/* Without deferral everything runs in the thread that meets the loop; in a final one, so do the descendants. */
CASE(if_and_final) {
  int bad = 0, ran = 0;
  IN_TEAM {
    const int me = omp_get_thread_num();
#pragma omp taskloop if (0) shared(bad, ran)
    for (int i = 0; i < 20; i++) {
      bad += omp_get_thread_num() != me;
      ran++;
    }
#pragma omp taskloop final(1) shared(bad, ran)
    for (int i = 0; i < 20; i++) {
      bad += !omp_in_final();
#pragma omp task shared(bad)
      {
#pragma omp atomic
        bad += !omp_in_final();
      }
#pragma omp atomic
      ran++;
    }
  }
  CHECK(bad == 0 && ran == 40);
}

CASE(clauses_of_tasks) {
  int ran = 0;
  IN_TEAM {
#pragma omp taskloop untied mergeable priority(2)
    for (int i = 0; i < 30; i++) {
#pragma omp atomic
      ran++;
    }
#pragma omp taskloop simd
    for (int i = 0; i < 30; i++) {
      times[i] = i;
    }
  }
  CHECK(ran == 30 && times[29] == 29);
}

CASE(nested) {
  int sum = 0;
  IN_TEAM {
#pragma omp taskloop grainsize(2)
    for (int i = 0; i < 10; i++) {
      int mine = 0;
#pragma omp taskloop reduction(+ : mine) num_tasks(3)
      for (int j = 0; j < 10; j++) mine += i * j;
#pragma omp atomic
      sum += mine;
    }
  }
  CHECK(sum == 45 * 45);
}

CASE(of_every_member) {
  int sum = 0;
#pragma omp parallel
  {
#pragma omp taskloop
    for (int i = 0; i < 20; i++) {
#pragma omp atomic
      sum += i;
    }
  }
  CHECK(sum == 190 * threads_asked());
}

CASE(outside_of_regions) {
  int sum = 0;
#pragma omp taskloop reduction(+ : sum)
  for (int i = 0; i < 20; i++) sum += i;
#pragma omp taskloop grainsize(3) shared(sum)
  for (int i = 19; i >= 0; i--) sum += i;
  CHECK(sum == 380);
}

CASE(copied_at_once) {
  int bad = 0;
  IN_TEAM for (int k = 0; k < 10; k++) {
    int big[200];
    for (int i = 0; i < 200; i++) big[i] = k;
#pragma omp taskloop nogroup firstprivate(big) shared(bad) num_tasks(4)
    for (int i = 0; i < 200; i++) {
      if (big[i] != k) {
#pragma omp atomic
        bad++;
      }
    }
    memset(big, -1, sizeof big);
  }
  CHECK(bad == 0);
}
