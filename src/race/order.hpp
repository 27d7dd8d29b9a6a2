// The serial order of strands, and which earlier strands are parallel to the running one. The data of one context
// (context.hpp): only the thread that runs the context touches it.
//
// A strand is identified by a number that grows in the serial order. At a fork the first branch gets a number `lo`, and
// the second branch a number `hi`: all numbers in [lo, hi) belong to the first branch, and are parallel to everything
// that runs until the join. A loop is one such interval, whose end moves up with each iteration. A strand in no open
// interval is in series with the running one.
//
// Lemma (intervals): the open intervals are disjoint, and sorted by their numbers and by their nesting. Proof: an
// interval is opened when its first branch has ended, so it lies above all numbers of the intervals that are open then,
// and the newest interval is closed first.
#pragma once

#include "race/growing_list.hpp"

#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/observer.hpp>

#include <algorithm>
#include <cstdint>

namespace tine::detail {

/// The number of a strand. 0: no strand.
using strand_number = std::uint32_t;

/// The set of earlier strands that are parallel to the running strand.
class order {
 public:
  struct interval {
    strand_number lo, hi;
    std::uint32_t construct;  ///< the position of the fork or loop among the open ones
  };

  /// Returns true if it is known without a search that strand `s` is in series with the running one. Returns false for
  /// unknown cases.
  TINE_ALWAYS_INLINE bool is_surely_in_series(strand_number s) const noexcept { return s - gap_begin_ < gap_length_; }

  /// Returns true if it is known without a search that strand `s` is parallel to the running one. Returns false for
  /// unknown cases.
  TINE_ALWAYS_INLINE bool is_surely_parallel(strand_number s) const noexcept {
    return s - inner_begin_ < inner_length_ || s - found_begin_ < found_length_;
  }

  /// Returns the interval that contains the strand; null if the strand is in series with the running one.
  const interval* find(strand_number s) noexcept {
    const interval *const begin = open_.begin(), *const end = open_.end();
    const interval* const at =
        std::upper_bound(begin, end, s, [](strand_number n, const interval& i) { return n < i.hi; });
    if (at != end && at->lo <= s) {
      found_begin_ = at->lo;
      found_length_ = at->hi - at->lo;
      return at;
    }
    gap_begin_ = at == begin ? 0 : at[-1].hi;
    gap_length_ = (at == end ? last_ + 1 : at->lo) - gap_begin_;
    return nullptr;
  }

  /// Returns the number of a new strand.
  TINE_ALWAYS_INLINE strand_number next() noexcept { return ++last_; }
  /// Returns the number that was given last.
  strand_number last() const noexcept { return last_; }

  /// Opens an interval. Returns false if there is no memory for it.
  bool push(strand_number lo, strand_number hi, std::uint32_t construct) noexcept {
    end_gap_at(lo);
    inner_begin_ = lo;
    inner_length_ = hi - lo;
    return open_.push({lo, hi, construct});
  }
  /// Moves the end of the newest interval up.
  TINE_ALWAYS_INLINE void extend(strand_number hi) noexcept {
    interval& newest = open_.back();
    end_gap_at(newest.hi);
    newest.hi = hi;
    inner_length_ = hi - inner_begin_;
  }
  void pop() noexcept {
    if (open_.back().lo == found_begin_) found_length_ = 0;
    open_.pop();
    inner_begin_ = open_.empty() ? 0 : open_.back().lo;
    inner_length_ = open_.empty() ? 0 : open_.back().hi - inner_begin_;
  }

 private:
  /// Numbers from `begin` on are no longer in series with the running strand.
  TINE_ALWAYS_INLINE void end_gap_at(strand_number begin) noexcept {
    if (gap_begin_ + gap_length_ > begin) [[unlikely]]
      gap_length_ = gap_begin_ < begin ? begin - gap_begin_ : 0;
  }

  growing_list<interval> open_;
  strand_number last_ = 0;
  strand_number gap_begin_ = 0, gap_length_ = 0;  ///< numbers that are known to be in series with the running strand
  strand_number inner_begin_ = 0, inner_length_ = 0;  ///< the newest interval
  strand_number found_begin_ = 0, found_length_ = 0;  ///< the interval that `find` found last, as long as it is open
};

}  // namespace tine::detail
