// An item that was moved out of its range until its new place is known. One worker uses it.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <iterator>
#include <utility>

namespace tine::detail {

/// Holds an item that was moved out of a range, and the place in the range that is free meanwhile. If a comparison
/// throws, the destructor moves the item into that place, so that the range keeps all of its items.
template <class It>
class item_hole {
 public:
  using value = std::iter_value_t<It>;

  TINE_ALWAYS_INLINE explicit item_hole(It at) : item_(std::ranges::iter_move(at)), at_{std::move(at)} {}
  TINE_ALWAYS_INLINE ~item_hole() {
    if (!filled_) restore();
  }
  item_hole(const item_hole&) = delete;
  item_hole& operator=(const item_hole&) = delete;

  TINE_ALWAYS_INLINE value& item() noexcept { return item_; }

  /// Moves the item at `from` into the free place. From then on its old place is free.
  TINE_ALWAYS_INLINE void move_to(const It& from) {
    *at_ = std::ranges::iter_move(from);
    at_ = from;
  }
  /// Moves the item into the free place, which it returns.
  TINE_ALWAYS_INLINE It fill() {
    filled_ = true;
    *at_ = std::move(item_);
    return at_;
  }

 private:
  TINE_COLD void restore() noexcept {
    try {
      *at_ = std::move(item_);
    } catch (...) {
      // The item cannot be moved: the place keeps what a failed assignment leaves there.
    }
  }

  value item_;
  It at_;
  bool filled_ = false;
};

}  // namespace tine::detail
