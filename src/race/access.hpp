// The check of an access to memory. The entry points call it for each access of the program, so everything frequent is
// inlined: the unit, the test whether the same strand did the same before, and the update after accesses in series.
// `check_slowly` does the rest. Only the thread that holds the detector gets beyond the first test.
#pragma once

#include "race/called_from.hpp"
#include "race/context.hpp"
#include "race/places.hpp"
#include "race/shadow.hpp"

#include <tine/detail/base/atomic.hpp>
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
TINE_NOINLINE void check_special(std::uintptr_t address, std::size_t bytes, std::uintptr_t place, context& c) noexcept;

/// As check_special, for `Bytes` bytes: 1, 4 or 8. It is quicker for accesses to the stack on which the strand runs,
/// and to units with smaller cells. `e`: the entry of the address.
template <bool Writes, unsigned Bytes>
TINE_NOINLINE void check_special_cells(std::uintptr_t address, std::uintptr_t place, context& c, unit_entry e) noexcept;

/// As check_slowly, for a read or write by a strand without locks that the fast path can't settle.
template <bool Writes, unsigned Bytes>
TINE_NOINLINE void check_unusual(std::uintptr_t address, std::uintptr_t place) noexcept;

/// As check_slowly, for an atomic operation.
TINE_NOINLINE void check_atomic(context& c, std::uintptr_t address, std::size_t bytes, bool is_write,
                                std::uintptr_t place) noexcept;

/// As check_slowly, for memory that a strand without locks gives back.
TINE_NOINLINE void check_release(context& c, std::uintptr_t address, std::size_t bytes, std::uintptr_t place) noexcept;

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
/// in series with all that is recorded. Looks at the reader alone, so the unit must not be guarded (shadow.hpp).
template <bool Writes>
TINE_ALWAYS_INLINE finding look_up(const context& c, const cell& at) noexcept {
  if (at.reader == c.strand) return !Writes || at.writer == c.strand ? finding::known : finding::changes;
  if (c.order.is_surely_in_series(at.reader)) [[likely]]
    return finding::changes;
  base::signal_fence();  // the fast path must not keep in registers what only these tests need
  if (!Writes && c.order.surely_outlasts(at.reader)) [[likely]]  // the earlier reader is parallel, and stays
    return c.order.is_surely_in_series(at.writer) || at.writer == 0 ? finding::known : finding::unusual;
  return at.reader == 0 ? finding::changes : at.reader == unchecked ? finding::known : finding::unusual;
}

/// As look_up, for any unit: looks at the writer, too.
template <bool Writes>
finding look_up_both(const context& c, const cell& at) noexcept {
  if (at.writer != 0 && at.writer != c.strand && at.writer != unchecked && !c.order.is_surely_in_series(at.writer))
    return finding::unusual;
  if (!Writes && at.writer == c.strand) return finding::known;
  return look_up<Writes>(c, at);
}

template <bool Writes>
TINE_ALWAYS_INLINE void record(const context& c, cell& to, cell_places& places, std::uint16_t place) noexcept {
  if constexpr (Writes) {
    to = {c.strand, c.strand};
    places.writer = place;
  } else {
    to.reader = c.strand;
    places.reader = place;
  }
}

template <unsigned Bytes>
inline constexpr auto tag_for = Bytes == 8   ? unit_tag::word
                                : Bytes == 4 ? unit_tag::half
                                             : unit_tag::byte;

/// Records an access to `Cells` aligned cells. `at`: the first cell of their unit.
template <bool Writes, unsigned Bytes, unsigned Cells>
TINE_ALWAYS_INLINE void record_in_unit(context& c, std::uintptr_t at, std::uintptr_t address,
                                       std::uint16_t place) noexcept {
  const std::uintptr_t offset = address & (unit_bytes - 1);
  cell* const cells = base::object_at<cell>(base::from_word<std::byte>(at + offset * (sizeof(cell) / Bytes)));
  cell_places* const places = base::object_at<cell_places>(
      base::from_word<std::byte>(at + unit_bytes / Bytes * sizeof(cell) + offset * sizeof(cell_places) / Bytes));
  ++(Writes ? c.writes : c.reads);
  record<Writes>(c, cells[0], places[0], place);
  if constexpr (Cells == 2) {
    cells[1] = cells[0];
    places[1] = places[0];
  }
}

/// As record_in_unit, for a place whose number isn't the first one. Only behind check_access.
template <bool Writes, unsigned Bytes, unsigned Cells>
TINE_NOINLINE void record_other_place(std::uintptr_t address, std::uintptr_t place) noexcept;

/// Checks an access to `Cells` aligned cells of `Bytes` bytes in a unit with such cells that isn't guarded. `at`: the
/// first cell of the unit. `place` returns the place of the access. It looks at the reader alone (the lemma is in
/// shadow.hpp). All calls are at the end and have the address first, so the fast path saves no registers.
template <bool Writes, unsigned Bytes, unsigned Cells, class Place>
TINE_ALWAYS_INLINE void check_in_unit(context& c, std::uintptr_t at, std::uintptr_t address, Place place) noexcept {
  const std::uintptr_t offset = address & (unit_bytes - 1);
  const cell* const here = base::object_at<cell>(base::from_word<std::byte>(at + offset * (sizeof(cell) / Bytes)));
  if constexpr (Cells == 2) {
    // Both cells have mostly been accessed together. The last cell of a unit is followed by another unit's.
    if (offset == unit_bytes - Bytes || std::bit_cast<std::uint64_t>(here[1]) != std::bit_cast<std::uint64_t>(here[0]))
        [[unlikely]]
      return check_special<Writes>(address, Bytes * Cells, place(), c);
  }
  const finding found = look_up<Writes>(c, *here);
  if (found == finding::known) return;
  if (found == finding::unusual) [[unlikely]]
    return check_unusual<Writes, Bytes * Cells>(address, place());
  const std::uint16_t number = place_table::first_number_of(place());
  if (!place_table::is_at(number, place())) [[unlikely]]
    return record_other_place<Writes, Bytes, Cells>(address, place());
  record_in_unit<Writes, Bytes, Cells>(c, at, address, number);
}

/// Checks an access to `Cells` aligned cells of `Bytes` bytes: 1, 4 or 8. Inline it into the function that the compiler
/// calls.
template <bool Writes, unsigned Bytes, unsigned Cells = 1>
TINE_ALWAYS_INLINE void check_access(std::uintptr_t address) noexcept {
  static_assert((Bytes == 1 || Bytes == 4 || Bytes == 8) && (Cells == 1 || Cells == 2));
  context* const c = unlocked_context;
  if (c == nullptr) [[unlikely]]
    return check_locked(address, Bytes * Cells, Writes ? access_how::write : access_how::read, called_from());
  const unit_entry e = shadow::entry(address);
  constexpr auto tag = static_cast<std::uint32_t>(tag_for<Bytes>);
  const std::uintptr_t at = e - tag;
  // One test for three cases: another tag than expected, no unit in the table, or an unaligned address. It has 32 bits,
  // so that the compiler doesn't need `at` itself: its uses are addresses relative to `e`.
  const auto low = static_cast<std::uint32_t>(e) - tag;
  if (((low | (Bytes == 1 ? 0 : static_cast<std::uint32_t>(address) * (8 / Bytes))) & 7) != 0) [[unlikely]] {
    if constexpr (Cells == 1) return check_special_cells<Writes, Bytes>(address, called_from(), *c, e);
    return check_special<Writes>(address, Bytes * Cells, called_from(), *c);
  }
  if constexpr (Bytes == 1) {
    if (!base::object_at<unit>(base::from_word<std::byte>(at))->is_split(address & (unit_bytes - 1))) [[unlikely]]
      return check_special_cells<Writes, Bytes>(address, called_from(), *c, e);
  }
  check_in_unit<Writes, Bytes, Cells>(*c, at, address, []() TINE_INLINED { return called_from(); });
}

/// Checks an access of any size, at any address.
TINE_ALWAYS_INLINE void check_range(const void* where, std::size_t bytes, access_how how,
                                    std::uintptr_t place) noexcept {
  context* const c = checked_context;
  if (c == nullptr || bytes == 0) return;
  const std::uintptr_t address = base::to_word(where);
  if (c != unlocked_context || !shadow::is_covered(address)) return check_slowly(*c, address, bytes, how, place);
  if (how == access_how::read) return check_special<false>(address, bytes, place, *c);
  if (how == access_how::write) return check_special<true>(address, bytes, place, *c);
  if (how == access_how::release) return check_release(*c, address, bytes, place);
  check_atomic(*c, address, bytes, how == access_how::atomic_write, place);
}

}  // namespace tine::detail
