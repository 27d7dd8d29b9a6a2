// skynet on tine.
#include "programs/skynet/problem.hpp"

#include <tine/tine.hpp>

#include <functional>

namespace bench::skynet {
namespace {

std::int64_t sum(std::int64_t first, std::int64_t size);

/// Returns the sum of the children from number `child` of the ten on. Each child has `size` leaves, and the first leaf of all
/// ten is `first`. Ten children are a chain of nine forks, a child and the rest: a third faster than halving the ten.
[[gnu::noinline]] std::int64_t sum_from(std::int64_t first, std::int64_t size, int child) {
  if (child == fan_out - 1) return sum(first + child * size, size);
  return tine::par([=] { return sum(first + child * size, size); }, [=] { return sum_from(first, size, child + 1); },
                   std::plus<>{});
}

/// Returns the sum of the `size` leaves from `first` on.
[[gnu::noinline]] std::int64_t sum(std::int64_t first, std::int64_t size) {
  if (size == 1) return first;
  return sum_from(first, size / fan_out, 0);
}

}  // namespace

std::int64_t managed(const problem& p) { return sum(0, p.leaves); }

}  // namespace bench::skynet
