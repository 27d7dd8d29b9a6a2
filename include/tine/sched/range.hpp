// Ranges: records of many pieces of work in a row. Any number of these pieces can be promoted together, again and again,
// as long as the owner has not begun them. The record of a loop is a range.
//
//      range | part 0 | part 1 | ... | part max_parts-1 |      parts before `parts` are tasks, oldest and farthest first
//
// The owner works upwards from `next`; promotion takes parts off at `end`. Both run on the thread of the fiber whose
// shadow stack holds the record, so only the order of their instructions matters: the owner first moves `next` past the
// pieces that it is going to run, and then reads `end`. Thieves read only the part that they have stolen, and members
// that never change.
#pragma once

#include <tine/base/object_at.hpp>
#include <tine/sched/task.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

namespace tine::sched {

struct range;

/// The head of a promoted part. A front end appends the outcome to it.
struct part : task {
  range* of;
  std::uint64_t begin, end;
};

/// The head of a range's record. A front end may append members to it, before the parts.
struct range {
  const descriptor* what;   ///< describes the parts, too
  std::uint64_t next;       ///< the first piece that has not begun
  std::uint64_t end;        ///< the first piece that is not the owner's any more
  std::uint32_t parts;      ///< number of parts promoted and not yet joined
  std::uint32_t max_parts;  ///< greatest number of parts
  std::uint32_t head;       ///< bytes before the first part
  std::uint32_t stride;     ///< bytes of a part
  part* within;             ///< the part of another range that holds these pieces; null: the range is an entire loop
  bool touched;             ///< a part was promoted, or `bot` has passed the range: its end has work to do

  /// Prepares a record with this layout, of at most `most` bytes. The memory behind the head must hold the parts already, as
  /// objects without values (base/object_at.hpp).
  void open(const descriptor& kind, std::uint64_t from, std::uint64_t to, std::size_t head_bytes,
            std::size_t part_bytes, std::size_t most, part* in = nullptr) noexcept {
    what = &kind;
    within = in;
    next = from;
    end = to;
    parts = 0;
    // Halving needs a part for each bit of the length, and parts that are promoted later are never longer: see `promote_part`.
    // The other 8 parts are for several takers at once.
    const auto wanted = static_cast<std::uint32_t>(std::bit_width(to - from)) + 8;
    const auto fitting = static_cast<std::uint32_t>((most - head_bytes) / part_bytes);
    max_parts = wanted < fitting ? wanted : fitting;
    head = static_cast<std::uint32_t>(head_bytes);
    stride = static_cast<std::uint32_t>(part_bytes);
    touched = false;
  }

  std::byte* begin_address() noexcept { return base::bytes_of(*this); }
  std::byte* end_address() noexcept { return begin_address() + head + std::size_t{max_parts} * stride; }

  /// Returns the number of pieces that may be promoted.
  std::uint64_t rest() const noexcept { return end > next ? end - next : 0; }
  /// Returns true if there is nothing to promote.
  bool is_spent() const noexcept { return rest() == 0 || parts == max_parts; }

  /// Makes a share of the rest a part, namely its last pieces: one of `takers` + 1 fair shares, so all of the rest if
  /// `takers` is 0. The range must not be spent.
  part* promote_part(unsigned takers) noexcept {
    const std::uint64_t all = rest();
    // With one taker a part is no shorter than the rest that stays, so there are never more parts than bits in the
    // first length. Smaller shares must leave space for these parts.
    if (takers > 1 && max_parts - parts <= static_cast<unsigned>(std::bit_width(all))) takers = 1;
    const std::uint64_t share = (all + takers) / (takers + 1);
    part* p = at(parts++);
    p->become_task();
    p->what = what;
    p->of = this;
    p->begin = end - share;
    p->end = end;
    end = p->begin;
    touched = true;
    return p;
  }

  /// Returns the i-th promoted part.
  part& given(std::uint32_t i) noexcept { return *at(i); }
  /// Returns the part that was promoted last: it has the pieces right after the owner's.
  part& newest() noexcept { return *at(parts - 1); }
  /// The newest part has been joined.
  void forget_newest() noexcept { --parts; }
  /// The owner, which has finished the pieces before the newest part, reclaims that part.
  void reclaim_newest() noexcept {
    next = newest().begin;
    end = newest().end;
    forget_newest();
  }

 private:
  part* at(std::uint32_t i) noexcept { return base::object_at<part>(begin_address() + head + std::size_t{i} * stride); }
};

static_assert(base::is_implicit_lifetime<task> && base::is_implicit_lifetime<part> && base::is_implicit_lifetime<range>,
              "a record begins without a constructor: its fork writes only a part of it");

}  // namespace tine::sched
