// The slots of a merge sort: the places of the range, and as many of a buffer. One worker at a time uses a slot.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/item_hole.hpp>
#include <tine/detail/algo/merge_in_loop.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

namespace tine::detail {

/// For items that stay in their source when they are moved.
struct untracked_slots {
  static constexpr bool is_needed = false;
  static move_item to_items() noexcept { return {}; }
  static move_item to_scratch() noexcept { return {}; }
};

/// Moves an item from a slot to another one, and notes that the first is empty now and the second is not.
template <class Out, class In>
struct noting_move {
  Out outs;
  In ins;
  bool *out_full, *in_full;

  TINE_ALWAYS_INLINE void operator()(const Out& out, const In& in) const {
    *out = std::ranges::iter_move(in);
    in_full[in - ins] = false;
    out_full[out - outs] = true;
  }
};

/// The moves between the items and the scratch space of a merge sort with tracked slots.
template <class X, class Y>
struct noted_slots {
  static constexpr bool is_needed = true;
  X x;
  Y y;
  bool *x_full, *y_full;

  noting_move<X, Y> to_items() const noexcept { return {x, y, x_full, y_full}; }
  noting_move<Y, X> to_scratch() const noexcept { return {y, x, y_full, x_full}; }
};

/// The slots of a range, and of a buffer whose items don't exist yet. We track which slots hold an item, so that none
/// is lost when a comparison throws. We also track the buffer's items that have started, so that all of these end.
template <class It>
class tracked_slots {
 public:
  using value = std::iter_value_t<It>;

  tracked_slots(const It& range, value* buffer, std::uint64_t n)
      : range_{range}, buffer_{buffer}, n_{n}, full_{std::make_unique<bool[]>(2 * n)} {}
  ~tracked_slots() {
    for (std::uint64_t k = 0; k < n_; ++k) {
      if (buffer_full(k) != has_begun_) std::destroy_at(buffer_ + k);
    }
  }
  tracked_slots(const tracked_slots&) = delete;
  tracked_slots& operator=(const tracked_slots&) = delete;

  /// Starts all items of the buffer with those of the range.
  void move_to_buffer() {
    for_each_chunk(n_, [this](std::uint64_t begin, std::uint64_t end) {
      for (; begin != end; ++begin) {
        std::construct_at(buffer_ + begin, std::ranges::iter_move(nth_item(range_, begin)));
        buffer_full(begin) = true;
      }
    });
    has_begun_ = true;
  }

  /// Returns the slots for the sorter, whose items are in the buffer.
  noted_slots<value*, It> noted() const noexcept { return {buffer_, range_, full_.get(), full_.get() + n_}; }

  /// Called after an exception: moves all items back into the range, in some order.
  void recover() noexcept {
    std::uint64_t to = 0;
    for (std::uint64_t k = 0; k < n_; ++k) {
      if (!buffer_full(k)) continue;
      if (!has_begun_) {
        to = k;
      } else {
        while (full_[n_ + to]) ++to;
        full_[n_ + to] = true;
        buffer_full(k) = false;
      }
      put_back(nth_item(range_, to), buffer_[k]);
    }
  }

  /// Called when the range is sorted: ends the items of the buffer. From here on "full" means that the slot's item has
  /// ended.
  void end_buffer() {
    for_each_chunk(n_, [this](std::uint64_t begin, std::uint64_t end) {
      for (; begin != end; ++begin) {
        std::destroy_at(buffer_ + begin);
        buffer_full(begin) = true;
      }
    });
  }

 private:
  bool& buffer_full(std::uint64_t k) const noexcept { return full_[k]; }

  const It range_;
  value* const buffer_;
  const std::uint64_t n_;
  const std::unique_ptr<bool[]> full_;
  bool has_begun_ = false;
};

}  // namespace tine::detail
