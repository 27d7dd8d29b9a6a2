// copy_if, remove_copy_if, remove_copy: the items that satisfy a predicate, that don't, or that don't equal a value.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/copy_chosen.hpp>
#include <tine/detail/algo/equal_to_value.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace tine {
namespace detail {

struct copy_if_function {
  template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out,
            class Proj = std::identity, std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
    requires std::indirectly_copyable<It, Out>
  TINE_ALWAYS_INLINE std::ranges::copy_if_result<It, Out> operator()(It first, End last, Out out, Pred pred,
                                                                     Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Pred, std::indirect_result_t<Proj&, It>>());
    return copy_chosen(first, items_between(first, last), out, [pred, proj](const auto& i) TINE_INLINED -> bool {
      return static_cast<bool>(std::invoke(pred, std::invoke(proj, *i)));
    });
  }
  template <std::ranges::input_range R, std::weakly_incrementable Out, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
    requires std::indirectly_copyable<std::ranges::iterator_t<R>, Out>
  TINE_ALWAYS_INLINE std::ranges::copy_if_result<std::ranges::borrowed_iterator_t<R>, Out> operator()(
      R&& r, Out out, Pred pred, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(pred), std::move(proj));
  }
};

struct remove_copy_if_function {
  template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out,
            class Proj = std::identity, std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
    requires std::indirectly_copyable<It, Out>
  TINE_ALWAYS_INLINE std::ranges::remove_copy_if_result<It, Out> operator()(It first, End last, Out out, Pred pred,
                                                                            Proj proj = {}) const {
    static_assert(check_callable<Pred, std::indirect_result_t<Proj&, It>>());
    return copy_if_function{}(std::move(first), std::move(last), std::move(out), std::not_fn(std::move(pred)),
                              std::move(proj));
  }
  template <std::ranges::input_range R, std::weakly_incrementable Out, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
    requires std::indirectly_copyable<std::ranges::iterator_t<R>, Out>
  TINE_ALWAYS_INLINE std::ranges::remove_copy_if_result<std::ranges::borrowed_iterator_t<R>, Out> operator()(
      R&& r, Out out, Pred pred, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(pred), std::move(proj));
  }
};

struct remove_copy_function {
  template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out, class T,
            class Proj = std::identity>
    requires std::indirectly_copyable<It, Out> &&
             std::indirect_binary_predicate<std::ranges::equal_to, std::projected<It, Proj>, const T*>
  TINE_ALWAYS_INLINE std::ranges::remove_copy_result<It, Out> operator()(It first, End last, Out out, const T& value,
                                                                         Proj proj = {}) const {
    return remove_copy_if_function{}(std::move(first), std::move(last), std::move(out), equal_to_value<T>{value},
                                     std::move(proj));
  }
  template <std::ranges::input_range R, std::weakly_incrementable Out, class T, class Proj = std::identity>
    requires std::indirectly_copyable<std::ranges::iterator_t<R>, Out> &&
             std::indirect_binary_predicate<std::ranges::equal_to, std::projected<std::ranges::iterator_t<R>, Proj>,
                                            const T*>
  TINE_ALWAYS_INLINE std::ranges::remove_copy_result<std::ranges::borrowed_iterator_t<R>, Out> operator()(
      R&& r, Out out, const T& value, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(out), value, std::move(proj));
  }
};

}  // namespace detail

/// Copies the items in [first, last) whose projection satisfies `pred`, in order, possibly in parallel. As
/// `std::ranges::copy_if`. The output needs a place for each copied item, and must not overlap the input.
///
///     tine::copy_if(first, last, out, pred, proj = {})
///     tine::copy_if(range, out, pred, proj = {})
///
/// On one worker this is the sequential loop, in one pass. For trivially copyable items of at most 16 bytes it does not
/// branch where the processor would mispredict. For items that another worker takes, we first keep the answers, a bit
/// for each, and copy the items as soon as we know how many before them were chosen. Work O(n), span O(log n), as long
/// as blocks of some microseconds count as one. `pred` and `proj` are called once for each item, as const, on several
/// workers at once. Exceptions and stop requests are as in `par_for`: the exception of the first item for which `pred`
/// throws is rethrown, and leaves the output unspecified.
///
/// Source: a pack (Blelloch 1990) over the adaptive prefix of Traoré, Roch, Maillard, Gautier and Bernard (Euro-Par
/// 2008).
inline constexpr detail::copy_if_function copy_if{};

/// Copies the items whose projection does not satisfy `pred`, in order. As `std::ranges::remove_copy_if`; everything
/// else is as in `copy_if`.
///
///     tine::remove_copy_if(first, last, out, pred, proj = {})
///     tine::remove_copy_if(range, out, pred, proj = {})
inline constexpr detail::remove_copy_if_function remove_copy_if{};

/// Copies the items whose projection is not equal to `value`, in order. As `std::ranges::remove_copy`; everything else
/// is as in `copy_if`.
///
///     tine::remove_copy(first, last, out, value, proj = {})
///     tine::remove_copy(range, out, value, proj = {})
inline constexpr detail::remove_copy_function remove_copy{};

}  // namespace tine
