// The checks of plain accesses that aren't for the fast path: to stacks, to units with cells of another size or with
// guarded locations, to several cells, and by frees. If one can't settle an access, check_slowly does. Only the thread
// that holds the detector runs this.
#include "race/access.hpp"

#include "race/guarded.hpp"

#include "sched/fiber.hpp"

#include <algorithm>
#include <bit>

namespace tine::detail {
namespace {

/// Something is recorded at this address of the running strand's stack, above its base.
TINE_ALWAYS_INLINE void note_recorded(context& c, std::uintptr_t address) noexcept {
  if (address < c.stack->low_water) c.stack->low_water = address;
}

/// Checks an access to `Cells` cells, and returns what it has found. If that is unusual, some cells may have been
/// recorded.
template <bool Writes, unsigned Cells>
TINE_ALWAYS_INLINE finding check_row(const context& c, cell* cells, cell_places* places,
                                     std::uintptr_t place) noexcept {
  std::uint64_t differences = 0;
  for (unsigned i = 1; i < Cells; ++i)
    differences |= std::bit_cast<std::uint64_t>(cells[i]) ^ std::bit_cast<std::uint64_t>(cells[0]);
  // Mostly all cells were accessed together.
  if (differences == 0) {
    const finding found = look_up<Writes>(c, cells[0]);
    if (found != finding::changes) return found;
    record<Writes>(c, cells[0], places[0], place_table::number_of(place));
    for (unsigned i = 1; i < Cells; ++i) {
      cells[i] = cells[0];
      places[i] = places[0];
    }
    return finding::changes;
  }
  finding all = finding::known;
  for (unsigned i = 0; i < Cells; ++i) {
    const finding found = look_up<Writes>(c, cells[i]);
    if (found == finding::known) continue;
    if (found == finding::unusual) return found;
    record<Writes>(c, cells[i], places[i], place_table::number_of(place));
    all = finding::changes;
  }
  return all;
}

/// Checks an access to a unit. Returns false if it may be a race; some cells may have been recorded then.
template <bool Writes>
TINE_NOINLINE bool check_cells_in_series(context& c, unit& u, std::uintptr_t begin, std::uintptr_t end,
                                         std::uintptr_t place) noexcept {
  const std::uint16_t number = place_table::number_of(place);
  std::uint64_t before = ~std::uint64_t{0};
  finding found = finding::known, all = finding::known;
  u.for_cells(begin, end, [&](std::size_t i, std::uintptr_t, std::size_t) {
    cell& here = u.cells()[i];
    if (std::bit_cast<std::uint64_t>(here) != before) {
      before = std::bit_cast<std::uint64_t>(here);
      found = look_up_both<Writes>(c, here);
    }
    if (found == finding::changes) record<Writes>(c, here, u.places()[i], number);
    all = std::max(all, found);
  });
  if (all == finding::changes) ++(Writes ? c.writes : c.reads);
  return all != finding::unusual;
}

/// Returns true if an access to some bytes of a word is in series with all guarded accesses to them; false if we don't
/// know.
template <bool Writes>
bool is_in_series_with_guarded(const context& c, guarded_lists& lists, std::uintptr_t address,
                               std::size_t bytes) noexcept {
  const std::uint8_t mask = mask_of(address, bytes);
  for (guarded_number n = lists.first(address); n != 0; n = guarded_lists::at(n).next) {
    const guarded_access& g = guarded_lists::at(n);
    if ((g.bytes & mask) != 0 && (Writes || g.writes) && g.strand != c.strand && !c.order.is_surely_in_series(g.strand))
      return false;
  }
  return true;
}

/// Checks an access to whole cells, or whole granules that aren't split, of a unit with cells of that size. Returns
/// `unusual` also for other accesses; some cells may have been recorded then.
template <bool Writes, bool IsGuarded>
TINE_ALWAYS_INLINE finding check_whole_cells(context& c, unit& u, granularity g, std::uintptr_t begin,
                                             std::uintptr_t end, std::uintptr_t place) noexcept {
  const unsigned shift = shift_of(g);
  const std::size_t stride = shift == 0 ? unit::granule : 1;
  if (((begin | end) & ((stride << shift) - 1)) != 0 || ((begin ^ (end - 1)) >> unit_bits) != 0)
    return finding::unusual;
  cell* const cells = u.cells();
  cell_places* const places = base::object_at<cell_places>(base::bytes_of(u) + (unit_bytes >> shift) * sizeof(cell));
  const std::uint16_t number = place_table::number_of(place);
  const std::size_t stop = ((end - 1) & (unit_bytes - 1)) >> shift;
  std::uint64_t before = ~std::uint64_t{0};
  finding found = finding::known, all = finding::known;
  for (std::size_t i = (begin & (unit_bytes - 1)) >> shift; i <= stop; i += stride) {
    if (shift == 0 && u.is_split(i)) return finding::unusual;
    if (std::bit_cast<std::uint64_t>(cells[i]) != before) {
      before = std::bit_cast<std::uint64_t>(cells[i]);
      found = IsGuarded ? look_up_both<Writes>(c, cells[i]) : look_up<Writes>(c, cells[i]);
      if (found == finding::unusual) return found;
    }
    if (found == finding::known) continue;
    record<Writes>(c, cells[i], places[i], number);
    all = finding::changes;
  }
  if (all == finding::changes) ++(Writes ? c.writes : c.reads);
  return all;
}

/// As check_special, for memory that is not the strand's own.
template <bool Writes>
TINE_NOINLINE void check_shared(std::uintptr_t address, std::size_t bytes, std::uintptr_t place, context& c) noexcept {
  constexpr access_how how = Writes ? access_how::write : access_how::read;
  const unit_entry e = shadow::entry(address);
  const std::uintptr_t end = address + bytes;
  unit* const u = shadow::unit_of(e);
  if (!shadow::is_special(e) && shadow::tag_of(e) != unit_tag::none &&
      check_whole_cells<Writes, false>(c, *u, static_cast<granularity>(e & 3), address, end, place) != finding::unusual)
    return;
  if (u == nullptr) return check_slowly(c, address, bytes, how, place);
  const bool is_on_stack = c.stack->holds(address);
  if (guarded_lists* const guarded = u->its().guarded) {
    if (u->its().is_on_stack || (address & 7) + bytes > 8 ||
        !is_in_series_with_guarded<Writes>(c, *guarded, address, bytes))
      return check_slowly(c, address, bytes, how, place);
    if (check_whole_cells<Writes, true>(c, *u, u->its().cells, address, end, place) != finding::unusual) return;
  } else if (shadow::is_special(e) && !is_on_stack) {
    return check_slowly(c, address, bytes, how, place);
  }
  if (is_on_stack) note_recorded(c, address);
  if (((address ^ (end - 1)) >> unit_bits) != 0 || u->its().cells < granularity_for(address, end) ||
      !check_cells_in_series<Writes>(c, *u, address, end, place))
    check_slowly(c, address, bytes, how, place);
}

}  // namespace

template <bool Writes, unsigned Bytes, unsigned Cells>
void record_other_place(std::uintptr_t address, std::uintptr_t place) noexcept {
  const std::uintptr_t at = base::to_word(shadow::unit_of(shadow::entry(address)));
  record_in_unit<Writes, Bytes, Cells>(*unlocked_context, at, address, place_table::number_of(place));
}

void check_release(context& c, std::uintptr_t address, std::size_t bytes, std::uintptr_t place) noexcept {
  const std::uintptr_t end = address + bytes;
  if (!shadow::is_covered(end) || end < address) return;
  while (address < end) {
    const std::uintptr_t stop = std::min(end, (address | (unit_bytes - 1)) + 1);
    const unit_entry e = shadow::entry(address);
    if (shadow::is_special(e) || shadow::tag_of(e) == unit_tag::none ||
        check_whole_cells<true, false>(c, *shadow::unit_of(e), static_cast<granularity>(e & 3), address, stop, place) ==
            finding::unusual)
      check_slowly(c, address, stop - address, access_how::release, place);
    address = stop;
  }
}

template <bool Writes>
void check_special(std::uintptr_t address, std::size_t bytes, std::uintptr_t place, context& c) noexcept {
  const native_stack& s = *c.stack;
  if (address - s.begin < s.base - s.begin ||
      (s.fiber != nullptr && s.fiber->holds_record(base::from_word<std::byte>(address))))
    return shadow::note_stack(address);
  check_shared<Writes>(address, bytes, place, c);
}
template void check_special<false>(std::uintptr_t, std::size_t, std::uintptr_t, context&) noexcept;
template void check_special<true>(std::uintptr_t, std::size_t, std::uintptr_t, context&) noexcept;

namespace {

/// As check_special_cells, for aligned accesses that need calls, or units with cells of another size. The unit is not
/// guarded, and its cells are at most `Bytes` large.
template <bool Writes, unsigned Bytes>
TINE_NOINLINE void check_mixed_cells(std::uintptr_t address, std::uintptr_t place, context& c, unit_entry e) noexcept {
  const auto g = static_cast<granularity>(e & 3);
  unit& u = *shadow::unit_of(e);
  const std::uintptr_t offset = address & (unit_bytes - 1);
  if (g == granularity::byte) {
    if (Bytes == 1) u.split_granule(offset);
    if (!check_cells_in_series<Writes>(c, u, address, address + Bytes, place))
      return check_unusual<Writes, Bytes>(address, place);
    if constexpr (Writes && Bytes != 1) {
      u.unite_equal_cells(offset);
      if constexpr (Bytes == 8) u.unite_equal_cells(offset + unit::granule);
    }
    return;
  }
  const unsigned shift = shift_of(g);
  cell* const cells = u.cells() + (offset >> shift);
  cell_places* const places =
      base::object_at<cell_places>(base::bytes_of(u) + (unit_bytes >> shift) * sizeof(cell)) + (offset >> shift);
  const finding found = Bytes >> shift == 1 ? check_row<Writes, 1>(c, cells, places, place)
                                            : check_row<Writes, 2>(c, cells, places, place);
  if (found == finding::unusual) return check_unusual<Writes, Bytes>(address, place);
  if (found == finding::changes) ++(Writes ? c.writes : c.reads);
}

/// As check_mixed_cells, for one granule that isn't split, or two such granules or cells of 4 bytes.
template <bool Writes, unsigned Bytes, granularity G>
TINE_ALWAYS_INLINE void check_together(std::uintptr_t address, std::uintptr_t place, context& c,
                                       unit_entry e) noexcept {
  constexpr std::size_t second = Bytes == 4 ? 0 : G == granularity::byte ? unit::granule : 1;
  constexpr unsigned shift = shift_of(G);
  unit& u = *shadow::unit_of(e);
  const std::size_t i = (address & (unit_bytes - 1)) >> shift;
  cell* const cells = u.cells() + i;
  if (std::bit_cast<std::uint64_t>(cells[second]) != std::bit_cast<std::uint64_t>(cells[0]))
    return check_mixed_cells<Writes, Bytes>(address, place, c, e);
  const finding found = look_up<Writes>(c, cells[0]);
  if (found == finding::known) return;
  const std::uint16_t number = place_table::first_number_of(place);
  if (found == finding::unusual || !place_table::is_at(number, place))
    return check_mixed_cells<Writes, Bytes>(address, place, c, e);
  cell_places* const places =
      base::object_at<cell_places>(base::bytes_of(u) + (unit_bytes >> shift) * sizeof(cell)) + i;
  record<Writes>(c, cells[0], places[0], number);
  if constexpr (second != 0) {
    cells[second] = cells[0];
    places[second] = places[0];
  }
  ++(Writes ? c.writes : c.reads);
}

/// As check_mixed_cells; quicker if the cells were mostly accessed together.
template <bool Writes, unsigned Bytes>
TINE_NOINLINE void check_smaller_cells(std::uintptr_t address, std::uintptr_t place, context& c,
                                       unit_entry e) noexcept {
  if constexpr (Bytes != 1) {
    if ((e & 3) == static_cast<unit_entry>(granularity::byte)) {
      unit& u = *shadow::unit_of(e);
      const std::uintptr_t offset = address & (unit_bytes - 1);
      if (!u.is_split(offset) && (Bytes == 4 || !u.is_split(offset + unit::granule)))
        return check_together<Writes, Bytes, granularity::byte>(address, place, c, e);
    } else if constexpr (Bytes == 8) {
      return check_together<Writes, Bytes, granularity::half>(address, place, c, e);
    }
  }
  check_mixed_cells<Writes, Bytes>(address, place, c, e);
}

/// As check_special_cells, for a unit with guarded locations that isn't on a stack.
template <bool Writes, unsigned Bytes>
TINE_NOINLINE void check_guarded_cell(std::uintptr_t address, std::uintptr_t place, context& c, unit& u) noexcept {
  if (!u.is_one_cell(address, Bytes)) return check_special<Writes>(address, Bytes, place, c);
  const std::size_t i = (address & (unit_bytes - 1)) >> shift_of(u.its().cells);
  const finding found = is_in_series_with_guarded<Writes>(c, *u.its().guarded, address, Bytes)
                            ? look_up_both<Writes>(c, u.cells()[i])
                            : finding::unusual;
  if (found == finding::known) return;
  if (found == finding::unusual) return check_unusual<Writes, Bytes>(address, place);
  record<Writes>(c, u.cells()[i], u.places()[i], place_table::number_of(place));
  ++(Writes ? c.writes : c.reads);
}

}  // namespace

// All calls are at the end, as in check_access.
template <bool Writes, unsigned Bytes>
void check_special_cells(std::uintptr_t address, std::uintptr_t place, context& c, unit_entry e) noexcept {
  constexpr auto smallest = static_cast<unit_entry>(tag_for<Bytes>);
  if ((address & (Bytes - 1)) != 0) return check_special<Writes>(address, Bytes, place, c);
  if (shadow::is_special(e)) {
    if (unit* const u = shadow::unit_of(e);
        shadow::tag_of(e) == unit_tag::special && u != nullptr && u->its().guarded != nullptr && !u->its().is_on_stack)
      return check_guarded_cell<Writes, Bytes>(address, place, c, *u);
    const native_stack& s = *c.stack;
    const std::uintptr_t offset = address - s.begin;
    if (offset < s.base - s.begin) return;
    if (offset >= s.end - s.begin || (e & 3) < smallest) return check_special<Writes>(address, Bytes, place, c);
    note_recorded(c, address);
    if (Bytes != 1 && (e & 3) == smallest)
      return check_in_unit<Writes, Bytes, 1>(c, e & ~unit_entry{7}, address, [=] { return place; });
  } else if ((e & 3) < smallest) {
    // A unit without a granularity has guarded locations, or does not exist.
    return check_special<Writes>(address, Bytes, place, c);
  }
  check_smaller_cells<Writes, Bytes>(address, place, c, e);
}

template <bool Writes, unsigned Bytes>
void check_unusual(std::uintptr_t address, std::uintptr_t place) noexcept {
  check_locked(address, Bytes, Writes ? access_how::write : access_how::read, place);
}
#define TINE_INSTANTIATE(bytes)                                                                                   \
  template void check_special_cells<false, bytes>(std::uintptr_t, std::uintptr_t, context&, unit_entry) noexcept; \
  template void check_special_cells<true, bytes>(std::uintptr_t, std::uintptr_t, context&, unit_entry) noexcept;  \
  template void check_unusual<false, bytes>(std::uintptr_t, std::uintptr_t) noexcept;                             \
  template void check_unusual<true, bytes>(std::uintptr_t, std::uintptr_t) noexcept;                              \
  template void record_other_place<false, bytes, 1>(std::uintptr_t, std::uintptr_t) noexcept;                     \
  template void record_other_place<true, bytes, 1>(std::uintptr_t, std::uintptr_t) noexcept;
TINE_INSTANTIATE(1)
TINE_INSTANTIATE(4)
TINE_INSTANTIATE(8)
#undef TINE_INSTANTIATE
template void check_unusual<false, 16>(std::uintptr_t, std::uintptr_t) noexcept;
template void check_unusual<true, 16>(std::uintptr_t, std::uintptr_t) noexcept;
template void record_other_place<false, 4, 2>(std::uintptr_t, std::uintptr_t) noexcept;
template void record_other_place<true, 4, 2>(std::uintptr_t, std::uintptr_t) noexcept;
template void record_other_place<false, 8, 2>(std::uintptr_t, std::uintptr_t) noexcept;
template void record_other_place<true, 8, 2>(std::uintptr_t, std::uintptr_t) noexcept;

}  // namespace tine::detail
