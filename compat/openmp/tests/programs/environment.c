/* Prints the control variables with which a program starts. run.py sets the environment, and knows the line. */
#include <omp.h>
#include <stdio.h>

int main(void) {
  omp_sched_t kind;
  int chunk, nested = 0, deeper = 0;
  omp_get_schedule(&kind, &chunk);
  printf(
      "threads %d, dynamic %d, levels %d, schedule %d %d%s, limit %d, priority %d, cancellation %d, teams %d %d, allocator %d, device %d",
      omp_get_max_threads(), omp_get_dynamic(), omp_get_max_active_levels(), (int)((unsigned)kind & 15U), chunk,
      (unsigned)kind & (unsigned)omp_sched_monotonic ? " monotonic" : "", omp_get_thread_limit(),
      omp_get_max_task_priority(), omp_get_cancellation(), omp_get_max_teams(), omp_get_teams_thread_limit(),
      (int)omp_get_default_allocator(), omp_get_default_device());
#pragma omp parallel
#pragma omp single
  {
    nested = omp_get_max_threads();
#pragma omp parallel
#pragma omp single
    deeper = omp_get_max_threads();
  }
  printf(", nested %d %d\n", nested, deeper);
  return 0;
}
