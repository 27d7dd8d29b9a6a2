/* For the programs of this folder: a check that names its line, and the number of threads that the run asks for. */
#pragma once

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(holds)                                                        \
  do {                                                                      \
    if (!(holds)) {                                                         \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #holds); \
      _Exit(1);                                                             \
    }                                                                       \
  } while (0)

static inline int threads_asked(void) { return atoi(getenv("OMP_NUM_THREADS")); }
