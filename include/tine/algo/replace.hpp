// replace, replace_if, replace_copy, replace_copy_if: put one value in the place of others.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/equal_to_value.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace tine {
namespace detail {

struct replace_if_function {
  template <std::input_iterator It, std::sentinel_for<It> End, class T, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
    requires std::indirectly_writable<It, const T&>
  TINE_ALWAYS_INLINE It operator()(It first, End last, Pred pred, const T& value, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Pred, std::indirect_result_t<Proj&, It>>());
    const std::uint64_t n = items_between(first, last);
    for_each_chunk(
        n, [first, pred, kept = kept_callable<T>{value}, proj](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
          for (It i = nth_item(first, begin), stop = nth_item(first, end); i != stop; ++i) {
            if (std::invoke(pred, std::invoke(proj, *i))) *i = kept.call;
          }
        });
    return nth_item(first, n);
  }
  template <std::ranges::input_range R, class T, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
    requires std::indirectly_writable<std::ranges::iterator_t<R>, const T&>
  TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R> operator()(R&& r, Pred pred, const T& value,
                                                                    Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(pred), value, std::move(proj));
  }
};

struct replace_function {
  template <std::input_iterator It, std::sentinel_for<It> End, class T1, class T2, class Proj = std::identity>
    requires std::indirectly_writable<It, const T2&> &&
             std::indirect_binary_predicate<std::ranges::equal_to, std::projected<It, Proj>, const T1*>
  TINE_ALWAYS_INLINE It operator()(It first, End last, const T1& old_value, const T2& new_value, Proj proj = {}) const {
    return replace_if_function{}(std::move(first), std::move(last), equal_to_value<T1>{old_value}, new_value,
                                 std::move(proj));
  }
  template <std::ranges::input_range R, class T1, class T2, class Proj = std::identity>
    requires std::indirectly_writable<std::ranges::iterator_t<R>, const T2&> &&
             std::indirect_binary_predicate<std::ranges::equal_to, std::projected<std::ranges::iterator_t<R>, Proj>,
                                            const T1*>
  TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R> operator()(R&& r, const T1& old_value, const T2& new_value,
                                                                    Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), old_value, new_value, std::move(proj));
  }
};

struct replace_copy_if_function {
  template <std::input_iterator It, std::sentinel_for<It> End, class T, std::output_iterator<const T&> Out,
            class Proj = std::identity, std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
    requires std::indirectly_copyable<It, Out>
  TINE_ALWAYS_INLINE std::ranges::replace_copy_if_result<It, Out> operator()(It first, End last, Out out, Pred pred,
                                                                             const T& value, Proj proj = {}) const {
    static_assert(check_iterators<It, End>() && check_iterators<Out>());
    static_assert(check_callable<Pred, std::indirect_result_t<Proj&, It>>());
    const std::uint64_t n = items_between(first, last);
    for_each_chunk(n, [first, out, pred, kept = kept_callable<T>{value}, proj](std::uint64_t begin, std::uint64_t end)
                          TINE_INLINED {
                            Out to = nth_item(out, begin);
                            for (It i = nth_item(first, begin), stop = nth_item(first, end); i != stop; ++i, ++to) {
                              if (std::invoke(pred, std::invoke(proj, *i))) {
                                *to = kept.call;
                              } else {
                                *to = *i;
                              }
                            }
                          });
    return {nth_item(first, n), nth_item(out, n)};
  }
  template <std::ranges::input_range R, class T, std::output_iterator<const T&> Out, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
    requires std::indirectly_copyable<std::ranges::iterator_t<R>, Out>
  TINE_ALWAYS_INLINE std::ranges::replace_copy_if_result<std::ranges::borrowed_iterator_t<R>, Out> operator()(
      R&& r, Out out, Pred pred, const T& value, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(pred), value, std::move(proj));
  }
};

struct replace_copy_function {
  template <std::input_iterator It, std::sentinel_for<It> End, class T1, class T2, std::output_iterator<const T2&> Out,
            class Proj = std::identity>
    requires std::indirectly_copyable<It, Out> &&
             std::indirect_binary_predicate<std::ranges::equal_to, std::projected<It, Proj>, const T1*>
  TINE_ALWAYS_INLINE std::ranges::replace_copy_result<It, Out> operator()(It first, End last, Out out,
                                                                          const T1& old_value, const T2& new_value,
                                                                          Proj proj = {}) const {
    return replace_copy_if_function{}(std::move(first), std::move(last), std::move(out), equal_to_value<T1>{old_value},
                                      new_value, std::move(proj));
  }
  template <std::ranges::input_range R, class T1, class T2, std::output_iterator<const T2&> Out,
            class Proj = std::identity>
    requires std::indirectly_copyable<std::ranges::iterator_t<R>, Out> &&
             std::indirect_binary_predicate<std::ranges::equal_to, std::projected<std::ranges::iterator_t<R>, Proj>,
                                            const T1*>
  TINE_ALWAYS_INLINE std::ranges::replace_copy_result<std::ranges::borrowed_iterator_t<R>, Out> operator()(
      R&& r, Out out, const T1& old_value, const T2& new_value, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(out), old_value, new_value, std::move(proj));
  }
};

}  // namespace detail

/// Assigns `value` to each item whose projection satisfies `pred`, possibly in parallel, and returns the end. As
/// `std::ranges::replace_if`. The values must not be items of the range.
///
///     tine::replace_if(first, last, pred, value, proj = {})
///     tine::replace_if(range, pred, value, proj = {})
///
/// Work O(n), span O(log n), no memory. `pred` and `proj` are called once for each item, as const, on several workers
/// at once. Exceptions and stop requests are as in `par_for`.
///
/// Source: `par_for` over the items.
inline constexpr detail::replace_if_function replace_if{};

/// As `replace_if`, for the items whose projection is equal to `old_value`. As `std::ranges::replace`.
///
///     tine::replace(first, last, old_value, new_value, proj = {})
///     tine::replace(range, old_value, new_value, proj = {})
inline constexpr detail::replace_function replace{};

/// Copies a range to `out` as `replace_if` would leave it, and returns both ends. As `std::ranges::replace_copy_if`.
/// The ranges must not overlap. Everything else is as in `replace_if`.
///
///     tine::replace_copy_if(first, last, out, pred, value, proj = {})
///     tine::replace_copy_if(range, out, pred, value, proj = {})
inline constexpr detail::replace_copy_if_function replace_copy_if{};

/// As `replace_copy_if`, for the items whose projection is equal to `old_value`. As `std::ranges::replace_copy`.
///
///     tine::replace_copy(first, last, out, old_value, new_value, proj = {})
///     tine::replace_copy(range, out, old_value, new_value, proj = {})
inline constexpr detail::replace_copy_function replace_copy{};

}  // namespace tine
