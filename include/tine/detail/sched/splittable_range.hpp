// Splittable ranges: records of many iterations in a row. Any number of these iterations can be promoted together,
// again and again, as long as the owner has not begun them. The record of a loop is a splittable range.
//
//      range | subrange 0 | subrange 1 | ... | subrange max_promoted-1 |      the first `promoted` are tasks, farthest first
//
// The owner works upwards from `next`; promotion takes subranges off at `end`. Both run on the thread of the fiber
// whose shadow stack holds the record, so only the order of their instructions matters: the owner first moves `next`
// past the iterations that it is going to run, and then reads `end`. Thieves read only the subrange that they have
// stolen, and members that never change.
#pragma once

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/task.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

namespace tine::sched {

struct splittable_range;

/// The head of a promoted subrange. A front end appends the outcome to it.
struct promoted_subrange : task {
  splittable_range* of;
  std::uint64_t begin, end;
};

/// The head of a range's record. A front end may append members to it, before the promoted subranges.
struct splittable_range {
  const descriptor* what;      ///< describes the promoted subranges, too
  std::uint64_t next;          ///< the first iteration that has not begun
  std::uint64_t end;           ///< the first iteration that is not the owner's any more
  std::uint32_t promoted;      ///< number of subranges promoted and not yet joined
  std::uint32_t max_promoted;  ///< greatest number of promoted subranges
  std::uint32_t head;          ///< bytes before the first promoted subrange
  std::uint32_t stride;        ///< bytes of a promoted subrange
  promoted_subrange*
      within;  ///< the promoted subrange of another range that holds these iterations; null: the range is an entire loop
  bool touched;  ///< a subrange was promoted, or `bot` has passed the range: its end has work to do

  /// Prepares a record with this layout, of at most `most` bytes. The memory behind the head must hold the promoted
  /// subranges already, as objects without values (detail/base/object_at.hpp).
  void open(const descriptor& kind, std::uint64_t from, std::uint64_t to, std::size_t head_bytes,
            std::size_t subrange_bytes, std::size_t most, promoted_subrange* in = nullptr) noexcept {
    what = &kind;
    within = in;
    next = from;
    end = to;
    promoted = 0;
    // Halving needs a promoted subrange for each bit of the length, and subranges that are promoted later are never
    // longer: see `promote_subrange`. The other 8 promoted subranges are for several takers at once.
    const auto wanted = static_cast<std::uint32_t>(std::bit_width(to - from)) + 8;
    const auto fitting = static_cast<std::uint32_t>((most - head_bytes) / subrange_bytes);
    max_promoted = wanted < fitting ? wanted : fitting;
    head = static_cast<std::uint32_t>(head_bytes);
    stride = static_cast<std::uint32_t>(subrange_bytes);
    touched = false;
  }

  std::byte* begin_address() noexcept { return base::bytes_of(*this); }
  std::byte* end_address() noexcept { return begin_address() + head + std::size_t{max_promoted} * stride; }

  /// Returns the number of iterations that may be promoted.
  std::uint64_t rest() const noexcept { return end > next ? end - next : 0; }
  /// Returns true if there is nothing to promote.
  bool is_spent() const noexcept { return rest() == 0 || promoted == max_promoted; }

  /// Promotes a share of the rest, namely its last iterations: one of `takers` + 1 fair shares, so all of the rest if
  /// `takers` is 0. The range must not be spent.
  promoted_subrange* promote_subrange(unsigned takers) noexcept {
    const std::uint64_t all = rest();
    // With one taker a promoted subrange is no shorter than the rest that stays, so there are never more promoted
    // subranges than bits in the first length. Smaller shares must leave space for these promoted subranges.
    if (takers > 1 && max_promoted - promoted <= static_cast<unsigned>(std::bit_width(all))) takers = 1;
    const std::uint64_t share = (all + takers) / (takers + 1);
    promoted_subrange* p = at(promoted++);
    p->become_task();
    p->what = what;
    p->of = this;
    p->begin = end - share;
    p->end = end;
    end = p->begin;
    touched = true;
    return p;
  }

  /// Returns the i-th promoted subrange.
  promoted_subrange& promoted_at(std::uint32_t i) noexcept { return *at(i); }
  /// Returns the subrange that was promoted last: it has the iterations right after the owner's.
  promoted_subrange& newest() noexcept { return *at(promoted - 1); }
  /// The newest promoted subrange has been joined.
  void forget_newest() noexcept { --promoted; }
  /// The owner, which has finished the iterations before the newest promoted subrange, reclaims it.
  void reclaim_newest() noexcept {
    next = newest().begin;
    end = newest().end;
    forget_newest();
  }

 private:
  promoted_subrange* at(std::uint32_t i) noexcept {
    return base::object_at<promoted_subrange>(begin_address() + head + std::size_t{i} * stride);
  }
};

static_assert(base::is_implicit_lifetime<task> && base::is_implicit_lifetime<promoted_subrange> &&
                  base::is_implicit_lifetime<splittable_range>,
              "a record begins without a constructor: its fork writes only a part of it");

}  // namespace tine::sched
