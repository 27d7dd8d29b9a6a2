// The predicate of algorithms that look for a value. Several workers call it at once.
#pragma once

#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/base/macros.hpp>

#include <utility>

namespace tine::detail {

/// Returns true for what is equal to a value. The value must live as long as the predicate, unless it is cheap to copy.
template <class T>
struct equal_to_value {
  kept_callable<T> kept;

  explicit equal_to_value(const T& value) : kept{value} {}

  template <class Item>
  TINE_ALWAYS_INLINE bool operator()(Item&& item) const {
    return static_cast<bool>(std::forward<Item>(item) == kept.call);
  }
};

}  // namespace tine::detail
