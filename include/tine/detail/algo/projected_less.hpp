// The orders by which we sort and merge: a comparison together with its projections. Several workers use them at once,
// as const.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

namespace tine::detail {

/// The order of the items of one range.
template <class Comp, class Proj>
struct projected_less {
  [[no_unique_address]] Comp comp;
  [[no_unique_address]] Proj proj;

  template <class A, class B>
  TINE_ALWAYS_INLINE bool operator()(A&& a, B&& b) const {
    return static_cast<bool>(
        std::invoke(comp, std::invoke(proj, std::forward<A>(a)), std::invoke(proj, std::forward<B>(b))));
  }
  /// As `operator()`, so that two parts of one range can be merged like two ranges.
  template <class B, class A>
  TINE_ALWAYS_INLINE bool right_first(B&& b, A&& a) const {
    return (*this)(std::forward<B>(b), std::forward<A>(a));
  }
};
template <class Comp, class Proj>
projected_less(Comp, Proj) -> projected_less<Comp, Proj>;

/// The order of the items of two sorted ranges. Equal items of the left range come first.
template <class Comp, class Proj1, class Proj2>
struct cross_order {
  [[no_unique_address]] Comp comp;
  [[no_unique_address]] Proj1 proj1;
  [[no_unique_address]] Proj2 proj2;

  /// Returns true if item `a` of the left range is less than item `b` of the right range.
  template <class A, class B>
  TINE_ALWAYS_INLINE bool left_first(A&& a, B&& b) const {
    return static_cast<bool>(
        std::invoke(comp, std::invoke(proj1, std::forward<A>(a)), std::invoke(proj2, std::forward<B>(b))));
  }
  /// Returns true if item `b` of the right range is less than item `a` of the left range.
  template <class B, class A>
  TINE_ALWAYS_INLINE bool right_first(B&& b, A&& a) const {
    return static_cast<bool>(
        std::invoke(comp, std::invoke(proj2, std::forward<B>(b)), std::invoke(proj1, std::forward<A>(a))));
  }
  template <class A>
  bool left_less(A&& a, A&& other) const {
    return static_cast<bool>(
        std::invoke(comp, std::invoke(proj1, std::forward<A>(a)), std::invoke(proj1, std::forward<A>(other))));
  }
  template <class B>
  bool right_less(B&& b, B&& other) const {
    return static_cast<bool>(
        std::invoke(comp, std::invoke(proj2, std::forward<B>(b)), std::invoke(proj2, std::forward<B>(other))));
  }
};
template <class Comp, class Proj1, class Proj2>
cross_order(Comp, Proj1, Proj2) -> cross_order<Comp, Proj1, Proj2>;

/// True for items that are copied faster than a processor recovers from a mispredicted branch. Code for them moves
/// items, or copies of them, without asking first whether they have to move.
template <class T>
inline constexpr bool is_cheap_item = std::is_trivially_copyable_v<T> && sizeof(T) <= 16;

/// True for pointers to such items.
template <class It>
inline constexpr bool is_branchless = std::is_pointer_v<It> && is_cheap_item<std::iter_value_t<It>>;

/// A callable or a value that a loop keeps: a copy if that is cheap, otherwise a reference.
template <class F>
struct kept_callable {
  std::conditional_t<std::is_trivially_copyable_v<F> && sizeof(F) <= 32 && !std::is_array_v<F>, F, const F&> call;
};
template <class F>
kept_callable(const F&) -> kept_callable<F>;

/// Returns a pointer for a contiguous iterator, so that all of these share one compiled algorithm.
template <class It>
TINE_ALWAYS_INLINE auto plain_iterator(const It& it) {
  if constexpr (std::contiguous_iterator<It>) {
    return std::to_address(it);
  } else {
    return it;
  }
}

/// As `plain_iterator`, for one of two ranges that are only read. Pointers to items of one type become pointers of one
/// type.
template <class Other, class It>
TINE_ALWAYS_INLINE auto plain_input(const It& it) {
  if constexpr (std::contiguous_iterator<It> && !std::is_same_v<It, Other>) {
    return static_cast<const std::iter_value_t<It>*>(std::to_address(it));
  } else {
    return plain_iterator(it);
  }
}

/// Stands for a position that is not known.
inline constexpr std::uint64_t no_position = std::numeric_limits<std::uint64_t>::max();

/// Returns the number of items from `first` up to `last`, which must not come before `first`.
template <class It>
TINE_ALWAYS_INLINE std::uint64_t length_of(const It& first, const It& last) {
  return static_cast<std::uint64_t>(last - first);
}

}  // namespace tine::detail
