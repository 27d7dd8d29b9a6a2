// x[i] += 1.
#include <tine/tine.hpp>

void add(double* x, long n) {
  tine::par_for(0L, n, [=](long i) { x[i] += 1; });
}
