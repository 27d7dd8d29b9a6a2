// The loop under stable_partition. Each series moves the items that don't satisfy the predicate into a buffer, and the
// others to its own front. At the end both move to their places. Each object belongs to one worker at a time.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/item_hole.hpp>
#include <tine/detail/algo/move_left.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/algo/raw_buffer.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/sched/unstoppable.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace tine::detail {

/// A series of items, of which each part was partitioned by one worker. The destructor returns the items from the
/// buffer to the range, in some order, so no item is lost if an exception or a stop request ends the loop.
template <class It>
class stable_series {
  using item = std::iter_value_t<It>;

  /// The items at the positions [begin, end) are in the range and satisfy the predicate; the other ones are in the
  /// buffer.
  struct part {
    std::uint64_t begin, end;
    item* others;
    std::uint64_t others_count;
  };

 public:
  stable_series(const It& first, item* buffer) : first_{first}, buffer_{buffer} {}
  stable_series(stable_series&&) = default;
  stable_series& operator=(stable_series&&) = delete;
  ~stable_series() { restore(); }

  /// Appends the items from `begin` up to `end`. They follow the items of the series, if it has any.
  template <class Holds>
  TINE_ALWAYS_INLINE void append(std::uint64_t begin, std::uint64_t end, const Holds& holds) {
    if (begin == end) return;
    if (parts_.empty()) parts_.push_back({begin, begin, buffer_ + begin, 0});
    part& last = parts_.back();
    It to = nth_item(first_, last.end);
    item* other = last.others + last.others_count;
    const auto note = [&] {
      last.end = length_of(first_, to);
      last.others_count = length_of(last.others, other);
    };
    try {
      for (It i = nth_item(first_, begin), stop = nth_item(first_, end); i != stop; ++i) {
        if constexpr (is_branchless<It>) {
          const bool stays = holds(*i);
          std::construct_at(other, *i);
          *to = *i;
          to += stays;
          other += !stays;
        } else if (!holds(*i)) {
          std::construct_at(other, std::ranges::iter_move(i));
          ++other;
        } else {
          if (to != i) *to = std::ranges::iter_move(i);
          ++to;
        }
      }
    } catch (...) {
      note();
      throw;
    }
    note();
  }

  /// Appends the series that follows.
  void append(stable_series&& later) {
    parts_.insert(parts_.end(), later.parts_.begin(), later.parts_.end());
    later.parts_.clear();
  }

  /// Moves all items to their places, if the series is the whole range. Returns how many satisfy the predicate. A stop
  /// request waits meanwhile: we wouldn't know which items have moved.
  std::uint64_t finish() {
    if (parts_.empty()) return 0;
    for (std::size_t k = 1; k != parts_.size(); ++k) move_down(parts_[k]);
    const std::uint64_t middle = front().end;
    for (part& p : parts_) move_from_buffer(p);
    parts_.clear();
    return middle;
  }

 private:
  part& front() { return parts_.front(); }

  /// Moves the items of a part to those of the first part. If one of the moves may throw, this worker makes all of
  /// them, and counts.
  void move_down(part& p) {
    if constexpr (moves_safely<item>) {
      tine::unstoppable([&] { move_left(nth_item(first_, p.begin), p.end - p.begin, p.begin - front().end); });
      front().end += p.end - p.begin;
      p.begin = p.end;
    } else {
      for (; p.begin != p.end; ++p.begin, ++front().end) {
        if (p.begin != front().end) *nth_item(first_, front().end) = std::ranges::iter_move(nth_item(first_, p.begin));
      }
    }
  }

  /// Moves the items of a part from the buffer behind those that are in their places.
  void move_from_buffer(part& p) {
    const auto move_one = [](item* from, const It& to) {
      *to = std::move(*from);
      std::destroy_at(from);
    };
    if constexpr (moves_safely<item>) {
      tine::unstoppable([&] {
        for_each_chunk(p.others_count, [&, from = p.others, to = nth_item(first_, front().end)](
                                           std::uint64_t begin, std::uint64_t end) TINE_INLINED {
          for (; begin != end; ++begin) move_one(from + begin, nth_item(to, begin));
        });
      });
      front().end += std::exchange(p.others_count, 0);
    } else {
      for (; p.others_count != 0; --p.others_count, ++p.others, ++front().end) {
        move_one(p.others, nth_item(first_, front().end));
      }
    }
  }

  /// Returns all items of the buffer to the places that are free.
  TINE_COLD void restore() noexcept {
    if (parts_.empty()) return;
    std::uint64_t place = front().begin;
    std::size_t next = 0;  // the part whose items are at or behind the place
    for (const part& p : parts_) {
      for (std::uint64_t k = 0; k != p.others_count; ++k, ++place) {
        for (; next != parts_.size() && place == parts_[next].begin; ++next) place = parts_[next].end;
        put_back(nth_item(first_, place), p.others[k]);
        std::destroy_at(p.others + k);
      }
    }
  }

  It first_;
  item* buffer_;
  std::vector<part> parts_;
};

/// Moves the items of a range that satisfy a predicate before all others, and keeps the order of both. Returns how many
/// satisfy it. Takes memory for as many items; throws std::bad_alloc.
template <class It, class Holds>
TINE_ALWAYS_INLINE std::uint64_t stable_partition_range(It first, std::uint64_t n, Holds holds) {
  const raw_buffer<std::iter_value_t<It>> memory{n};
  return fold_chunks(
             n, [first, buffer = memory.begin()] { return stable_series<It>{first, buffer}; },
             [holds](stable_series<It>& so_far, std::uint64_t begin, std::uint64_t end)
                 TINE_INLINED { so_far.append(begin, end, holds); },
             [](stable_series<It>& so_far, stable_series<It>&& later) { so_far.append(std::move(later)); })
      .finish();
}

}  // namespace tine::detail
