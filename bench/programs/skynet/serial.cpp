// skynet without forks.
#include "programs/skynet/problem.hpp"

namespace bench::skynet {
namespace {

/// Returns the sum of the `size` leaves from `first` on.
[[gnu::noinline]] std::int64_t sum(std::int64_t first, std::int64_t size) {
  if (size == 1) return first;
  size /= fan_out;
  std::int64_t total = 0;
  for (int i = 0; i < fan_out; ++i) total += sum(first + i * size, size);
  return total;
}

}  // namespace

std::int64_t serial(const problem& p) { return sum(0, p.leaves); }

}  // namespace bench::skynet
