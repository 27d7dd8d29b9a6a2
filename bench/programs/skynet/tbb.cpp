// skynet on oneTBB: a task for each of nine children, the tenth is a call.
#include "programs/skynet/problem.hpp"

#include <tbb/task_group.h>

#include <array>
#include <numeric>

namespace bench::skynet {
namespace {

/// Returns the sum of the `size` leaves from `first` on.
[[gnu::noinline]] std::int64_t sum(std::int64_t first, std::int64_t size) {
  if (size == 1) return first;
  size /= fan_out;
  std::array<std::int64_t, fan_out> sums{};
  ::tbb::task_group children;
  for (int i = 0; i < fan_out - 1; ++i)
    children.run([=, &here = sums[static_cast<std::size_t>(i)]] { here = sum(first + i * size, size); });
  sums.back() = sum(first + (fan_out - 1) * size, size);
  children.wait();
  return std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
}

}  // namespace

std::int64_t tbb(const problem& p) { return sum(0, p.leaves); }

}  // namespace bench::skynet
