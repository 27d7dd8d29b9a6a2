// The check of an access to memory. The entry points call it for each access of the program, so everything frequent is
// inlined: the unit, the test whether the same strand did the same before, and the update after accesses in series.
// `check_slowly` does the rest. Only the thread that holds the detector gets beyond the first test.
#pragma once

#include "race/context.hpp"
#include "race/places.hpp"
#include "race/shadow.hpp"

#include <tine/detail/base/object_at.hpp>

#include <bit>
#include <cstdint>

namespace tine::detail {

/// How an access touches memory; as trace::access_kind.
enum class access_how : std::uint8_t { read, write, release, atomic_read, atomic_write };

inline constexpr bool writes(access_how how) noexcept {
  return how != access_how::read && how != access_how::atomic_read;
}

/// Checks an access of any size and alignment, and records it. `place`: the return address of the access.
TINE_NOINLINE void check_slowly(context& c, std::uintptr_t address, std::size_t bytes, access_how how,
                                std::uintptr_t place) noexcept;

/// As check_slowly, for a read or write by a strand without locks. It is quicker for accesses to the strand's own
/// frames, and to several cells.
template <bool Writes>
TINE_NOINLINE void check_special(context& c, std::uintptr_t address, std::size_t bytes, std::uintptr_t place) noexcept;

/// As check_special, for `Bytes` bytes: 1, 4 or 8. It is quicker for accesses to the stack on which the strand runs,
/// and to units with smaller cells. `e`: the entry of the address.
template <bool Writes, unsigned Bytes>
TINE_NOINLINE void check_special_cells(context& c, std::uintptr_t address, std::uintptr_t place, unit_entry e) noexcept;

/// As check_slowly, for an atomic operation.
TINE_NOINLINE void check_atomic(context& c, std::uintptr_t address, std::size_t bytes, bool is_write,
                                std::uintptr_t place) noexcept;

/// Returns true if the shadow has an atomic write of the first byte of this word.
bool has_atomic_write(std::uintptr_t word) noexcept;

/// An atomic operation has left the value as it was, as one that waits for a lock does.
TINE_NOINLINE void note_unchanged(std::uintptr_t place) noexcept;

/// Returns true if the strands seem to wait: they only look whether something has changed.
inline bool look_in_vain(const context& c) noexcept {
  return c.looks.count >= looks_in_vain::enough && c.looks.writes == c.writes;
}
/// The running strand has looked whether something has changed.
inline void note_look(context& c) noexcept {
  if (c.looks.writes != c.writes) c.looks.count = 0;
  c.looks.writes = c.writes;
  ++c.looks.count;
}
/// If the running strand is a member of a team, holds no locks and looks in vain, others run first.
TINE_COLD void let_others_run(context& c) noexcept;

/// As check_slowly, for a strand that may hold locks. Does nothing if the thread checks nothing.
TINE_NOINLINE void check_locked(std::uintptr_t address, std::size_t bytes, access_how how,
                                std::uintptr_t place) noexcept;

/// The kinds of what an access finds in a cell.
enum class finding : unsigned char { known, changes, unusual };

/// Returns `known` if an access by the running strand changes nothing, because its like is recorded; `changes` if it is
/// in series with all that is recorded.
template <bool Writes>
TINE_ALWAYS_INLINE finding look_up(const context& c, cell before) noexcept {
  const order& o = c.order;
  if constexpr (Writes) {
    // Mostly the strand has just read what it writes, or was the last one to write it.
    if (before.reader != 0 && before.reader != c.strand && !o.is_surely_in_series(before.reader))
      return finding::unusual;
    if (before.writer == c.strand) return before.reader == 0 ? finding::known : finding::changes;
    if (before.writer != 0 && !o.is_surely_in_series(before.writer))
      return before.writer == unchecked ? finding::known : finding::unusual;
    return finding::changes;
  } else {
    if (before.writer == c.strand || before.reader == c.strand) return finding::known;
    if (before.writer != 0 && !o.is_surely_in_series(before.writer))
      return before.writer == unchecked ? finding::known : finding::unusual;
    if (before.reader == 0 || o.is_surely_in_series(before.reader)) return finding::changes;
    return o.surely_outlasts(before.reader) ? finding::known : finding::unusual;  // the earlier reader stays
  }
}

template <bool Writes>
TINE_ALWAYS_INLINE void record(const context& c, cell& to, cell_places& places, std::uintptr_t place) noexcept {
  if constexpr (Writes) {
    to = {c.strand, 0};
    places.writer = place_table::number_of(place);
  } else {
    to.reader = c.strand;
    places.reader = place_table::number_of(place);
  }
}

template <unsigned Bytes>
inline constexpr auto tag_for = Bytes == 8   ? unit_tag::word
                                : Bytes == 4 ? unit_tag::half
                                             : unit_tag::byte;

/// Checks an access to `Cells` aligned cells of `Bytes` bytes: 1, 4 or 8.
template <bool Writes, unsigned Bytes, unsigned Cells = 1>
TINE_ALWAYS_INLINE void check_access(std::uintptr_t address, std::uintptr_t place) noexcept {
  static_assert((Bytes == 1 || Bytes == 4 || Bytes == 8) && (Cells == 1 || Cells == 2));
  constexpr std::size_t cells = unit_bytes / Bytes;
  context* const c = unlocked_context;
  if (c == nullptr) return check_locked(address, Bytes * Cells, Writes ? access_how::write : access_how::read, place);
  const unit_entry e = shadow::entry(address);
  const std::uintptr_t at = e - static_cast<std::uintptr_t>(tag_for<Bytes>);
  // One test for three cases: another tag than expected, no unit in the table, or an unaligned address.
  if (((at | (Bytes == 1 ? 0 : address & (Bytes - 1))) & 7) != 0) [[unlikely]] {
    if constexpr (Cells == 1) return check_special_cells<Writes, Bytes>(*c, address, place, e);
    return check_special<Writes>(*c, address, Bytes * Cells, place);
  }
  const std::size_t i = (address & (unit_bytes - 1)) / Bytes;
  if constexpr (Bytes == 1) {
    if (!base::object_at<unit>(base::from_word<std::byte>(at))->is_split(i)) [[unlikely]]
      return check_special_cells<Writes, Bytes>(*c, address, place, e);
  }
  cell* const here = base::object_at<cell>(base::from_word<std::byte>(at)) + i;
  const cell before = here[0];
  if constexpr (Cells == 2) {
    // Both cells have mostly been accessed together. The last cell of a unit is followed by another unit's.
    if (i + 1 == cells || std::bit_cast<std::uint64_t>(here[1]) != std::bit_cast<std::uint64_t>(before)) [[unlikely]]
      return check_slowly(*c, address, Bytes * Cells, Writes ? access_how::write : access_how::read, place);
  }
  const finding found = look_up<Writes>(*c, before);
  if (found == finding::known) return;
  if (found == finding::unusual) [[unlikely]]
    return check_slowly(*c, address, Bytes * Cells, Writes ? access_how::write : access_how::read, place);
  cell_places* const places = base::object_at<cell_places>(base::from_word<std::byte>(at) + cells * sizeof(cell)) + i;
  ++(Writes ? c->writes : c->reads);
  record<Writes>(*c, here[0], places[0], place);
  if constexpr (Cells == 2) {
    here[1] = here[0];
    places[1] = places[0];
  }
}

/// Checks an access of any size, at any address.
TINE_ALWAYS_INLINE void check_range(const void* where, std::size_t bytes, access_how how,
                                    std::uintptr_t place) noexcept {
  context* const c = checked_context;
  if (c == nullptr || bytes == 0) return;
  const std::uintptr_t address = base::to_word(where);
  if (c != unlocked_context || !shadow::is_covered(address)) return check_slowly(*c, address, bytes, how, place);
  if (how == access_how::read) return check_special<false>(*c, address, bytes, place);
  if (how == access_how::write) return check_special<true>(*c, address, bytes, place);
  if (how != access_how::release) return check_atomic(*c, address, bytes, how == access_how::atomic_write, place);
  check_slowly(*c, address, bytes, how, place);
}

}  // namespace tine::detail
