// The loops of standard algorithms: `for_chunks` runs a function over subranges; `find_in_chunks` and its relatives end
// early. An index is an integer or a random access iterator. Workers run subranges at once.
#pragma once

#include <tine/detail/algo/any_chunk.hpp>
#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/first_found.hpp>
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

/// Calls `find(i, j)` for a subrange of [first, ...). Returns the number of the index found, or `n` if that is j.
template <class Index, class Find>
TINE_ALWAYS_INLINE std::uint64_t found_in_chunk(Index first, std::uint64_t n, const Find& find, std::uint64_t begin,
                                                std::uint64_t end) {
  const stop_guard chunk;
  const Index stop = nth_item(first, end);
  const Index at = call(find, nth_item(first, begin), stop);
  return at == stop ? n : length_of(first, at);
}

/// `find(i, j)` returns an index in [i, j), or j if it finds none. Returns the first index found in [first, last), or
/// `last`.
template <class Index, class Find>
TINE_ALWAYS_INLINE Index find_in_chunks(Index first, Index last, Find find) {
  if (first == last) return last;
  const std::uint64_t n = length_of(first, last);
  const stop_guard whole;
  return nth_item(first, first_found(n, [first, n, find](std::uint64_t begin, std::uint64_t end)
                                            TINE_INLINED { return found_in_chunk(first, n, find, begin, end); }));
}

/// As `find_in_chunks`, but for the last index: `find` returns the last one in [i, j), and the function the last one in
/// [first, last). The loop starts at the end.
template <class Index, class Find>
TINE_ALWAYS_INLINE Index find_last_in_chunks(Index first, Index last, Find find) {
  if (first == last) return last;
  const std::uint64_t n = length_of(first, last);
  const stop_guard whole;
  return nth_item(first, last_found(n, [first, n, find](std::uint64_t begin, std::uint64_t end)
                                           TINE_INLINED { return found_in_chunk(first, n, find, begin, end); }));
}

/// Returns true if `test(i, j)` is true for one of the subranges [i, j) that together are [first, last).
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
