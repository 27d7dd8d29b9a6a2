// Partitions of standard algorithms. Each series of chunks on one worker partitions its own subrange, and the results of two consecutive
// series are put together by swaps or moves.
#pragma once

#include <tine/detail/pstl/buffer.hpp>
#include <tine/detail/pstl/in_chunks.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace tine::detail::pstl {

/// A subrange whose items satisfy the predicate up to `pivot`, and not from there on.
template <class It>
struct partitioned {
  It begin, pivot, end;
};

/// Puts the result of a subrange behind that of the subrange before it: swaps the shorter one of the two blocks in the middle.
template <class It>
void join_partitioned(partitioned<It>& so_far, const partitioned<It>& later) {
  const auto wrong = std::min(so_far.end - so_far.pivot, later.pivot - later.begin);
  const It from = later.pivot - wrong;
  for_chunks(so_far.pivot, so_far.pivot + wrong,
             [to = so_far.pivot, from](It i, It j) { std::swap_ranges(i, j, from + (i - to)); });
  so_far.pivot += later.pivot - later.begin;
  so_far.end = later.end;
}

/// As std::partition.
template <class It, class Pred>
It partition_chunks(It first, It last, const Pred& pred) {
  if (first == last) return first;
  using series = partitioned<It>;
  const stop_guard whole;
  const series all = fold_chunks(
      count_of(first, last), [first] { return series{first, first, first}; },
      [first, &pred](series& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        const stop_guard chunk;
        const It i = index_at(first, begin), j = index_at(first, end);
        if (so_far.begin == so_far.end) so_far = {i, i, i};
        join_partitioned(so_far, series{i, std::partition(i, j, pred), j});
      },
      [](series& so_far, series&& later) {
        if (so_far.begin == so_far.end) {
          so_far = later;
        } else if (later.begin != later.end) {
          join_partitioned(so_far, later);
        }
      });
  return all.pivot;
}

/// Moves the items of [first, last) to the left, to `to`, in their order. The two ranges may overlap.
template <class It>
void move_left(It first, It last, It to) {
  constexpr std::ptrdiff_t worth_a_loop = 4096;
  const auto gap = first - to;
  if (gap == 0) return;
  while (first != last) {
    const auto n = std::min(gap, last - first);  // so many items do not overlap with their places
    if (n < worth_a_loop) return static_cast<void>(std::move(first, last, to));
    for_chunks(first, first + n, [first, to](It i, It j) { std::move(i, j, to + (i - first)); });
    first += n;
    to += n;
  }
}

/// Objects in a buffer that a series has moved there.
template <class T>
struct moved_out {
  T* begin;
  std::size_t n;
};

/// The state of a series of a stable partition. The items of the subrange that satisfy the predicate are at [begin, pivot), the others in the
/// buffer.
template <class It>
struct stable_series {
  It begin, pivot;
  std::vector<moved_out<std::iter_value_t<It>>> rest;
};

/// As std::stable_partition with a buffer, `memory`, which has space for the range. Exceptions of the predicate and of moves end the program, as
/// they do in libstdc++'s own.
template <class It, class Pred>
It stable_partition_chunks(It first, It last, const Pred& pred, std::iter_value_t<It>* memory) noexcept {
  using T = std::iter_value_t<It>;
  using series = stable_series<It>;
  const stop_guard whole;
  const series all = fold_chunks(
      count_of(first, last), [first] { return series{first, first, {}}; },
      [first, &pred, memory](series& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        const stop_guard chunk;
        if (so_far.rest.empty()) {
          so_far.begin = so_far.pivot = index_at(first, begin);
          so_far.rest.push_back({memory + begin, 0});
        }
        It pivot = so_far.pivot;
        T* const objects = so_far.rest.back().begin;
        std::size_t n = so_far.rest.back().n;
        for (It i = index_at(first, begin), stop = index_at(first, end); i != stop; ++i) {
          if (!call(pred, *i)) {
            std::construct_at(objects + n, std::move(*i));
            ++n;
          } else {
            if (pivot != i) *pivot = std::move(*i);
            ++pivot;
          }
        }
        so_far.pivot = pivot;
        so_far.rest.back().n = n;
      },
      [](series& so_far, series&& later) {
        if (later.rest.empty()) return;
        if (so_far.rest.empty()) {
          so_far = std::move(later);
          return;
        }
        const stop_guard chunk;
        move_left(later.begin, later.pivot, so_far.pivot);
        so_far.pivot += later.pivot - later.begin;
        so_far.rest.insert(so_far.rest.end(), later.rest.begin(), later.rest.end());
      });
  It to = all.pivot;
  for (const moved_out<T>& part : all.rest) {
    for_chunks(part.begin, part.begin + part.n, [from = part.begin, to](T* i, T* j) {
      std::move(i, j, to + (i - from));
      std::destroy(i, j);
    });
    to += static_cast<std::iter_difference_t<It>>(part.n);
  }
  return all.pivot;
}

}  // namespace tine::detail::pstl
