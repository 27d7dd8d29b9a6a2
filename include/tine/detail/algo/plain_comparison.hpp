// The comparisons of numbers that algorithms evaluate for many items at once, because calling them has no effect.
#pragma once

#include <concepts>
#include <functional>
#include <iterator>
#include <type_traits>

namespace tine::detail {

/// The comparison that a comparison object of the standard library makes of two numbers; `none`: the object may do
/// anything.
enum class plain_comparison : unsigned char { none, less, greater };

/// Returns the opposite comparison.
consteval plain_comparison opposite_of(plain_comparison c) {
  if (c == plain_comparison::none) return c;
  return c == plain_comparison::less ? plain_comparison::greater : plain_comparison::less;
}

/// True if a `T` is a number for which processors have vector instructions.
template <class T>
inline constexpr bool is_vectorisable = std::is_arithmetic_v<T> && sizeof(T) <= 8 && !std::is_same_v<T, bool>;

/// Returns the comparison that `Comp` makes of the projections by `Proj`, if these are numbers that lie side by side in
/// memory.
template <class It, class Comp, class Proj>
consteval plain_comparison plain_comparison_of() {
  if constexpr (std::contiguous_iterator<It> && std::same_as<Proj, std::identity>) {
    using number = std::iter_value_t<It>;
    if constexpr (!is_vectorisable<number> || std::is_volatile_v<std::remove_reference_t<std::iter_reference_t<It>>>) {
      return plain_comparison::none;
    } else if constexpr (std::same_as<Comp, std::ranges::less> || std::same_as<Comp, std::less<>> ||
                         std::same_as<Comp, std::less<number>>) {
      return plain_comparison::less;
    } else if constexpr (std::same_as<Comp, std::ranges::greater> || std::same_as<Comp, std::greater<>> ||
                         std::same_as<Comp, std::greater<number>>) {
      return plain_comparison::greater;
    }
  }
  return plain_comparison::none;
}

/// Returns true if `a` comes before `b` in the order of the comparison.
template <plain_comparison Order, class T>
constexpr auto precedes(const T& a, const T& b) noexcept {
  static_assert(Order != plain_comparison::none);
  if constexpr (Order == plain_comparison::less) {
    return a < b;
  } else {
    return b < a;
  }
}

}  // namespace tine::detail
