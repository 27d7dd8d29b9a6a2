/* Programs that break OpenMP's rules, one for each argument: a message or a result, never a hang. */
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

void GOMP_parallel_end(void);
void GOMP_taskgroup_end(void);
void GOMP_critical_end(void);

static int region(void) {
  int sum = 0;
#pragma omp parallel reduction(+ : sum) num_threads(3)
  {
#pragma omp barrier
    sum += omp_get_thread_num();
  }
  return sum;
}

static void forks(void) {
  CHECK(region() == 3);
  for (int i = 0; i < 20; i++) {
    const pid_t child = fork();
    if (child == 0) _exit(region() == 3 ? 7 : 1);
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
  }
  CHECK(region() == 3);
}

int main(int argc, char** argv) {
  const char* const what = argv[1];
  volatile int threads = -2;
  if (!strcmp(what, "parallel_end")) GOMP_parallel_end();
  if (!strcmp(what, "taskgroup_end")) GOMP_taskgroup_end();
  if (!strcmp(what, "critical_end")) {
    GOMP_critical_end();
#pragma omp parallel num_threads(3)
#pragma omp critical
    threads++;
    CHECK(threads == 1);
  }
  if (!strcmp(what, "negative")) {
#pragma omp parallel num_threads(threads)
    threads = 0;
  }
  if (!strcmp(what, "set_negative")) {
    omp_set_num_threads(threads);
    CHECK(omp_get_max_threads() == 1 && region() == 3);
  }
  if (!strcmp(what, "exit")) {
#pragma omp parallel num_threads(4)
    {
      if (omp_get_thread_num() == 2) exit(3);
#pragma omp barrier
    }
  }
  if (!strcmp(what, "barrier_in_task")) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
      void GOMP_barrier(void);
#pragma omp task
      GOMP_barrier();
    }
  }
  if (!strcmp(what, "fork")) forks();
  puts("end");
  return 0;
}
