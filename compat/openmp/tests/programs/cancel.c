/* Cancellation. With OMP_CANCELLATION=true constructs end early; otherwise they run to their end. */
#include "check.h"

static void loops(int is_on) {
  int ran = 0, after = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 10000; i++) {
#pragma omp atomic
      ran++;
      if (i == 3) {
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
#pragma omp atomic
    after++;
  }
  CHECK(after == threads_asked() && (is_on ? ran < 10000 : ran == 10000));
#pragma omp parallel
#pragma omp sections
  {
#pragma omp section
    {
#pragma omp cancel sections
    }
#pragma omp section
    {
#pragma omp cancellation point sections
    }
  }
}

static void regions(int is_on) {
  int came = 0, passed = 0;
#pragma omp parallel
  {
#pragma omp atomic
    came++;
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
#pragma omp cancel parallel
    }
#pragma omp barrier
#pragma omp atomic
    passed++;
#pragma omp cancellation point parallel
  }
  CHECK(came == threads_asked() && (is_on ? passed < came : passed == came));
}

static void groups(int is_on) {
  int ran = 0, others = 0;
#pragma omp parallel
#pragma omp master
  {
#pragma omp task shared(others)
    others++;
#pragma omp taskgroup
    for (int i = 0; i < 1000; i++) {
#pragma omp task shared(ran)
      {
#pragma omp atomic
        ran++;
#pragma omp cancel taskgroup
      }
      if (i % 100 == 99) {
#pragma omp task
        {
#pragma omp cancellation point taskgroup
        }
      }
    }
  }
  CHECK(others == 1 && ran >= 1 && (is_on ? ran < 1000 : ran == 1000));
}

int main(void) {
  const int is_on = omp_get_cancellation();
  for (int i = 0; i < 10; i++) {
    loops(is_on);
    regions(is_on);
    groups(is_on);
  }
  return 0;
}
