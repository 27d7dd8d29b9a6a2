// The loops of standard algorithms: `for_chunks` runs a function over subranges, `find_in_chunks` ends early. An index is an integer or a
// random access iterator.
#pragma once

#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/pstl/stop_guard.hpp>

#include <cstdint>

namespace tine::detail::pstl {

/// Returns the index that follows `first` by `k`.
template <class Index>
TINE_ALWAYS_INLINE Index index_at(const Index& first, std::uint64_t k) {
  return static_cast<Index>(first + static_cast<decltype(first - first)>(k));
}

/// Returns the number of indices from `first` up to `last`.
template <class Index>
TINE_ALWAYS_INLINE std::uint64_t count_of(const Index& first, const Index& last) {
  const auto n = last - first;
  return n > 0 ? static_cast<std::uint64_t>(n) : 0;
}

/// Runs `body(i, j)` for subranges [i, j) that together are [first, last).
template <class Index, class Body>
TINE_ALWAYS_INLINE void for_chunks(Index first, Index last, Body body) {
  if (first == last) return;
  const stop_guard whole;
  for_each_chunk(count_of(first, last), [first, body](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    const stop_guard chunk;
    TINE_INLINE_CALLS body(index_at(first, begin), index_at(first, end));
  });
}

/// `find(i, j)` returns an index in [i, j), or j if it finds none. Returns the first index that is found in [first, last), or `last`.
template <class Index, class Find>
TINE_ALWAYS_INLINE Index find_in_chunks(Index first, Index last, Find find) {
  if (first == last) return last;
  const stop_guard whole;
  const std::uint64_t n = count_of(first, last);
  const std::uint64_t found = fold_chunks_until(
      n, [n] { return n; },
      [first, n, find](std::uint64_t& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        if (so_far != n) return;
        const stop_guard chunk;
        const Index stop = index_at(first, end);
        const Index at = call(find, index_at(first, begin), stop);
        if (at != stop) so_far = count_of(first, at);
      },
      [n](std::uint64_t& so_far, std::uint64_t later) {
        if (so_far == n) so_far = later;
      },
      [n](std::uint64_t so_far) { return so_far != n; });
  return index_at(first, found);
}

/// As `find_in_chunks`, but `find` returns the last index in [i, j) that it finds, and the function the last one in [first, last). The loop
/// begins at the end.
template <class Index, class Find>
TINE_ALWAYS_INLINE Index find_last_in_chunks(Index first, Index last, Find find) {
  if (first == last) return last;
  const stop_guard whole;
  const std::uint64_t n = count_of(first, last);
  const std::uint64_t found = fold_chunks_until(
      n, [n] { return n; },
      [first, n, find](std::uint64_t& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        if (so_far != n) return;
        const stop_guard chunk;
        const Index stop = index_at(first, n - begin);
        const Index at = call(find, index_at(first, n - end), stop);
        if (at != stop) so_far = count_of(first, at);
      },
      [n](std::uint64_t& so_far, std::uint64_t later) {
        if (so_far == n) so_far = later;
      },
      [n](std::uint64_t so_far) { return so_far != n; });
  return index_at(first, found);
}

/// Returns true if `test(i, j)` returns true for one of the subranges [i, j) that together are [first, last).
template <class Index, class Test>
TINE_ALWAYS_INLINE bool any_in_chunks(Index first, Index last, Test test) {
  if (first == last) return false;
  const stop_guard whole;
  return fold_chunks_until(
      count_of(first, last), [] { return false; },
      [first, test](bool& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        if (so_far) return;
        const stop_guard chunk;
        so_far = call(test, index_at(first, begin), index_at(first, end));
      },
      [](bool& so_far, bool later) { so_far = so_far || later; }, [](bool so_far) { return so_far; });
}

}  // namespace tine::detail::pstl
