// The check of an access to memory. The entry points call it for each access of the program, so everything usual is inlined: the unit, the
// test whether the same strand did the same before, and the update after accesses in series. `check_slowly` does the rest.
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

/// Checks an access of 1, 4 or 8 bytes.
template <bool Writes, unsigned Bytes>
TINE_ALWAYS_INLINE void check_access(std::uintptr_t address, std::uintptr_t place) noexcept {
  static_assert(Bytes == 1 || Bytes == 4 || Bytes == 8);
  constexpr auto tag = Bytes == 8 ? unit_tag::word : Bytes == 4 ? unit_tag::half : unit_tag::byte;
  constexpr std::size_t cells = unit_bytes / Bytes;
  context* const c = checked_context;
  if (c == nullptr) return;
  const std::uintptr_t at = shadow::entry(address) - static_cast<std::uintptr_t>(tag);
  // One test for three: the tag is not the one expected, the table has no unit, or the address is not aligned.
  if (((at | (Bytes == 1 ? 0 : address & (Bytes - 1))) & 7) != 0) [[unlikely]]
    return check_slowly(*c, address, Bytes, Writes ? access_how::write : access_how::read, place);
  const std::size_t i = (address & (unit_bytes - 1)) / Bytes;
  cell& here = base::object_at<cell>(base::from_word<std::byte>(at))[i];
  const strand_number strand = c->strand;
  const cell before = here;
  if constexpr (Writes) {
    if (std::bit_cast<std::uint64_t>(before) == strand) return;
  } else {
    if (before.writer == strand || before.reader == strand) return;
  }
  if (!c->order.is_surely_in_series(before.writer) || !c->order.is_surely_in_series(before.reader)) [[unlikely]]
    return check_slowly(*c, address, Bytes, Writes ? access_how::write : access_how::read, place);
  cell_places& places =
      base::object_at<cell_places>(base::from_word<std::byte>(at) + cells * sizeof(cell))[i];
  if constexpr (Writes) {
    ++c->writes;
    here = {strand, 0};
    places.writer = place_table::number_of(place);
  } else {
    ++c->reads;
    here.reader = strand;
    places.reader = place_table::number_of(place);
  }
}

/// Checks an access of any size, at any address.
TINE_ALWAYS_INLINE void check_range(const void* where, std::size_t bytes, access_how how,
                                    std::uintptr_t place) noexcept {
  context* const c = checked_context;
  if (c != nullptr && bytes != 0) check_slowly(*c, base::to_word(where), bytes, how, place);
}

}  // namespace tine::detail
