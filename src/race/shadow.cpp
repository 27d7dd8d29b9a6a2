// The shadow of the program's memory: its tables, units and their cells. A spin lock guards what other threads may
// change.
#include "race/shadow.hpp"

#include "race/guarded.hpp"
#include "race/reserved.hpp"
#include "race/spin_lock.hpp"

#include <algorithm>

namespace tine::detail {
namespace {

constexpr std::size_t slab_bytes = std::size_t{1} << 20;

/// Sets whole words to zero. Not by memset, because that is the detector's own.
void zero(void* where, std::size_t bytes) noexcept {
  auto* const words = static_cast<std::uint64_t*>(where);
  for (std::size_t i = 0; i < bytes / 8; ++i) words[i] = 0;
}

std::size_t bytes_of_unit(granularity g) noexcept {
  const std::size_t cells = unit_bytes >> shift_of(g);
  return unit::head_bytes(g) + cells * (sizeof(cell) + sizeof(cell_places));
}

struct free_units {
  unit* first = nullptr;
  std::byte* slab = nullptr;
  std::size_t left = 0;
};
free_units spare[4];

// Guards the tables and the free units. The thread that checks reads the tables also without it. Other threads change
// only entries of memory that they have just been given, and a strand accesses such memory only after its own
// allocation.
constinit spin_lock shadow_lock;

}  // namespace

constinit unit_entry* shadow::tables_[std::size_t{1} << (address_bits - table_bits)] = {};
constinit unit_entry shadow::unused_table[entries_of_table] = {};

void shadow::open() noexcept { std::ranges::fill(tables_, &unused_table[0]); }

/// Returns false if there is no memory for its table.
bool shadow::change_entry(std::uintptr_t address, unit_entry to) noexcept {
  unit_entry*& table = tables_[address >> table_bits];
  if (table == unused_table) {
    auto* const made = static_cast<unit_entry*>(reserve(entries_of_table * sizeof(unit_entry)));
    if (made == nullptr) return false;
    table = made;
  }
  table[(address >> unit_bits) % entries_of_table] = to;
  return true;
}

void shadow::set_entry(std::uintptr_t address, unit* u, bool special) noexcept {
  const auto cells = u == nullptr || u->its().guarded != nullptr ? granularity::none : u->its().cells;
  const auto tag = (special ? static_cast<std::uintptr_t>(unit_tag::special) : 0) | static_cast<std::uintptr_t>(cells);
  change_entry(address, base::to_word(u) | tag);
}

unit* shadow::allocate(granularity g) noexcept {
  free_units& from = spare[static_cast<unsigned>(g)];
  const std::size_t bytes = bytes_of_unit(g);
  if (unit* const u = from.first) {
    from.first = u->its().next_free;
    zero(u->cells(), bytes - unit::head_bytes(g));
    if (g == granularity::byte) zero(u->split(), unit::granules);
    u->its() = {g, false, nullptr, nullptr};
    return u;
  }
  if (from.left < bytes) {
    auto* const slab = static_cast<std::byte*>(reserve(slab_bytes));
    if (slab == nullptr) return nullptr;
    from.slab = slab;
    from.left = slab_bytes;
  }
  std::byte* const at = std::exchange(from.slab, from.slab + bytes);
  from.left -= bytes;
  unit* const u = base::object_at<unit>(at + unit::head_bytes(g));
  u->its() = {g, false, nullptr, nullptr};
  return u;
}

void shadow::release(unit* u) noexcept {
  free_units& to = spare[static_cast<unsigned>(u->its().cells)];
  u->its().next_free = std::exchange(to.first, u);
}

/// Returns a unit with smaller cells and the same contents; null if there is no memory.
unit* shadow::split(unit* coarse, granularity g) noexcept {
  unit* const fine = allocate(g);
  if (fine == nullptr) return nullptr;
  const unsigned by = shift_of(coarse->its().cells) - shift_of(g);
  for (std::size_t i = 0; i < fine->size(); i += g == granularity::byte ? unit::granule : 1) {
    fine->cells()[i] = coarse->cells()[i >> by];
    fine->places()[i] = coarse->places()[i >> by];
  }
  fine->its().is_on_stack = coarse->its().is_on_stack;
  fine->its().guarded = coarse->its().guarded;
  release(coarse);
  return fine;
}

unit* shadow::make(std::uintptr_t address, granularity wanted) noexcept {
  unit* u = unit_of(entry(address));
  if (u != nullptr && u->its().cells >= wanted) return u;
  const spin_lock::scope here{shadow_lock};
  const unit_entry e = entry(address);
  u = unit_of(e);
  if (u == nullptr && !change_entry(address, e)) return nullptr;  // no memory for the table
  const bool is_new = u == nullptr;
  u = is_new ? allocate(wanted) : split(u, wanted);
  if (u == nullptr) return nullptr;
  if (is_new) u->its().is_on_stack = is_special(e);
  set_entry(address, u, is_special(e));
  return u;
}

void shadow::make_special(std::uintptr_t address) noexcept {
  unit* const u = unit_of(entry(address));
  if (u != nullptr) u->its().is_on_stack = true;
  set_entry(address, u, true);
}

bool shadow::make_guarded(std::uintptr_t address) noexcept {
  const spin_lock::scope here{shadow_lock};
  unit& u = *unit_of(entry(address));
  if (u.its().guarded == nullptr) u.its().guarded = guarded_lists::create();
  if (u.its().guarded == nullptr) return false;
  set_entry(address, &u, true);
  return true;
}

bool shadow::mark(std::uintptr_t begin, std::size_t bytes, strand_number as) noexcept {
  for (const std::uintptr_t end = begin + bytes; begin < end;) {
    const std::uintptr_t stop = std::min(end, (begin | (unit_bytes - 1)) + 1);
    unit* const u = make(begin, granularity_for(begin, stop));
    if (u == nullptr) return false;
    u->for_cells(begin, stop, [=](std::size_t i, std::uintptr_t, std::size_t) { u->cells()[i] = {as, as}; });
    begin = stop;
  }
  return true;
}

void shadow::forget_in_unit(std::uintptr_t begin, std::uintptr_t end) noexcept {
  if (unit_of(entry(begin)) == nullptr) return;
  const spin_lock::scope here{shadow_lock};
  const unit_entry e = entry(begin);
  unit* const u = unit_of(e);
  if (u == nullptr) return;
  guarded_lists* const guarded = u->its().guarded;
  if (guarded != nullptr) guarded->forget(begin & (unit_bytes - 1), end - begin);
  if (end - begin == unit_bytes) {
    release(u);
    set_entry(begin, nullptr, u->its().is_on_stack);
    if (guarded != nullptr) guarded_lists::release(*guarded);
    return;
  }
  // If the range contains only a part of a cell and the rest is padding of the block, we forget the whole cell. Blocks
  // of the heap and frames are aligned to 16 bytes, so no cell belongs to two of them.
  const unsigned shift = shift_of(u->its().cells);
  const std::uintptr_t from = begin & (unit_bytes - 1);
  if (shift == 0) {
    std::uintptr_t i = from;
    for (const std::uintptr_t stop = from + (end - begin); i < stop;) {
      if (i % unit::granule == 0 && i + unit::granule <= stop) {
        u->unite_granule(i);
        u->cells()[i] = {0, 0};
        i += unit::granule;
      } else {
        u->split_granule(i);
        u->cells()[i++] = {0, 0};
      }
    }
    return;
  }
  const std::uintptr_t first = from >> shift;
  const std::uintptr_t last = (from + (end - begin) + (std::uintptr_t{1} << shift) - 1) >> shift;
  zero(u->cells() + first, (last - first) * sizeof(cell));
}

void shadow::forget(std::uintptr_t begin, std::size_t bytes) noexcept {
  if (tables_[0] == nullptr || bytes == 0 || !is_covered(begin + bytes)) return;
  const std::uintptr_t end = begin + bytes;
  while (begin < end) {
    if (tables_[begin >> table_bits] == unused_table) {
      begin = ((begin >> table_bits) + 1) << table_bits;
      continue;
    }
    const std::uintptr_t stop = std::min(end, (begin | (unit_bytes - 1)) + 1);
    forget_in_unit(begin, stop);
    begin = stop;
  }
}

bool shadow::forget_exactly(std::uintptr_t begin, std::size_t bytes) noexcept {
  if (tables_[0] == nullptr || bytes == 0 || !is_covered(begin + bytes)) return true;
  const std::uintptr_t end = begin + bytes;
  for (const std::uintptr_t edge : {begin, end - 1}) {
    const std::uintptr_t start = std::max(begin, edge & ~(unit_bytes - 1));
    const std::uintptr_t stop = std::min(end, (edge | (unit_bytes - 1)) + 1);
    if (unit_of(entry(edge)) != nullptr && make(edge, granularity_for(start, stop)) == nullptr) return false;
  }
  forget(begin, bytes);
  return true;
}

void shadow::begin_forked_process() noexcept {
  shadow_lock.free_in_forked_process();
  for (free_units& free : spare) free = {};
  guarded_lists::begin_forked_process();
}

}  // namespace tine::detail
