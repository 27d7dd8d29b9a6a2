// Moves all items of a range down by a short distance, as a fold: each series of items saves its first items, because
// their new places belong to the series before it. Each object belongs to one worker at a time.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/item_hole.hpp>
#include <tine/detail/base/macros.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace tine::detail {

/// A series of items, moved down by `distance`, with its first `distance` items saved. The moves leave as many empty
/// places at the end of the series as there are saved items.
///
/// The destructor puts saved items into the empty places, so no item is lost if an exception or a stop request ends the
/// loop. If a move throws, we count the items that have moved, and none but that one is lost.
template <class It>
class moved_down {
  using item = std::iter_value_t<It>;
  using kept =
      std::conditional_t<std::same_as<item, bool>, unsigned char, item>;  // because std::vector<bool> packs its items

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
    if (!saved_.empty()) restore(0);
  }

  /// Appends the items from `begin` up to `end`. They follow the items of the series, if it has any.
  TINE_ALWAYS_INLINE void append(std::uint64_t begin, std::uint64_t end) {
    if (begin == end) return;
    if (begin_ == end_) begin_ = end_ = begin;
    if (saved_.size() != distance_) [[unlikely]]
      save_until(end);
    if (end_ == end) return;
    if constexpr (moves_safely<item>) {
      std::ranges::move(nth_item(first_, end_), nth_item(first_, end), nth_item(first_, end_ - distance_));
      end_ = end;
    } else {
      for (It from = nth_item(first_, end_), to = nth_item(first_, end_ - distance_); end_ != end; ++from, ++to, ++end_)
        *to = std::ranges::iter_move(from);
    }
  }

  /// Appends the items of the series that follows. Its saved items now have places in this series.
  TINE_COLD void append(moved_down&& later) {
    if (later.begin_ == later.end_) return;
    if (begin_ == end_) {
      begin_ = later.begin_;
      saved_ = std::exchange(later.saved_, {});
    } else {
      take_saved(later);
    }
    end_ = std::exchange(later.end_, later.begin_);
  }

  /// Moves the saved items to the last places. If the series is the whole range, that has been rotated now.
  TINE_ALWAYS_INLINE void put_saved_at_end() {
    if (saved_.empty()) return;
    const It to = nth_item(first_, end_ - saved_.size());
    if constexpr (moves_safely<item>) {
      std::ranges::move(saved_, to);
    } else {
      std::size_t k = 0;
      try {
        for (; k != saved_.size(); ++k) *nth_item(to, k) = std::move(saved_[k]);
      } catch (...) {
        restore(k);
        saved_.clear();
        throw;
      }
    }
    saved_.clear();
  }

 private:
  /// Makes memory for `wanted` more saved items, or as many as are missing. Returns their number. Saved items whose
  /// moves may throw never move to other memory, because a std::vector would lose those that can't be copied.
  std::size_t reserve(std::uint64_t wanted) {
    const std::size_t more = std::min<std::uint64_t>(wanted, distance_ - saved_.size());
    const std::size_t needed = saved_.size() + more;
    if (needed > saved_.capacity()) {
      saved_.reserve(moves_safely<item> ? std::max(needed, std::min<std::size_t>(distance_, 2 * saved_.capacity()))
                                        : distance_);
    }
    return more;
  }

  TINE_NOINLINE void save_until(std::uint64_t end) {
    const std::uint64_t stop = end_ + reserve(end - end_);
    for (It i = nth_item(first_, end_); end_ != stop; ++i, ++end_) saved_.push_back(std::ranges::iter_move(i));
  }

  /// Saves the first items that the next series has saved, and moves the others to the empty places of this series.
  void take_saved(moved_down& later) {
    const std::size_t empty = saved_.size(), missing = reserve(later.saved_.size());
    std::size_t taken = 0, filled = 0;
    const auto next_place = [&] {
      const std::size_t k = filled++;
      return nth_item(first_, k < empty ? end_ - empty + k : later.end_ - later.saved_.size() + (k - empty));
    };
    const auto move_saved = [&] {
      for (; taken != missing; ++taken) saved_.push_back(std::move(later.saved_[taken]));
      for (; taken != later.saved_.size(); ++taken) {
        const It to = next_place();
        *to = std::move(later.saved_[taken]);
      }
    };
    if constexpr (moves_safely<item>) {
      move_saved();
    } else {
      try {
        move_saved();
      } catch (...) {
        if (filled != 0) --filled;  // the item that has thrown still needs this place
        for (kept& i : saved_) put_back(next_place(), i);
        for (; taken != later.saved_.size(); ++taken) put_back(next_place(), later.saved_[taken]);
        saved_.clear();
        later.saved_.clear();
        throw;
      }
    }
    later.saved_.clear();
  }

  /// Puts the saved items from number `k` on into the empty places.
  TINE_COLD void restore(std::size_t k) noexcept {
    for (; k != saved_.size(); ++k) put_back(nth_item(first_, end_ - saved_.size() + k), saved_[k]);
  }

  It first_;
  std::uint64_t distance_;
  std::uint64_t begin_ = 0, end_ = 0;
  std::vector<kept> saved_;
};

}  // namespace tine::detail
