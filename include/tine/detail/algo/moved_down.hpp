// Moves all items of a range down by a short distance, as a fold: each series of items saves its first items, because
// their new places belong to the series before it. Each object belongs to one worker at a time.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/base/macros.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace tine::detail {

/// A series of items, moved down by `distance`; the first `distance` of them are saved. The moved items leave the last
/// places of the series empty, as many as there are saved items.
///
/// The destructor puts saved items into the empty places, so no item is lost if an exception or a stop request ends the
/// loop. (It does not if moving can throw.)
template <class It>
class moved_down {
  using item = std::iter_value_t<It>;
  using kept =
      std::conditional_t<std::same_as<item, bool>, unsigned char, item>;  // because std::vector<bool> packs its items
  static constexpr bool is_restored =
      std::is_nothrow_move_constructible_v<item> && std::is_nothrow_move_assignable_v<item>;

 public:
  moved_down(const It& first, std::uint64_t distance) : first_{first}, distance_{distance} {}
  moved_down(moved_down&& other)
      : first_{other.first_},
        distance_{other.distance_},
        begin_{other.begin_},
        end_{std::exchange(other.end_, other.begin_)},
        saved_{std::exchange(other.saved_, {})} {}
  moved_down& operator=(moved_down&&) = delete;
  ~moved_down() {
    if constexpr (is_restored) put_saved_at_end();
  }

  /// Appends the items from `begin` up to `end`. They follow those that the series has, if any.
  TINE_ALWAYS_INLINE void append(std::uint64_t begin, std::uint64_t end) {
    if (begin == end) return;
    if (begin_ == end_) begin_ = end_ = begin;
    if (saved_.size() != distance_) [[unlikely]]
      save_until(end);
    if (end_ == end) return;
    std::ranges::move(nth_item(first_, end_), nth_item(first_, end), nth_item(first_, end_ - distance_));
    end_ = end;
  }

  /// Appends the items of the series that follows. Its saved items now have places in this series.
  TINE_COLD void append(moved_down&& later) {
    if (later.begin_ == later.end_) return;
    if (begin_ == end_) {
      begin_ = later.begin_;
      saved_ = std::move(later.saved_);
    } else {
      const std::size_t saved = reserve(later.saved_.size());
      const auto rest = later.saved_.begin() + static_cast<std::ptrdiff_t>(saved);
      for (auto i = later.saved_.begin(); i != rest; ++i) saved_.push_back(std::move(*i));
      if (rest != later.saved_.end()) {
        std::ranges::move(rest, later.saved_.end(), nth_item(first_, later.begin_ + saved - distance_));
      }
    }
    end_ = std::exchange(later.end_, later.begin_);
    later.saved_.clear();
  }

  /// Moves the saved items to the last places. If the series is the whole range, the range has then been rotated.
  TINE_ALWAYS_INLINE void put_saved_at_end() {
    if (saved_.empty()) return;
    std::ranges::move(saved_, nth_item(first_, end_ - saved_.size()));
    saved_.clear();
  }

 private:
  /// Makes memory for more saved items; `wanted` of them, or as many as are missing. Returns their number.
  std::size_t reserve(std::uint64_t wanted) {
    const std::size_t more = std::min<std::uint64_t>(wanted, distance_ - saved_.size());
    const std::size_t needed = saved_.size() + more;
    if (needed > saved_.capacity()) {
      saved_.reserve(std::max(needed, std::min<std::size_t>(distance_, 2 * saved_.capacity())));
    }
    return more;
  }

  TINE_NOINLINE void save_until(std::uint64_t end) {
    const std::uint64_t stop = end_ + reserve(end - end_);
    for (It i = nth_item(first_, end_); end_ != stop; ++i, ++end_) saved_.push_back(std::ranges::iter_move(i));
  }

  It first_;
  std::uint64_t distance_;
  std::uint64_t begin_ = 0, end_ = 0;
  std::vector<kept> saved_;
};

}  // namespace tine::detail
