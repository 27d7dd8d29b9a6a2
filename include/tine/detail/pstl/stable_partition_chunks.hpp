// The stable partition of standard algorithms. tine's algorithms have none. Each series of chunks on one worker moves
// the items that do not satisfy the predicate into a buffer, and packs the others at its begin.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/move_left.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/algo/raw_buffer.hpp>
#include <tine/detail/pstl/const_callable.hpp>
#include <tine/detail/pstl/in_chunks.hpp>
#include <tine/detail/pstl/stop_guard.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace tine::detail::pstl {

/// Objects in a buffer that a series has moved there.
template <class T>
struct moved_out {
  T* begin;
  std::uint64_t n;
};

/// The state of a series of a stable partition. The items of the subrange that satisfy the predicate are at [begin,
/// pivot), the others in the buffer.
template <class It>
struct stable_series {
  It begin, pivot;
  std::vector<moved_out<std::iter_value_t<It>>> rest;

  /// Adds a series that other items preceded.
  void add(stable_series&& later) {
    if (later.rest.empty()) return;
    if (rest.empty()) {
      *this = std::move(later);
      return;
    }
    const std::uint64_t n = length_of(later.begin, later.pivot);
    move_left(later.begin, n, length_of(pivot, later.begin));
    pivot = nth_item(pivot, n);
    rest.insert(rest.end(), later.rest.begin(), later.rest.end());
  }
};

/// As std::stable_partition, with memory for as many items. Exceptions of the predicate and of moves end the program,
/// as they do in libstdc++'s own.
template <class It, class Pred>
It stable_partition_chunks(It first, It last, const Pred& pred) {
  using T = std::iter_value_t<It>;
  using series = stable_series<It>;
  const stop_guard whole;
  const raw_buffer<T> memory{length_of(first, last)};
  const auto partition = [&]() noexcept {
    return fold_chunks(
        length_of(first, last), [first] { return series{first, first, {}}; },
        [first, &pred, memory = memory.begin()](series& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
          if (so_far.rest.empty()) {
            so_far.begin = so_far.pivot = nth_item(first, begin);
            so_far.rest.push_back({memory + begin, 0});
          }
          It pivot = so_far.pivot;
          T* const objects = so_far.rest.back().begin;
          std::uint64_t n = so_far.rest.back().n;
          for (It i = nth_item(first, begin), stop = nth_item(first, end); i != stop; ++i) {
            if (!call(pred, *i)) {
              std::construct_at(objects + n, std::ranges::iter_move(i));
              ++n;
            } else {
              if (pivot != i) *pivot = std::ranges::iter_move(i);
              ++pivot;
            }
          }
          so_far.pivot = pivot;
          so_far.rest.back().n = n;
        },
        [](series& so_far, series&& later) { so_far.add(std::move(later)); });
  };
  const series all = partition();
  It to = all.pivot;
  for (const moved_out<T>& part : all.rest) {
    for_chunks(part.begin, part.begin + part.n, [from = part.begin, to](T* i, T* j) noexcept {
      std::move(i, j, to + (i - from));
      std::destroy(i, j);
    });
    to = nth_item(to, part.n);
  }
  return all.pivot;
}

}  // namespace tine::detail::pstl
