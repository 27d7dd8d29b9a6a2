// skynet on tine's coroutines: nine children are forked, the tenth is called.
#include "programs/skynet/problem.hpp"

#include <tine/coro.hpp>

#include <array>
#include <numeric>

namespace bench::skynet {
namespace {

/// Returns the sum of the `size` leaves from `first` on.
tine::task<std::int64_t> sum(std::int64_t first, std::int64_t size) {
  if (size == 1) co_return first;
  size /= fan_out;
  std::array<std::int64_t, fan_out> sums;
  for (std::int64_t* here = sums.begin(); here != sums.end() - 1; ++here) {
    co_await tine::fork<sum>(here, first, size);
    first += size;
  }
  sums.back() = co_await tine::call<sum>(first, size);
  co_await tine::join;
  co_return std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
}

}  // namespace

std::int64_t coro(const problem& p) { return tine::run(sum, 0, p.leaves); }

}  // namespace bench::skynet
