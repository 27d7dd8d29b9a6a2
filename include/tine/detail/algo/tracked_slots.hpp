// The slots of a merge sort: the places of the range, and as many of a buffer. Every slot is used by one worker at a
// time.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/merge_in_loop.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

namespace tine::detail {

/// The slots of items that stay in their source when they are moved.
struct untracked_slots {
  static constexpr bool is_needed = false;
  static move_item to_items() noexcept { return {}; }
  static move_item to_scratch() noexcept { return {}; }
};

/// Moves an item from a slot to another one, and notes that the first one is empty and the second one is not.
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

/// The moves between the items and the scratch space of a merge sort whose slots are tracked.
template <class X, class Y>
struct noted_slots {
  static constexpr bool is_needed = true;
  X x;
  Y y;
  bool *x_full, *y_full;

  noting_move<X, Y> to_items() const noexcept { return {x, y, x_full, y_full}; }
  noting_move<Y, X> to_scratch() const noexcept { return {y, x, y_full, x_full}; }
};

/// The slots of a range and of a buffer whose items have not begun. The slots know which of them hold an item, so that
/// none is lost when a comparison throws, and which items of the buffer have begun, so that all of these end.
template <class It>
class tracked_slots {
 public:
  using value = std::iter_value_t<It>;

  tracked_slots(const It& range, value* buffer, std::uint64_t n)
      : range_{range}, buffer_{buffer}, n_{n}, full_{std::make_unique<bool[]>(2 * static_cast<std::size_t>(n))} {}
  ~tracked_slots() {
    for (std::uint64_t k = 0; k < n_; ++k) {
      if (buffer_full(k) != has_begun_) std::destroy_at(buffer_ + k);
    }
  }
  tracked_slots(const tracked_slots&) = delete;
  tracked_slots& operator=(const tracked_slots&) = delete;

  /// Begins all items of the buffer, with those of the range.
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
  void recover() {
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
      *nth_item(range_, to) = std::move(buffer_[k]);
    }
  }

  /// Called when the range is sorted: ends the items of the buffer. From here on, a full slot is one whose item has
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
  bool& buffer_full(std::uint64_t k) const noexcept { return full_[static_cast<std::size_t>(k)]; }

  const It range_;
  value* const buffer_;
  const std::uint64_t n_;
  const std::unique_ptr<bool[]> full_;
  bool has_begun_ = false;
};

}  // namespace tine::detail
