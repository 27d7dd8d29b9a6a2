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

void serial(problem& p) { p.answer = serial_sum(0, p.leaves); }

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

void managed(problem& p) { p.answer = managed_sum(0, p.leaves); }

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

void coro(problem& p) { p.answer = tine::run(coro_sum, 0, p.leaves); }

}  // namespace

std::string problem::mistake() const {
  const std::int64_t right = expected(leaves);
  return answer == right ? "" : format("{} leaves add up to {}, not {}", leaves, right, answer);
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) {
    o.number_of_kind("--leaves", p.leaves, {1, most_leaves}, "power of ten", is_power_of_ten, "Leaves, a power of ten");
  };
  program it{
      .name = "skynet",
      .description = "Adds up the numbers of the leaves of a tree in which every node has ten children.",
      .add_options = add_options,
  };
  return completed<problem>(std::move(it), p,
                            {{"serial", runtime_kind::serial, serial},
                             {"managed", runtime_kind::tine, managed},
                             {"coro", runtime_kind::tine_tasks, coro},
                             {"tbb", runtime_kind::tbb, tbb},
                             {"openmp", runtime_kind::openmp, openmp}});
}

}  // namespace bench
