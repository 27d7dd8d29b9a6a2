/* Threads that spin until another one has written: they must run at once. */
#include "cases.h"

#include <sched.h>

CASE(each_waits_for_the_next) {
  enum { rounds = 20 };
  volatile int reached[most_threads] = {0};
  int ended = 0;
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), next = (me + 1) % omp_get_num_threads();
    for (int r = 1; r <= rounds; ++r) {
      reached[me] = r;
#pragma omp flush
      while (reached[next] < r) {
        sched_yield();
#pragma omp flush
      }
#pragma omp barrier
    }
#pragma omp atomic
    ended++;
  }
  CHECK(ended == threads_asked());
}
