// The sum of integers.
#include <tine/tine.hpp>

#include <functional>

long sum(const long* x, long n) {
  return tine::par_reduce(0L, n, 0L, [=](long i) { return x[i]; }, std::plus<>{});
}
