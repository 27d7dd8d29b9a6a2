// Algorithms that remove items of a range in place. A series of chunks on one worker packs the items that it keeps. The first series of a loop
// packs them at their final place, so that one worker makes one pass.
#pragma once

#include <tine/detail/pstl/partition_chunks.hpp>

#include <cstdint>
#include <utility>

namespace tine::detail::pstl {

/// The kept items of a subrange, which are at its begin.
template <class It>
struct packed_items {
  It begin, end;
};

/// As std::remove_if. Exceptions of the predicate and of moves end the program, as they do in libstdc++'s own.
template <class It, class Pred>
It remove_chunks(It first, It last, const Pred& pred) noexcept {
  using series = packed_items<It>;
  if (first == last) return last;
  const stop_guard whole;
  // A series that has begun may be empty, and its place matters, so the place of one that has not begun is `last`.
  const series all = fold_chunks(
      count_of(first, last), [last] { return series{last, last}; },
      [first, last, &pred](series& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        const stop_guard chunk;
        It i = index_at(first, begin);
        const It stop = index_at(first, end);
        if (so_far.begin == last) so_far = {i, i};
        It to = so_far.end;
        if (to == i) {
          while (i != stop && !call(pred, *i)) ++i;
          to = i;
          if (i != stop) ++i;
        }
        for (; i != stop; ++i) {
          if (!call(pred, *i)) {
            *to = std::move(*i);
            ++to;
          }
        }
        so_far.end = to;
      },
      [last](series& so_far, series&& later) {
        if (later.begin == last) return;
        if (so_far.begin == last) {
          so_far = later;
          return;
        }
        const stop_guard chunk;
        move_left(later.begin, later.end, so_far.end);
        so_far.end += later.end - later.begin;
      });
  return all.end;
}

/// As std::unique: `pred` is an equivalence relation. Exceptions of the predicate and of moves end the program.
template <class It, class Pred>
It unique_chunks(It first, It last, const Pred& pred) noexcept {
  using series = packed_items<It>;  // not empty once it has begun, because it keeps its first item
  if (first == last) return last;
  const stop_guard whole;
  const series all = fold_chunks(
      count_of(first, last), [first] { return series{first, first}; },
      [first, &pred](series& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        const stop_guard chunk;
        It i = index_at(first, begin);
        const It stop = index_at(first, end);
        if (so_far.begin == so_far.end) {
          so_far = {i, i + 1};
          ++i;
        }
        It kept = so_far.end - 1;
        for (; i != stop; ++i) {
          if (call(pred, *kept, *i)) continue;
          ++kept;
          if (kept != i) *kept = std::move(*i);
        }
        so_far.end = kept + 1;
      },
      [&pred](series& so_far, series&& later) {
        if (later.begin == later.end) return;
        if (so_far.begin == so_far.end) {
          so_far = later;
          return;
        }
        const stop_guard chunk;
        It from = later.begin;
        if (call(pred, *(so_far.end - 1), *from)) ++from;
        move_left(from, later.end, so_far.end);
        so_far.end += later.end - from;
      });
  return all.end;
}

}  // namespace tine::detail::pstl
