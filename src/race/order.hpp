// The serial order of strands, and which earlier strands are parallel to the running one. Data of one context
// (context.hpp): only the thread that runs the context touches it.
//
// A strand has a number that grows in the serial order. At a fork the first branch gets a number `lo`, and the second
// branch a number `hi`. All numbers in [lo, hi) belong to the first branch, and are parallel to everything that runs
// until the join. A loop is one such interval, whose end moves up with each iteration. A strand outside of all open
// intervals is in series with the running one.
//
// A task of a group runs where it is added, like a first branch, and its interval stays open until the wait. So it may
// outlive the construct in which the task was added: the construct's interval then has a gap there.
//
// Lemma (intervals): the open intervals are disjoint, and sorted by their numbers. Without groups they are also sorted
// by their nesting. Proof: an interval is opened when its first branch or its task has ended, so it lies above all
// numbers of the intervals that were open when that began. It leaves out those that were opened since and are still
// open. Without groups there are none of these, and the newest interval is closed first.
#pragma once

#include "race/growing_list.hpp"

#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/observer.hpp>

#include <algorithm>
#include <cstdint>

namespace tine::detail {

/// The number of a strand. 0: no strand.
using strand_number = std::uint32_t;

/// The owner keeps an interval open: a fork or loop, by its position among the open ones; a task group, by its number
/// and `of_group`; or other roots.
using interval_owner = std::uint32_t;
inline constexpr interval_owner of_group = interval_owner{1} << 31;
inline constexpr interval_owner other_roots = ~interval_owner{0};
inline constexpr bool is_group(interval_owner o) noexcept { return (o & of_group) != 0 && o != other_roots; }

/// The set of earlier strands that are parallel to the running strand.
class order {
 public:
  struct interval {
    strand_number lo, hi;
    interval_owner owner;
  };

  /// Returns true if we know without a search that strand `s` is in series with the running one; false if we don't
  /// know.
  TINE_ALWAYS_INLINE bool is_surely_in_series(strand_number s) const noexcept { return s - gap_begin_ < gap_length_; }

  /// Returns true if we know without a search that strand `s` is parallel to the running one and outlasts it; false if
  /// we don't know.
  TINE_ALWAYS_INLINE bool surely_outlasts(strand_number s) const noexcept {
    return s - inner_begin_ < inner_length_ || s - found_begin_ < found_length_;
  }

  /// Returns true if the strands of the interval outlast the running one: each later strand that is parallel to the
  /// running one is parallel to them, too. With forks and loops alone this is always so (shadow.hpp).
  ///
  /// Lemma (outlasts): it is so for two kinds of intervals. (a) Those of the group whose task is the innermost one that
  /// runs: the same wait ends both. (b) Those of a construct inside of that task: the construct is joined before the
  /// task ends. All others may be closed while the task is still open.
  bool outlasts(const interval& i) const noexcept {
    if (!is_mixed()) return true;
    if (i.owner >= interrupted_ && !is_group(i.owner)) return false;
    return (i.owner & of_group) != 0 ? i.owner == task_group_ : i.owner >= task_depth_;
  }
  /// Returns false if all open intervals are those of forks and loops, no task runs, and no team is interrupted.
  bool is_mixed() const noexcept { return loose_ != 0 || task_depth_ != 0 || is_interrupted(); }

  /// Returns the interval that contains the strand; null if the strand is in series with the running one.
  const interval* find(strand_number s) noexcept {
    const interval *const begin = open_.begin(), *const end = open_.end();
    const interval* const at =
        std::upper_bound(begin, end, s, [](strand_number n, const interval& i) { return n < i.hi; });
    if (at != end && at->lo <= s) {
      if (outlasts(*at)) {
        found_begin_ = at->lo;
        found_length_ = at->hi - at->lo;
      }
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

  /// Opens an interval above all others, but for those that lie inside of it: these stay, and it gets gaps there.
  /// Returns false if there is no memory for it.
  bool push(strand_number lo, strand_number hi, interval_owner owner) noexcept {
    end_gap_at(lo);
    if (loose_ != 0 || (owner & of_group) != 0) return push_around(lo, hi, owner);
    inner_begin_ = lo;
    inner_length_ = owner < interrupted_ ? hi - lo : 0;
    return open_.push({lo, hi, owner});
  }
  /// Moves the end of a loop's interval up. `first`: the first strand of the loop. Returns false if there is no memory.
  TINE_ALWAYS_INLINE bool extend(strand_number hi, interval_owner owner, strand_number first) noexcept {
    if (open_.empty() || open_.back().owner != owner) [[unlikely]]
      return extend_around(hi, owner, first);
    interval& newest = open_.back();
    end_gap_at(newest.hi);
    newest.hi = hi;
    if (inner_length_ != 0) inner_length_ = hi - inner_begin_;
    return true;
  }
  /// Returns true if the newest interval is the owner's and outlasts the running strand. Then `extend_by_next` may
  /// replace `extend` until a number is given or another interval opens.
  bool can_extend_by_next(interval_owner owner) const noexcept {
    return !open_.empty() && open_[open_.size() - 1].owner == owner && open_[open_.size() - 1].hi == last_ &&
           inner_length_ != 0;
  }
  /// Returns the number of a new strand, and moves the end of the newest interval up to it.
  TINE_ALWAYS_INLINE strand_number extend_by_next() noexcept {
    interval& newest = open_.back();
    end_gap_at(newest.hi);
    ++inner_length_;
    return newest.hi = ++last_;
  }
  /// Closes the intervals of the innermost construct.
  void pop(interval_owner owner) noexcept {
    if (has_had_loose_) [[unlikely]]
      return remove(owner, 0);
    if (open_.back().lo == found_begin_) found_length_ = 0;
    open_.pop();
    find_inner();
  }

  // --- groups (order.cpp) ------------------------------------------------------------------------------------------

  /// A task starts or ends. `depth`: the number of open constructs with the innermost task that now runs, itself
  /// included; 0: none runs. `group`: that task's.
  void set_task(std::uint32_t depth, interval_owner group) noexcept;
  std::uint32_t task_depth() const noexcept { return task_depth_; }
  /// Closes all intervals of the owner. Appends those below strand `from` to `closed`.
  void remove(interval_owner owner, strand_number from, growing_list<interval>* closed = nullptr) noexcept;
  /// Opens an interval below others, where none is. Returns false if there is no memory for it.
  bool insert(strand_number lo, strand_number hi, interval_owner owner) noexcept;
  bool has(interval_owner owner) const noexcept;

  /// A member of the team pauses in the midst of a phase. From now on a strand of the team may be in series with an
  /// earlier one, and a later strand that is parallel to the running one need not be parallel to that.
  void interrupt(interval_owner team) noexcept;
  bool is_interrupted() const noexcept { return interrupted_ != no_owner; }
  /// The phase has ended.
  void end_interruption(interval_owner team) noexcept;
  /// Closes the intervals of the owner from strand `from` on, and opens others for all strands in these ranges that are
  /// in no interval. The ranges ascend from `from` on. Returns false if there is no memory for them.
  bool replace(interval_owner owner, strand_number from, const growing_list<interval>& ranges) noexcept;

  /// Returns true if a task is open that began at strand `from` or later.
  bool has_loose_from(strand_number from) const noexcept { return loose_ != 0 && open_[open_.size() - 1].lo >= from; }
  /// All intervals, in their order.
  const growing_list<interval>& all() const noexcept { return open_; }
  void clear() noexcept;

 private:
  bool push_around(strand_number lo, strand_number hi, interval_owner owner) noexcept;
  TINE_COLD bool extend_around(strand_number hi, interval_owner owner, strand_number first) noexcept;

  /// Numbers from `begin` on are not in series with the running strand any more.
  TINE_ALWAYS_INLINE void end_gap_at(strand_number begin) noexcept {
    if (gap_begin_ + gap_length_ > begin) [[unlikely]]
      gap_length_ = gap_begin_ < begin ? begin - gap_begin_ : 0;
  }
  void find_inner() noexcept {
    const bool counts = !open_.empty() && outlasts(open_.back());
    inner_begin_ = counts ? open_.back().lo : 0;
    inner_length_ = counts ? open_.back().hi - inner_begin_ : 0;
  }

  growing_list<interval> open_;
  strand_number last_ = 0;
  strand_number gap_begin_ = 0, gap_length_ = 0;      ///< numbers that we know to be in series with the running strand
  strand_number inner_begin_ = 0, inner_length_ = 0;  ///< the newest interval, if it outlasts the running strand
  strand_number found_begin_ = 0, found_length_ = 0;  ///< so does the interval that `find` found last, while it is open
  std::uint32_t loose_ = 0;                           ///< number of intervals that belong to no construct
  bool has_had_loose_ = false;                        ///< a construct may have several intervals
  std::uint32_t task_depth_ = 0;
  interval_owner task_group_ = 0;
  static constexpr interval_owner no_owner = of_group;
  interval_owner interrupted_ = no_owner;  ///< the outermost team that is interrupted
};

}  // namespace tine::detail
