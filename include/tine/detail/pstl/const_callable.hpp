// The functions that a program passes to a standard algorithm, in the form in which tine's algorithms take theirs.
// Workers call them at the same time.
#pragma once

#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/base/macros.hpp>

#include <functional>
#include <type_traits>
#include <utility>

namespace tine::detail::pstl {

/// Calls `f` with the arguments. If `f` can't be called as const, calls a copy of it, because several workers use `f`.
template <class F, class... Args>
TINE_ALWAYS_INLINE decltype(auto) call(const F& f, Args&&... args) {
  if constexpr (std::is_invocable_v<const F&, Args...>) {
    TINE_INLINE_CALLS return f(std::forward<Args>(args)...);
  } else {
    F own = f;
    TINE_INLINE_CALLS return own(std::forward<Args>(args)...);
  }
}

/// A function that can be called as const. tine's algorithms demand that, and the standard doesn't.
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
