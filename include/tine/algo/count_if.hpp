// count_if, count: the number of items that satisfy a predicate, or that equal a value.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/equal_to_value.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <functional>
#include <utility>

namespace tine {
namespace detail {

struct count_if_function {
  template <std::input_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
  TINE_ALWAYS_INLINE std::iter_difference_t<It> operator()(It first, End last, Pred pred, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Pred, std::indirect_result_t<Proj&, It>>());
    using number = std::iter_difference_t<It>;
    return fold_chunks(
        items_between(first, last), [] { return number{0}; },
        [first, pred, proj](number& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
          number found = 0;
          for (It i = nth_item(first, begin), stop = nth_item(first, end); i != stop; ++i) {
            if (std::invoke(pred, std::invoke(proj, *i))) ++found;
          }
          so_far += found;
        },
        [](number& so_far, number later) { so_far += later; });
  }
  template <std::ranges::input_range R, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
  TINE_ALWAYS_INLINE std::ranges::range_difference_t<R> operator()(R&& r, Pred pred, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::move(proj));
  }
};

struct count_function {
  template <std::input_iterator It, std::sentinel_for<It> End, class T, class Proj = std::identity>
    requires std::indirect_binary_predicate<std::ranges::equal_to, std::projected<It, Proj>, const T*>
  TINE_ALWAYS_INLINE std::iter_difference_t<It> operator()(It first, End last, const T& value, Proj proj = {}) const {
    return count_if_function{}(std::move(first), std::move(last), equal_to_value<T>{value}, std::move(proj));
  }
  template <std::ranges::input_range R, class T, class Proj = std::identity>
    requires std::indirect_binary_predicate<std::ranges::equal_to, std::projected<std::ranges::iterator_t<R>, Proj>,
                                            const T*>
  TINE_ALWAYS_INLINE std::ranges::range_difference_t<R> operator()(R&& r, const T& value, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), value, std::move(proj));
  }
};

}  // namespace detail

/// Returns how many items have a projection that satisfies `pred`, counted possibly in parallel. As
/// `std::ranges::count_if`.
///
///     tine::count_if(first, last, pred, proj = {})
///     tine::count_if(range, pred, proj = {})
///
/// Work O(n), span O(log n), no memory. `pred` and `proj` are called once for each item, as const, on several workers
/// at once. Exceptions and stop requests are as in `par_for`: the exception of the first item that throws is rethrown.
///
/// Source: a reduction (Blelloch 1990).
inline constexpr detail::count_if_function count_if{};

/// Returns how many items have a projection that is equal to `value`. As `std::ranges::count`; everything else is as in
/// `count_if`.
///
///     tine::count(first, last, value, proj = {})
///     tine::count(range, value, proj = {})
inline constexpr detail::count_function count{};

}  // namespace tine
