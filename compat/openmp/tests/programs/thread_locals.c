/* An executable with thread-local variables: the library says that they may not be what the program expects. */
#include "check.h"

static int mine;
#pragma omp threadprivate(mine)

int main(void) {
#pragma omp parallel
  mine++;
  CHECK(mine > 0);
  puts("end");
  return 0;
}
