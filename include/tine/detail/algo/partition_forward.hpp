// Partitioning from left to right, without branches, for items that are cheap to copy. Workers partition disjoint
// subranges in place.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/projected_less.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tine::detail {

/// The end of the first part of a partitioned range. `moved`: the range was not partitioned before.
template <class It>
struct partitioned {
  It middle;
  bool moved;
};

/// A partitioned subrange [begin, end), by positions. The predicate holds before `middle` only. Before the first move,
/// it held up to `kept`.
struct forward_parts {
  std::uint64_t begin = no_position, kept = 0, middle = 0, end = 0;
};

/// Partitions the items from `at` up to `end`, which follow the items [middle, at) for which the predicate is false.
/// Returns the new middle. Every step swaps two items, or an item with itself, and one addition decides if the middle
/// advances (Lomuto's scheme without branches).
template <class T, class Pred>
TINE_ALWAYS_INLINE T* partition_steps(T* middle, T* at, T* const end, const Pred& pred) {
  for (; at != end; ++at) {
    const bool belongs = pred(*at);
    T item = std::move(*at);
    *at = std::move(*middle);
    *middle = std::move(item);
    middle += belongs;
  }
  return middle;
}

/// As `partition_steps`, but in long runs of equal results of the predicate, at the begin or behind a block in which it
/// has nearly always the same result, branches decide, which the processor predicts.
template <class T, class Pred>
TINE_ALWAYS_INLINE T* partition_runs(T* middle, T* at, T* const end, const Pred& pred) {
  constexpr std::ptrdiff_t block = 128, few = block / 32, least_run = 16;
  for (;;) {
    for (std::ptrdiff_t run = least_run; run >= least_run && at != end;) {
      T* const begin = at;
      while (at != end && !pred(*at)) ++at;
      T* const trues = at;
      while (at != end && pred(*at)) ++at;
      // The items for which the predicate is false, from `middle` up to `trues`, move behind those from `trues` up to
      // `at`.
      const std::ptrdiff_t n = std::min(trues - middle, at - trues);
      std::swap_ranges(middle, middle + n, at - n);
      middle += at - trues;
      run = at - begin;
    }
    for (std::ptrdiff_t belonging = block / 2; belonging > few && belonging < block - few;) {
      if (at == end) return middle;
      T* const stop = end - at > block ? at + block : end;
      T* const before = std::exchange(middle, partition_steps(middle, at, stop, pred));
      belonging = middle - before;
      at = stop;
    }
  }
}

/// Adds the items up to position `end` to the subrange. Items at its begin that stay where they are take no move.
template <bool HasRuns, class T, class Pred>
TINE_NOINLINE void extend_parts(forward_parts& parts, T* first, std::uint64_t begin, std::uint64_t end,
                                const Pred& given) {
  const Pred pred = given;  // a copy, which no pointer refers to: the compiler keeps it in registers
  if (parts.begin == no_position) parts = {begin, begin, begin, begin};
  T* at = first + begin;
  T* const stop = first + end;
  if (parts.middle == begin) {
    while (at != stop && pred(*at)) ++at;
    parts.kept = parts.middle = length_of(first, at);
  }
  T* const middle = first + parts.middle;
  parts.middle =
      length_of(first, HasRuns ? partition_runs(middle, at, stop, pred) : partition_steps(middle, at, stop, pred));
  parts.end = end;
}

/// Joins two adjacent subranges: swaps the second part of the first one with the first part of the second one, as far
/// as they overlap.
template <class T>
void join_parts(T* first, forward_parts& parts, const forward_parts& later) {
  if (later.begin == no_position) return;
  if (parts.begin == no_position) {
    parts = later;
    return;
  }
  const std::uint64_t back = later.middle - later.begin, n = std::min(parts.end - parts.middle, back);
  T* const to = first + parts.middle;
  T* const from = first + later.middle - n;
  for_each_chunk(n, [to, from](std::uint64_t begin, std::uint64_t end)
                        TINE_INLINED { std::swap_ranges(to + begin, to + end, from + begin); });
  if (parts.middle == parts.end) parts.kept = later.kept;
  parts.middle += back;
  parts.end = later.end;
}

/// Partitions a range in one loop, which idle workers take parts of.
template <bool HasRuns, class T, class Pred>
partitioned<T*> partition_forward(T* first, T* last, const Pred& pred) {
  constexpr std::uint64_t least_parallel = 4096;  // below, the loop's own costs show
  const std::uint64_t n = length_of(first, last);
  forward_parts all;
  if (n < least_parallel) {
    extend_parts<HasRuns>(all, first, 0, n, pred);
  } else {
    all = fold_chunks(
        n, [] { return forward_parts{}; },
        [first, pred](forward_parts& parts, std::uint64_t begin, std::uint64_t end)
            TINE_INLINED { extend_parts<HasRuns>(parts, first, begin, end, pred); },
        [first](forward_parts& parts, const forward_parts& later) { join_parts(first, parts, later); });
  }
  return {first + all.middle, all.middle != all.kept};
}

/// As the other function. `has_runs`: long runs of equal results of the predicate are probable. Without them code
/// without branches is faster.
template <class T, class Pred>
partitioned<T*> partition_forward(T* first, T* last, const Pred& pred, bool has_runs) {
  return has_runs ? partition_forward<true>(first, last, pred) : partition_forward<false>(first, last, pred);
}

}  // namespace tine::detail
