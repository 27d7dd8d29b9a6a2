/* Two locks, which two iterations of a loop take in opposite orders. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

int main(void) {
  int sum = 0;
#pragma omp parallel for num_threads(2) ordered
  for (int i = 0; i < 2; ++i) {
#pragma omp ordered
    {
      pthread_mutex_lock(&locks[i]);
      pthread_mutex_lock(&locks[1 - i]);
      sum += i;
      pthread_mutex_unlock(&locks[1 - i]);
      pthread_mutex_unlock(&locks[i]);
    }
  }
  printf("%d\n", sum);
}
