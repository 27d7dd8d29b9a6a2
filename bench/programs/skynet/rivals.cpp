// skynet on oneTBB and OpenMP: a task for each of nine children, the tenth is a call.
#include "problem.hpp"

#include "harness/loops/openmp_loops.hpp"

#include <array>
#include <numeric>

namespace bench {
namespace {

/// Returns the sum of the `size` leaves from `first` on.
template <class Tasks>
[[gnu::noinline]] std::int64_t sum(std::int64_t first, std::int64_t size) {
  if (size == 1) return first;
  size /= fan_out;
  std::array<std::int64_t, fan_out> sums{};
  Tasks children;
  for (int i = 0; i < fan_out - 1; ++i)
    children.run([=, &here = sums[static_cast<std::size_t>(i)]] { here = sum<Tasks>(first + i * size, size); });
  sums.back() = sum<Tasks>(first + (fan_out - 1) * size, size);
  children.wait();
  return std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
}

}  // namespace

void tbb(problem& p) { p.answer = sum<tbb_group>(0, p.leaves); }
void openmp(problem& p) { p.answer = sum<openmp_group>(0, p.leaves); }

}  // namespace bench
