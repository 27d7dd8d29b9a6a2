// find_if, find_last, find_first_of and their relatives: an item that satisfies a predicate, or that equals a value.
#pragma once

#include <tine/detail/algo/best_in_block.hpp>
#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/equal_to_value.hpp>
#include <tine/detail/algo/first_found.hpp>
#include <tine/detail/algo/plain_comparison.hpp>

#include <algorithm>
#include <concepts>
#include <functional>
#include <memory>
#include <utility>

namespace tine {
namespace detail {

/// Returns the iterator to the first item for which `pred` returns `Wanted`, or the end.
template <bool Wanted>
struct find_if_function {
  template <std::input_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
  TINE_ALWAYS_INLINE It operator()(It first, End last, Pred pred, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Pred, std::indirect_result_t<Proj&, It>>());
    return nth_item(first,
                    first_item_where(first, items_between(first, last), [pred, proj](const It& i) TINE_INLINED -> bool {
                      return static_cast<bool>(std::invoke(pred, std::invoke(proj, *i))) == Wanted;
                    }));
  }
  template <std::ranges::input_range R, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
  TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R> operator()(R&& r, Pred pred, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::move(proj));
  }
};

/// True if comparing the items with a `T` has no effect, so that many may be compared at once.
template <class It, class T, class Proj>
inline constexpr bool is_number_search = plain_comparison_of<It, std::ranges::less, Proj>() != plain_comparison::none &&
                                         std::same_as<std::iter_value_t<It>, T>;

/// Returns the position of the first number from `begin` up to `end` that is equal to `value`, or `end`.
template <class T>
TINE_ALWAYS_INLINE std::uint64_t first_equal_number(const T* items, std::uint64_t begin, std::uint64_t end, T value) {
  for (; end - begin >= short_block; begin += short_block) {
    const std::size_t at = first_in_block<short_block>(items + begin, value);
    if (at != short_block) return begin + at;
  }
  while (begin != end && !(items[begin] == value)) ++begin;
  return begin;
}

struct find_function {
  template <std::input_iterator It, std::sentinel_for<It> End, class T, class Proj = std::identity>
    requires std::indirect_binary_predicate<std::ranges::equal_to, std::projected<It, Proj>, const T*>
  TINE_ALWAYS_INLINE It operator()(It first, End last, const T& value, Proj proj = {}) const {
    if constexpr (is_number_search<It, T, Proj>) {
      static_assert(check_iterators<It, End>());
      const std::uint64_t n = items_between(first, last);
      return nth_item(first, first_found(n, [items = std::to_address(first), n, value](std::uint64_t begin,
                                                                                       std::uint64_t end) TINE_INLINED {
                        const std::uint64_t at = first_equal_number<T>(items, begin, end, value);
                        return at == end ? n : at;
                      }));
    } else {
      return find_if_function<true>{}(std::move(first), std::move(last), equal_to_value<T>{value}, std::move(proj));
    }
  }
  template <std::ranges::input_range R, class T, class Proj = std::identity>
    requires std::indirect_binary_predicate<std::ranges::equal_to, std::projected<std::ranges::iterator_t<R>, Proj>,
                                            const T*>
  TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R> operator()(R&& r, const T& value, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), value, std::move(proj));
  }
};

/// Returns the subrange from the last item for which `pred` returns `Wanted`; an empty one at the end if there is none.
template <bool Wanted>
struct find_last_if_function {
  template <std::forward_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
  TINE_ALWAYS_INLINE std::ranges::subrange<It> operator()(It first, End last, Pred pred, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Pred, std::indirect_result_t<Proj&, It>>());
    const std::uint64_t n = items_between(first, last);
    const std::uint64_t found = last_item_where(first, n, [pred, proj](const It& i) TINE_INLINED -> bool {
      return static_cast<bool>(std::invoke(pred, std::invoke(proj, *i))) == Wanted;
    });
    return {nth_item(first, found), nth_item(first, n)};
  }
  template <std::ranges::forward_range R, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
  TINE_ALWAYS_INLINE std::ranges::borrowed_subrange_t<R> operator()(R&& r, Pred pred, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::move(proj));
  }
};

struct find_last_function {
  template <std::forward_iterator It, std::sentinel_for<It> End, class T, class Proj = std::identity>
    requires std::indirect_binary_predicate<std::ranges::equal_to, std::projected<It, Proj>, const T*>
  TINE_ALWAYS_INLINE std::ranges::subrange<It> operator()(It first, End last, const T& value, Proj proj = {}) const {
    return find_last_if_function<true>{}(std::move(first), std::move(last), equal_to_value<T>{value}, std::move(proj));
  }
  template <std::ranges::forward_range R, class T, class Proj = std::identity>
    requires std::indirect_binary_predicate<std::ranges::equal_to, std::projected<std::ranges::iterator_t<R>, Proj>,
                                            const T*>
  TINE_ALWAYS_INLINE std::ranges::borrowed_subrange_t<R> operator()(R&& r, const T& value, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), value, std::move(proj));
  }
};

struct find_first_of_function {
  template <std::input_iterator It1, std::sentinel_for<It1> End1, std::forward_iterator It2,
            std::sentinel_for<It2> End2, class Pred = std::ranges::equal_to, class Proj1 = std::identity,
            class Proj2 = std::identity>
    requires std::indirectly_comparable<It1, It2, Pred, Proj1, Proj2>
  TINE_ALWAYS_INLINE It1 operator()(It1 first1, End1 last1, It2 first2, End2 last2, Pred pred = {}, Proj1 proj1 = {},
                                    Proj2 proj2 = {}) const {
    static_assert(check_iterators<It1, End1>());
    static_assert(check_callable<Pred, std::indirect_result_t<Proj1&, It1>, std::indirect_result_t<Proj2&, It2>>());
    const auto is_one = [first2, last2, pred, proj1, proj2](const It1& i) TINE_INLINED -> bool {
      for (It2 j = first2; j != last2; ++j) {
        if (std::invoke(pred, std::invoke(proj1, *i), std::invoke(proj2, *j))) return true;
      }
      return false;
    };
    return nth_item(first1, first_item_where(first1, items_between(first1, last1), is_one));
  }
  template <std::ranges::input_range R1, std::ranges::forward_range R2, class Pred = std::ranges::equal_to,
            class Proj1 = std::identity, class Proj2 = std::identity>
    requires std::indirectly_comparable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>, Pred, Proj1, Proj2>
  TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R1> operator()(R1&& r1, R2&& r2, Pred pred = {}, Proj1 proj1 = {},
                                                                     Proj2 proj2 = {}) const {
    static_assert(check_range<R1>());
    return (*this)(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2), std::ranges::end(r2),
                   std::move(pred), std::move(proj1), std::move(proj2));
  }
};

struct contains_function {
  template <std::input_iterator It, std::sentinel_for<It> End, class T, class Proj = std::identity>
    requires std::indirect_binary_predicate<std::ranges::equal_to, std::projected<It, Proj>, const T*>
  TINE_ALWAYS_INLINE bool operator()(It first, End last, const T& value, Proj proj = {}) const {
    return find_function{}(first, last, value, std::move(proj)) != last;
  }
  template <std::ranges::input_range R, class T, class Proj = std::identity>
    requires std::indirect_binary_predicate<std::ranges::equal_to, std::projected<std::ranges::iterator_t<R>, Proj>,
                                            const T*>
  TINE_ALWAYS_INLINE bool operator()(R&& r, const T& value, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), value, std::move(proj));
  }
};

}  // namespace detail

/// Returns an iterator to the first item whose projection satisfies `pred`, or the end. As `std::ranges::find_if`. No
/// worker looks at items behind the result, once it has been found; workers that look at some meanwhile stop at the
/// ends of their chunks.
///
///     tine::find_if(first, last, pred, proj = {})
///     tine::find_if(range, pred, proj = {})
///
/// Work O(k) on one worker and O(n) at most, where k is the position of the result; span O(log n); no memory. `pred`
/// and `proj` are called at most once for each item, as const, on several workers at once. Exceptions and stop requests
/// are as in `par_for`; an exception for an item behind the result is dropped.
///
/// Source: a reduction that ends early.
inline constexpr detail::find_if_function<true> find_if{};

/// Returns an iterator to the first item whose projection does not satisfy `pred`, or the end. As
/// `std::ranges::find_if_not`; everything else is as in `find_if`.
///
///     tine::find_if_not(first, last, pred, proj = {})
///     tine::find_if_not(range, pred, proj = {})
inline constexpr detail::find_if_function<false> find_if_not{};

/// Returns an iterator to the first item whose projection is equal to `value`, or the end. As `std::ranges::find`.
///
///     tine::find(first, last, value, proj = {})
///     tine::find(range, value, proj = {})
///
/// We vectorise the search for a number among numbers of its type that lie side by side. Everything else is as in
/// `find_if`.
inline constexpr detail::find_function find{};

/// Returns the subrange from the last item whose projection satisfies `pred` to the end; an empty subrange at the end
/// if there is none. As `std::ranges::find_last_if` of C++23. The search starts at the end: no worker looks at items
/// before the result, once it has been found.
///
///     tine::find_last_if(first, last, pred, proj = {})
///     tine::find_last_if(range, pred, proj = {})
///
/// Everything else is as in `find_if`, from the end.
inline constexpr detail::find_last_if_function<true> find_last_if{};

/// As `find_last_if`, for the last item whose projection does not satisfy `pred`.
///
///     tine::find_last_if_not(first, last, pred, proj = {})
///     tine::find_last_if_not(range, pred, proj = {})
inline constexpr detail::find_last_if_function<false> find_last_if_not{};

/// As `find_last_if`, for the last item whose projection is equal to `value`.
///
///     tine::find_last(first, last, value, proj = {})
///     tine::find_last(range, value, proj = {})
inline constexpr detail::find_last_function find_last{};

/// Returns an iterator to the first item of the first range for which `pred` is true with an item of the second one, or
/// the end. As `std::ranges::find_first_of`. The second range may be a list.
///
///     tine::find_first_of(first1, last1, first2, last2, pred = {}, proj1 = {}, proj2 = {})
///     tine::find_first_of(range1, range2, pred = {}, proj1 = {}, proj2 = {})
///
/// For a result at position k and m items in the second range: work O(k m) on one worker and O(n m) at most; span O(m +
/// log n); no memory. Callables are called as const, on several workers at once. Exceptions and stop requests are as in
/// `par_for`; an exception for an item behind the result is dropped.
///
/// Source: a reduction that ends early.
inline constexpr detail::find_first_of_function find_first_of{};

/// Returns true if the projection of an item is equal to `value`. As `std::ranges::contains` of C++23.
///
///     tine::contains(first, last, value, proj = {})
///     tine::contains(range, value, proj = {})
///
/// Everything else is as in `find`.
inline constexpr detail::contains_function contains{};

}  // namespace tine
