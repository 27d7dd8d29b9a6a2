// A body for loops that other languages start: it scales numbers. Compile it as a shared library.
#include <stdint.h>

struct vector {
  double* numbers;
  double factor;
};

int scale(void* data, int64_t begin, int64_t end) {
  const struct vector* v = data;
  for (int64_t i = begin; i < end; ++i) v->numbers[i] *= v->factor;
  return 0;
}
