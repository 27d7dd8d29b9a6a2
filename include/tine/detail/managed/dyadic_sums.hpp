// The sums of consecutive items, by a grouping that doesn't depend on where the items were split between workers. One
// strand at a time uses an object.
#pragma once

#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/macros.hpp>

#include <bit>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace tine::detail {

/// A stack of a few values, without allocation.
template <class T, unsigned Most>
class inline_stack {
 public:
  inline_stack() noexcept {}
  inline_stack(inline_stack&& other) noexcept(std::is_nothrow_move_constructible_v<T>) {
    for (; size_ != other.size_; ++size_) std::construct_at(values_ + size_, std::move(other.values_[size_]));
  }
  inline_stack& operator=(inline_stack&&) = delete;
  ~inline_stack() {
    if constexpr (!std::is_trivially_destructible_v<T>) std::destroy_n(values_, size_);
  }

  unsigned size() const noexcept { return size_; }
  T& operator[](unsigned i) noexcept { return values_[i]; }
  T& back() noexcept { return values_[size_ - 1]; }
  void push_back(T&& value) {
    std::construct_at(values_ + size_, std::move(value));
    ++size_;
  }
  void pop_back() noexcept { std::destroy_at(values_ + --size_); }

 private:
  unsigned size_ = 0;
  union {
    T values_[Most];
  };
};

/// The sums of the items from `begin` up to `end`. A *segment* of level k is 2^k items whose first number is a multiple
/// of 2^k. The items are the fewest segments that they can be cut into, and the sum of a segment is the sum of its two
/// halves. So the grouping inside of a segment is the same in all ranges that contain it, and two adjacent ranges are
/// put together without a new grouping.
template <class T>
class dyadic_sums {
 public:
  bool empty() const noexcept { return begin_ == end_; }
  std::uint64_t end() const noexcept { return end_; }

  /// The items start with this number. There are none yet.
  void begin_at(std::uint64_t first) noexcept { begin_ = end_ = first; }

  /// Appends the sum of the next segment, of this level.
  template <class Combine>
  TINE_ALWAYS_INLINE void push(T&& sum, unsigned level, const Combine& combine) {
    end_ += std::uint64_t{1} << level;
    T all = std::move(sum);
    for (std::uint64_t both = std::uint64_t{2} << level; end_ % both == 0 && end_ - begin_ >= both; both *= 2) {
      all = combine(std::move(sums_.back()), std::move(all));
      sums_.pop_back();
    }
    sums_.push_back(std::move(all));
  }

  /// Appends the items that follow.
  template <class Combine>
  void append(dyadic_sums&& later, const Combine& combine) {
    if (empty()) begin_at(later.begin_);
    TINE_ASSERT(end_ == later.begin_);
    unsigned i = 0;
    for (std::uint64_t at = later.begin_; at != later.end_; ++i) {
      const auto length = static_cast<unsigned>(std::bit_width(later.end_ - at)) - 1;
      const auto aligned = at == 0 ? length : static_cast<unsigned>(std::countr_zero(at));
      const unsigned level = aligned < length ? aligned : length;
      push(std::move(later.sums_[i]), level, combine);
      at += std::uint64_t{1} << level;
    }
  }

  /// Returns the sum of all items, at least one: that of the segments from the first to the last.
  template <class Combine>
  T total(const Combine& combine) && {
    T all = std::move(sums_[0]);
    for (unsigned i = 1; i < sums_.size(); ++i) all = combine(std::move(all), std::move(sums_[i]));
    return all;
  }

 private:
  // Levels rise to the segment in the middle, and fall from there.
  using stack = std::conditional_t<sizeof(T) <= 32, inline_stack<T, 128>, std::vector<T>>;

  std::uint64_t begin_ = 0, end_ = 0;
  stack sums_;
};

}  // namespace tine::detail
