// transform_reduce: combines a function of each item, or of each pair of items, by an operation.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/reduce_values.hpp>

#include <utility>

namespace tine {
namespace detail {

/// Two iterators that move together.
template <class It1, class It2>
struct iterator_pair {
  It1 one;
  It2 two;

  TINE_ALWAYS_INLINE iterator_pair& operator++() {
    ++one;
    ++two;
    return *this;
  }
  friend TINE_ALWAYS_INLINE auto operator-(const iterator_pair& a, const iterator_pair& b) { return a.one - b.one; }
  friend TINE_ALWAYS_INLINE bool operator==(const iterator_pair& a, const iterator_pair& b) { return a.one == b.one; }
};

/// As `nth_item`, for both iterators.
template <class It1, class It2>
TINE_ALWAYS_INLINE iterator_pair<It1, It2> nth_item(const iterator_pair<It1, It2>& first, std::uint64_t k) {
  return {nth_item(first.one, k), nth_item(first.two, k)};
}

struct transform_reduce_function {
  template <std::input_iterator It, std::sentinel_for<It> End, class T, class Op, std::copy_constructible F>
    requires reduction_of<Op, T, std::indirect_result_t<F&, It>>
  TINE_ALWAYS_INLINE T operator()(It first, End last, T init, Op op, F f) const {
    static_assert(check_iterators<It, End>() && check_callable<F, std::iter_reference_t<It>>());
    static_assert(check_callable<Op, T, T>() && check_callable<Op, T, std::indirect_result_t<F&, It>>());
    return reduce_values(first, items_between(first, last), std::move(init), std::move(op),
                         [f = std::move(f)](const It& i) TINE_INLINED -> decltype(auto) { return std::invoke(f, *i); });
  }
  template <std::ranges::input_range R, class T, class Op, std::copy_constructible F>
    requires reduction_of<Op, T, std::indirect_result_t<F&, std::ranges::iterator_t<R>>>
  TINE_ALWAYS_INLINE T operator()(R&& r, T init, Op op, F f) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(init), std::move(op), std::move(f));
  }
  template <std::input_iterator It1, std::sentinel_for<It1> End1, std::input_iterator It2, class T,
            class Op = std::plus<>, std::copy_constructible F = std::multiplies<>>
    requires reduction_of<Op, T, std::indirect_result_t<F&, It1, It2>>
  TINE_ALWAYS_INLINE T operator()(It1 first1, End1 last1, It2 first2, T init, Op op = {}, F f = {}) const {
    static_assert(check_iterators<It1, End1>() && check_iterators<It2>());
    static_assert(check_callable<F, std::iter_reference_t<It1>, std::iter_reference_t<It2>>());
    static_assert(check_callable<Op, T, T>() && check_callable<Op, T, std::indirect_result_t<F&, It1, It2>>());
    using both = iterator_pair<It1, It2>;
    return reduce_values(both{first1, first2}, items_between(first1, last1), std::move(init), std::move(op),
                         [f = std::move(f)](const both& i)
                             TINE_INLINED -> decltype(auto) { return std::invoke(f, *i.one, *i.two); });
  }
  template <std::ranges::input_range R1, std::ranges::input_range R2, class T, class Op = std::plus<>,
            std::copy_constructible F = std::multiplies<>>
    requires reduction_of<Op, T, std::indirect_result_t<F&, std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>>>
  TINE_ALWAYS_INLINE T operator()(R1&& r1, R2&& r2, T init, Op op = {}, F f = {}) const {
    static_assert(check_range<R1>() && check_range<R2>());
    const auto first1 = std::ranges::begin(r1);
    const auto first2 = std::ranges::begin(r2);
    const std::uint64_t n =
        std::min(items_between(first1, std::ranges::end(r1)), items_between(first2, std::ranges::end(r2)));
    return (*this)(first1, nth_item(first1, n), first2, std::move(init), std::move(op), std::move(f));
  }
};

}  // namespace detail

/// Returns `op(init, op(f(item 0), op(f(item 1), ...)))` over the items in [first, last), in any grouping, computed
/// possibly in parallel. As `std::transform_reduce`, but we keep the order of the items: everything that `reduce` says
/// of `op` and of the result holds here.
///
///     tine::transform_reduce(first, last, init, op, f)
///     tine::transform_reduce(range, init, op, f)
///     tine::transform_reduce(first1, last1, first2, init, op = {}, f = {})
///     tine::transform_reduce(range1, range2, init, op = {}, f = {})
///
/// Work O(n), span O(log n), no memory, if a call of `op` takes O(1). `f` and `op` are called once for each item, as
/// const, on several workers at once. Exceptions and stop requests are as in `par_for`: the exception of the first item
/// that throws is rethrown.
///
/// As `transform_reduce(first, last, init, op, f)` over `f(item of the first range, item of the second range)`: an
/// inner product if you leave out `op` and `f`. The second range starts at `first2` and is at least as long as the
/// first one.
///
/// Source: Blelloch 1990.
inline constexpr detail::transform_reduce_function transform_reduce{};

}  // namespace tine
