// An item that is out of its range until we know its new place. One worker uses it.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <iterator>
#include <type_traits>
#include <utility>

namespace tine::detail {

/// True if moves of such items can't throw. Types that don't say so, e.g. `std::deque`, rarely do.
template <class T>
inline constexpr bool moves_safely = std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>;

/// Moves an item to a place in its range after an exception. If the move throws, the place keeps what the failed
/// assignment left there.
template <class It, class T>
TINE_COLD void put_back(const It& at, T& item) noexcept {
  try {
    *at = std::move(item);
  } catch (...) {
    // The caller is about to throw the first exception.
  }
}

/// Holds an item that was moved out of a range, and the place in the range that is free meanwhile. If a comparison
/// throws, the destructor moves the item into that place, so that the range keeps all items.
template <class It>
class item_hole {
 public:
  using value = std::iter_value_t<It>;

  TINE_ALWAYS_INLINE explicit item_hole(It at) : item_(std::ranges::iter_move(at)), at_{std::move(at)} {}
  TINE_ALWAYS_INLINE ~item_hole() {
    if (!filled_) put_back(at_, item_);
  }
  item_hole(const item_hole&) = delete;
  item_hole& operator=(const item_hole&) = delete;

  TINE_ALWAYS_INLINE value& item() noexcept { return item_; }

  /// Moves the item at `from` into the free place, and makes its old place the free one.
  TINE_ALWAYS_INLINE void move_to(const It& from) {
    *at_ = std::ranges::iter_move(from);
    at_ = from;
  }
  /// Moves the item into the free place, and returns that.
  TINE_ALWAYS_INLINE It fill() {
    filled_ = true;
    *at_ = std::move(item_);
    return at_;
  }

 private:
  value item_;
  It at_;
  bool filled_ = false;
};

}  // namespace tine::detail
