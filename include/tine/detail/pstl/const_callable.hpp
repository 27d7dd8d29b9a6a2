// The functions that a program gives to a standard algorithm, in the form in which tine's algorithms take theirs.
#pragma once

#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/base/macros.hpp>

#include <functional>
#include <type_traits>
#include <utility>

namespace tine::detail::pstl {

/// Calls `f` with the arguments. If `f` cannot be called as const, the function calls a copy of it, so that several
/// workers can use `f`.
template <class F, class... Args>
TINE_ALWAYS_INLINE decltype(auto) call(const F& f, Args&&... args) {
  if constexpr (std::is_invocable_v<const F&, Args...>) {
    TINE_INLINE_CALLS return f(std::forward<Args>(args)...);
  } else {
    F own = f;
    TINE_INLINE_CALLS return own(std::forward<Args>(args)...);
  }
}

/// A function that can be called as const, which tine's algorithms demand and the standard does not.
template <class F>
struct const_callable {
  [[no_unique_address]] F f;

  template <class... Args>
  TINE_ALWAYS_INLINE decltype(auto) operator()(Args&&... args) const {
    return call(f, std::forward<Args>(args)...);
  }
};
template <class F>
const_callable(F) -> const_callable<F>;

/// Returns the order of a comparison for tine's sorts. There are no projections.
template <class Compare>
auto order_of(const Compare& compare) {
  return projected_less{const_callable{compare}, std::identity{}};
}

/// Returns the order of a comparison for two sorted ranges.
template <class Compare>
auto order_of_two(const Compare& compare) {
  return cross_order{const_callable{compare}, std::identity{}, std::identity{}};
}

}  // namespace tine::detail::pstl
