// skynet on oneTBB and OpenMP.
#include "problem.hpp"

#include <array>
#include <numeric>
#include <tbb/task_group.h>

namespace bench {
namespace {

// On oneTBB: a task for each of nine children, the tenth is a call.

/// Returns the sum of the `size` leaves from `first` on.
[[gnu::noinline]] std::int64_t tbb_sum(std::int64_t first, std::int64_t size) {
  if (size == 1) return first;
  size /= fan_out;
  std::array<std::int64_t, fan_out> sums{};
  ::tbb::task_group children;
  for (int i = 0; i < fan_out - 1; ++i)
    children.run([=, &here = sums[static_cast<std::size_t>(i)]] { here = tbb_sum(first + i * size, size); });
  sums.back() = tbb_sum(first + (fan_out - 1) * size, size);
  children.wait();
  return std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
}

// On OpenMP: a task for each of nine children, the tenth is a call.

/// Returns the sum of the `size` leaves from `first` on.
[[gnu::noinline]] std::int64_t openmp_sum(std::int64_t first, std::int64_t size) {
  if (size == 1) return first;
  size /= fan_out;
  std::array<std::int64_t, fan_out> sums{};
  for (int i = 0; i < fan_out - 1; ++i) {
#pragma omp task default(none) shared(sums) firstprivate(first, size, i)
    sums[static_cast<std::size_t>(i)] = openmp_sum(first + i * size, size);
  }
  sums.back() = openmp_sum(first + (fan_out - 1) * size, size);
#pragma omp taskwait
  return std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
}

}  // namespace

std::int64_t tbb(const problem& p) { return tbb_sum(0, p.leaves); }
std::int64_t openmp(const problem& p) { return openmp_sum(0, p.leaves); }

}  // namespace bench
