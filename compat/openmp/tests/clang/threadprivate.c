/* Variables of threads without thread-local storage: clang's option -fnoopenmp-use-tls. */
#include "check.h"

static int counter = 5, array[3] = {1, 2, 3};
#pragma omp threadprivate(counter, array)

int main(void) {
  counter = 7;
#pragma omp parallel
  {
    CHECK(counter == (omp_get_thread_num() == 0 ? 7 : 5) && array[2] == 3);
    counter = 100 + omp_get_thread_num();
    array[0] = omp_get_thread_num();
#pragma omp barrier
    CHECK(counter == 100 + omp_get_thread_num());
  }
#pragma omp parallel
  {
    CHECK(counter == 100 + omp_get_thread_num() && array[0] == omp_get_thread_num());
#pragma omp task
    CHECK(counter == 100 + omp_get_thread_num());
  }
  CHECK(counter == 100);
#pragma omp parallel copyin(counter)
  {
    CHECK(counter == 100);
    counter++;
#pragma omp single copyprivate(array)
    array[1] = 50;
    CHECK(array[1] == 50);
  }
  CHECK(counter == 101);
  return 0;
}
