// is_heap, is_heap_until: tell how far a range is a binary heap.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/first_found.hpp>

#include <functional>
#include <utility>

namespace tine {
namespace detail {

struct is_heap_until_function {
  template <std::random_access_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
            std::indirect_strict_weak_order<std::projected<It, Proj>> Comp = std::ranges::less>
  TINE_ALWAYS_INLINE It operator()(It first, End last, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Comp, std::indirect_result_t<Proj&, It>, std::indirect_result_t<Proj&, It>>());
    const std::uint64_t n = items_between(first, last);
    return nth_item(first, first_found(n, [first, n, comp, proj](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
                      It i = nth_item(first, begin);
                      for (; begin != end; ++begin, ++i) {
                        if (begin != 0 && std::invoke(comp, std::invoke(proj, *nth_item(first, (begin - 1) / 2)),
                                                      std::invoke(proj, *i))) {
                          return begin;
                        }
                      }
                      return n;
                    }));
  }
  template <std::ranges::random_access_range R, class Proj = std::identity,
            std::indirect_strict_weak_order<std::projected<std::ranges::iterator_t<R>, Proj>> Comp = std::ranges::less>
  TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R> operator()(R&& r, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::move(proj));
  }
};

struct is_heap_function {
  template <std::random_access_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
            std::indirect_strict_weak_order<std::projected<It, Proj>> Comp = std::ranges::less>
  TINE_ALWAYS_INLINE bool operator()(It first, End last, Comp comp = {}, Proj proj = {}) const {
    return is_heap_until_function{}(first, last, std::move(comp), std::move(proj)) == last;
  }
  template <std::ranges::random_access_range R, class Proj = std::identity,
            std::indirect_strict_weak_order<std::projected<std::ranges::iterator_t<R>, Proj>> Comp = std::ranges::less>
  TINE_ALWAYS_INLINE bool operator()(R&& r, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::move(proj));
  }
};

}  // namespace detail

/// Returns the end of the longest binary heap at the start of the range: an iterator to the first item whose parent is
/// less, or the end. As `std::ranges::is_heap_until`. No worker looks at items behind the result, once it has been
/// found.
///
///     tine::is_heap_until(first, last, comp = {}, proj = {})
///     tine::is_heap_until(range, comp = {}, proj = {})
///
/// Work O(k) on one worker and O(n) at most, where k is the position of the result; span O(log n); no memory. `comp` is
/// called at most once for each item, and `proj` twice, as const, on several workers at once. Exceptions and stop
/// requests are as in `par_for`; an exception for an item behind the result is dropped.
///
/// Source: a reduction that ends early.
inline constexpr detail::is_heap_until_function is_heap_until{};

/// Returns true if the range is a binary heap with the greatest item first. As `std::ranges::is_heap`; everything else
/// is as in `is_heap_until`.
///
///     tine::is_heap(first, last, comp = {}, proj = {})
///     tine::is_heap(range, comp = {}, proj = {})
inline constexpr detail::is_heap_function is_heap{};

}  // namespace tine
