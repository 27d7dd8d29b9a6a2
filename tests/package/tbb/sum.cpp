// A sum by oneTBB's interface, which must be tine's, whether or not oneTBB's own headers are there.
#include <oneapi/tbb/parallel_reduce.h>

#include <functional>

#if !__has_include(<oneapi/tbb/tine/split.hpp>)
#error "these are oneTBB's headers"
#endif

int main() {
  const long sum = tbb::parallel_reduce(
      oneapi::tbb::blocked_range<long>(0, 1000), 0L,
      [](const auto& r, long so_far) {
        for (long i = r.begin(); i != r.end(); ++i) so_far += i;
        return so_far;
      },
      std::plus<>{}, tbb::static_partitioner{});
  return sum == 499'500 ? 0 : 1;
}
