// skynet on OpenMP: a task for each of nine children, the tenth is a call.
#include "programs/skynet/problem.hpp"

#include <array>
#include <numeric>

namespace bench::skynet {
namespace {

/// Returns the sum of the `size` leaves from `first` on.
[[gnu::noinline]] std::int64_t sum(std::int64_t first, std::int64_t size) {
  if (size == 1) return first;
  size /= fan_out;
  std::array<std::int64_t, fan_out> sums{};
  for (int i = 0; i < fan_out - 1; ++i) {
#pragma omp task default(none) shared(sums) firstprivate(first, size, i)
    sums[static_cast<std::size_t>(i)] = sum(first + i * size, size);
  }
  sums.back() = sum(first + (fan_out - 1) * size, size);
#pragma omp taskwait
  return std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
}

}  // namespace

std::int64_t openmp(const problem& p) { return sum(0, p.leaves); }

}  // namespace bench::skynet
