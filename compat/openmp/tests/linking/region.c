/* A library that uses OpenMP, and with -DMAIN a program: on how many threads of the system does a team of four run? */
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int threads_of_a_team(void) {
  long ids[4] = {0};
  int distinct = 0;
#pragma omp parallel num_threads(4)
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 4; ++i) ids[i] = syscall(SYS_gettid);
  }
  for (int i = 0; i < 4; ++i) {
    int is_new = 1;
    for (int k = 0; k < i; ++k) is_new &= ids[k] != ids[i];
    distinct += is_new;
  }
  return distinct;
}

#ifdef MAIN
int main(void) {
  printf("%d\n", threads_of_a_team());
  return 3;
}
#endif
