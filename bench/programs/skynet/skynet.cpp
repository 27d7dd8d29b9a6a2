// skynet: its variants on tine and without forks, its parameters, and the check of its answer.
#include "problem.hpp"

#include "harness/program.hpp"

#include <tine/coro.hpp>
#include <tine/tine.hpp>

#include <array>
#include <functional>
#include <numeric>

namespace bench {
namespace {

// Without forks.

/// Returns the sum of the `size` leaves from `first` on.
[[gnu::noinline]] std::int64_t serial_sum(std::int64_t first, std::int64_t size) {
  if (size == 1) return first;
  size /= fan_out;
  std::int64_t total = 0;
  for (int i = 0; i < fan_out; ++i) total += serial_sum(first + i * size, size);
  return total;
}

std::int64_t serial(const problem& p) { return serial_sum(0, p.leaves); }

// On tine.

std::int64_t managed_sum(std::int64_t first, std::int64_t size);

/// Returns the sum of the children from number `child` of the ten on. Each child has `size` leaves, and the first leaf
/// of all ten is `first`. Ten children are a chain of nine forks, a child and the rest: a third faster than halving the
/// ten.
[[gnu::noinline]] std::int64_t managed_sum_from(std::int64_t first, std::int64_t size, int child) {
  if (child == fan_out - 1) return managed_sum(first + child * size, size);
  return tine::par([=] { return managed_sum(first + child * size, size); },
                   [=] { return managed_sum_from(first, size, child + 1); }, std::plus<>{});
}

/// Returns the sum of the `size` leaves from `first` on.
[[gnu::noinline]] std::int64_t managed_sum(std::int64_t first, std::int64_t size) {
  if (size == 1) return first;
  return managed_sum_from(first, size / fan_out, 0);
}

std::int64_t managed(const problem& p) { return managed_sum(0, p.leaves); }

// On tine's coroutines: nine children are forked, the tenth is called.

/// Returns the sum of the `size` leaves from `first` on.
tine::task<std::int64_t> coro_sum(std::int64_t first, std::int64_t size) {
  if (size == 1) co_return first;
  size /= fan_out;
  std::array<std::int64_t, fan_out> sums;
  for (std::int64_t* here = sums.begin(); here != sums.end() - 1; ++here) {
    co_await tine::fork<coro_sum>(here, first, size);
    first += size;
  }
  sums.back() = co_await tine::call<coro_sum>(first, size);
  co_await tine::join;
  co_return std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
}

std::int64_t coro(const problem& p) { return tine::run(coro_sum, 0, p.leaves); }

}  // namespace

program describe_program() {
  static experiment<problem, std::int64_t> e;
  return {
      .name = "skynet",
      .description = "Adds up the numbers of the leaves of a tree in which every node has ten children.",
      .add_options =
          [](options& o) {
            o.number_of_kind("--leaves", e.problem.leaves, {1, most_leaves}, "power of ten", is_power_of_ten,
                             "Leaves, a power of ten");
          },
      .params = [] { return parameters{{"leaves", e.problem.leaves}}; },
      .variants = {e.by("serial", runtime_kind::serial, serial), e.by("managed", runtime_kind::tine, managed),
                   e.by("coro", runtime_kind::tine_tasks, coro), e.by("tbb", runtime_kind::tbb, tbb),
                   e.by("openmp", runtime_kind::openmp, openmp)},
      .examine = []() -> finding {
        const std::int64_t right = expected(e.problem.leaves);
        if (e.answer == right) return {e.answer, ""};
        return {e.answer, format("{} leaves add up to {}, not {}", e.problem.leaves, right, e.answer)};
      },
  };
}

}  // namespace bench
