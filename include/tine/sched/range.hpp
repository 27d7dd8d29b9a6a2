// Ranges: records of many pieces of work in a row, of which any number can be given away, again and again, as long as the
// owner has not begun them. A loop is one.
//
//      range | part 0 | part 1 | ... | part room-1 |      parts before `parts` are tasks, oldest and farthest first
//
// The owner works upwards from `next`; promotion takes parts off at `end`. Both run on the thread of the fiber whose shadow
// stack this lies on, so only the order of their instructions matters: the owner first moves `next` past what it is going to
// do, and then reads `end`. Thieves read nothing here but the part they took, and what never changes.
#pragma once

#include <tine/sched/task.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

namespace tine::sched {

struct range;

/// The head of what was given away of a range, which a front end continues with the outcome.
struct part : task {
  range* of;
  std::uint64_t begin, end;
};

/// The head of a range's record, which a front end may continue before the parts.
struct range {
  const descriptor* what;  ///< of the parts, too
  std::uint64_t next;      ///< the first piece that nobody has begun
  std::uint64_t end;       ///< the first one that is not the owner's any more
  std::uint32_t parts;     ///< given away and not yet joined
  std::uint32_t room;      ///< for so many parts
  std::uint32_t head;      ///< bytes before the first part
  std::uint32_t stride;    ///< bytes of a part
  part* within;            ///< the part of another range whose pieces these are; null: this is a whole loop
  bool touched;            ///< something was given away, or `bot` has passed it: there is something to do at its end

  /// Prepares a record with this layout, which fits into `most` bytes.
  void open(const descriptor& kind, std::uint64_t from, std::uint64_t to, std::size_t head_bytes,
            std::size_t part_bytes, std::size_t most, part* in = nullptr) noexcept {
    what = &kind;
    within = in;
    next = from;
    end = to;
    parts = 0;
    // Halving needs a part for each bit of the length, and those given away later are never longer: see give. The others
    // are for several takers at once.
    const auto wanted = static_cast<std::uint32_t>(std::bit_width(to - from)) + 8;
    const auto fitting = static_cast<std::uint32_t>((most - head_bytes) / part_bytes);
    room = wanted < fitting ? wanted : fitting;
    head = static_cast<std::uint32_t>(head_bytes);
    stride = static_cast<std::uint32_t>(part_bytes);
    touched = false;
  }

  std::byte* begin_address() noexcept { return reinterpret_cast<std::byte*>(this); }
  std::byte* end_address() noexcept { return begin_address() + head + std::size_t{room} * stride; }

  /// The pieces that may be given away.
  std::uint64_t rest() const noexcept { return end > next ? end - next : 0; }
  /// Whether there is nothing to give away.
  bool is_spent() const noexcept { return rest() == 0 || parts == room; }

  /// Gives a share of the rest away, the last pieces, in fair parts if there are so many `takers`; all of it if there are
  /// none. It must not be spent.
  part* give(unsigned takers) noexcept {
    const std::uint64_t all = rest();
    // With one taker a part is no shorter than what stays, so there are never more parts than bits in the first length.
    // Smaller shares must leave room for that.
    if (takers > 1 && room - parts <= static_cast<unsigned>(std::bit_width(all))) takers = 1;
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

  /// The part that was given away as the i-th one.
  part& given(std::uint32_t i) noexcept { return *at(i); }
  /// The one that was given away last: the pieces right after the owner's.
  part& newest() noexcept { return *at(parts - 1); }
  /// It is joined.
  void forget_newest() noexcept { --parts; }
  /// It is the owner's again, who has finished what came before.
  void take_back_newest() noexcept {
    next = newest().begin;
    end = newest().end;
    forget_newest();
  }

 private:
  part* at(std::uint32_t i) noexcept {
    return reinterpret_cast<part*>(begin_address() + head + std::size_t{i} * stride);
  }
};

}  // namespace tine::sched
