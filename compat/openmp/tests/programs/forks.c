/* Children of fork(2) run regions, while other threads of their parent run regions as well. The argument says how many
 * children there are. */
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int stops, regions;

static int region(void) {
  int sum = 0;
#pragma omp parallel reduction(+ : sum) num_threads(3)
  {
#pragma omp barrier
    sum += omp_get_thread_num();
#pragma omp task
    sum += 0;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) sum += 10;
  }
  return sum;
}

static void* run_regions(void* nothing) {
  while (!stops) {
    if (region() != 43) _Exit(3);
    regions++;
    usleep(100);
  }
  return nothing;
}

int main(int argc, char** argv) {
  const int children = argc == 2 ? atoi(argv[1]) : 100;
  pthread_t others[2];
  for (int i = 0; i < 2; i++) pthread_create(&others[i], NULL, run_regions, NULL);
  for (int i = 0; i < children; i++) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(30);
      _exit(region() == 43 && region() == 43 ? 7 : 1);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 7) {
      fprintf(stderr, "child %d ended with the status %x\n", i, (unsigned)status);
      _Exit(1);
    }
  }
  if (region() != 43) return 2;
  stops = 1;
  for (int i = 0; i < 2; i++) pthread_join(others[i], NULL);
  printf("%d children, %d regions of the parent\n", children, regions);
  return regions > 0 ? 0 : 4;
}
