// The loops of standard algorithms: `for_chunks` runs a function over subranges; `find_in_chunks` and its relatives end
// early. An index is an integer or a random access iterator.
#pragma once

#include <tine/detail/algo/any_chunk.hpp>
#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/pstl/const_callable.hpp>
#include <tine/detail/pstl/stop_guard.hpp>

#include <cstdint>

namespace tine::detail::pstl {

/// Runs `body(i, j)` for subranges [i, j) that together are [first, last).
template <class Index, class Body>
TINE_ALWAYS_INLINE void for_chunks(Index first, Index last, Body body) {
  if (first == last) return;
  const stop_guard whole;
  for_each_chunk(length_of(first, last), [first, body](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    const stop_guard chunk;
    TINE_INLINE_CALLS body(nth_item(first, begin), nth_item(first, end));
  });
}

/// `find(begin, end)` returns a number from `begin` up to `end`, or `n` if it finds none. Returns the first number that
/// is found, or `n`.
template <class Find>
TINE_ALWAYS_INLINE std::uint64_t first_found(std::uint64_t n, Find find) {
  const stop_guard whole;
  return fold_chunks_until(
      n, [n] { return n; },
      [n, find](std::uint64_t& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        if (so_far != n) return;
        const stop_guard chunk;
        so_far = find(begin, end);
      },
      [n](std::uint64_t& so_far, std::uint64_t later) {
        if (so_far == n) so_far = later;
      },
      [n](std::uint64_t so_far) { return so_far != n; });
}

/// `find(i, j)` returns an index in [i, j), or j if it finds none. Returns the first index that is found in [first,
/// last), or `last`.
template <class Index, class Find>
TINE_ALWAYS_INLINE Index find_in_chunks(Index first, Index last, Find find) {
  if (first == last) return last;
  const std::uint64_t n = length_of(first, last);
  return nth_item(first, first_found(n, [first, n, find](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
                    const Index stop = nth_item(first, end);
                    const Index at = call(find, nth_item(first, begin), stop);
                    return at == stop ? n : length_of(first, at);
                  }));
}

/// As `find_in_chunks`, but `find` returns the last index in [i, j) that it finds, and the function the last one in
/// [first, last). The loop begins at the end.
template <class Index, class Find>
TINE_ALWAYS_INLINE Index find_last_in_chunks(Index first, Index last, Find find) {
  if (first == last) return last;
  const std::uint64_t n = length_of(first, last);
  const std::uint64_t behind = first_found(n, [first, n, find](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    const Index stop = nth_item(first, n - begin);
    const Index at = call(find, nth_item(first, n - end), stop);
    return at == stop ? n : n - 1 - length_of(first, at);
  });
  return nth_item(first, behind == n ? n : n - 1 - behind);
}

/// Returns true if `test(i, j)` returns true for one of the subranges [i, j) that together are [first, last).
template <class Index, class Test>
TINE_ALWAYS_INLINE bool any_in_chunks(Index first, Index last, Test test) {
  if (first == last) return false;
  const stop_guard whole;
  return any_chunk(length_of(first, last), [first, test](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    const stop_guard chunk;
    return static_cast<bool>(call(test, nth_item(first, begin), nth_item(first, end)));
  });
}

}  // namespace tine::detail::pstl
