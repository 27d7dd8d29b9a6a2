// The slow path of the check of an access: see access.hpp.
#include "race/access.hpp"

#include "race/contexts.hpp"
#include "race/found_races.hpp"
#include "race/guarded.hpp"
#include "race/ordered_by_count.hpp"

#include "race/detector_time.hpp"
#include "sched/fiber.hpp"

#include <algorithm>
#include <bit>

namespace tine::detail {

thread_local constinit context* checked_context = nullptr;
thread_local constinit context* unlocked_context = nullptr;

namespace {

/// An access that is being checked.
struct access {
  context& by;
  access_how how;
  std::uintptr_t place;
  lockset held;  ///< with the lock of atomic operations, if it is one

  bool is_atomic() const noexcept { return how == access_how::atomic_read || how == access_how::atomic_write; }
};

/// Returns the interval of a strand that is parallel to the running one; null if it is in series.
const order::interval* parallel(const access& a, strand_number s) noexcept {
  if (s == 0 || s == a.by.strand || a.by.order.is_surely_in_series(s)) return nullptr;
  return a.by.order.find(s);
}

/// Reports a race with an earlier access, unless the strands are ordered by a count that has come to zero.
void report(const access& a, const order::interval& in, strand_number earlier, std::uint16_t place,
            access_how earlier_how, std::uintptr_t address, std::size_t bytes, bool is_locked) noexcept {
  if (is_ordered_by_count(a.by.strand, earlier)) return;
  found_races::add(a.by, in, {earlier, place_table::address_of(place), earlier_how}, {a.by.strand, a.place, a.how},
                   address, bytes, is_locked);
}

void check_cell(const access& a, cell& c, cell_places& p, std::uintptr_t address, std::size_t bytes) noexcept {
  if (c.writer == unchecked) return;
  const strand_number strand = a.by.strand;
  if (!writes(a.how)) {
    if (c.writer == strand || c.reader == strand) return;
    if (const auto* in = parallel(a, c.writer))
      report(a, *in, c.writer, p.writer, found_races::write_kind(p.writer), address, bytes, false);
    if (c.reader != 0 && (a.by.order.is_surely_parallel(c.reader) || parallel(a, c.reader) != nullptr)) return;
    c.reader = strand;
    p.reader = place_table::number_of(a.place);
    return;
  }
  if (c.writer == strand && c.reader == 0) return;
  if (const auto* in = parallel(a, c.writer))
    report(a, *in, c.writer, p.writer, found_races::write_kind(p.writer), address, bytes, false);
  if (const auto* in = parallel(a, c.reader))
    report(a, *in, c.reader, p.reader, access_how::read, address, bytes, false);
  c = {strand, 0};
  p = {place_table::number_of(a.place), 0};
}

/// As check_cell for an access under a lock: the cell has accesses without locks, and is not changed.
void check_against_cell(const access& a, const cell& c, const cell_places& p, std::uintptr_t address,
                        std::size_t bytes) noexcept {
  if (c.writer == unchecked) return;
  if (const auto* in = parallel(a, c.writer))
    report(a, *in, c.writer, p.writer, found_races::write_kind(p.writer), address, bytes, false);
  if (!writes(a.how)) return;
  if (const auto* in = parallel(a, c.reader))
    report(a, *in, c.reader, p.reader, access_how::read, address, bytes, false);
}

access_how how_of(const guarded_access& g) noexcept {
  if (g.is_atomic) return g.writes ? access_how::atomic_write : access_how::atomic_read;
  return g.writes ? access_how::write : access_how::read;
}

/// Checks an access to some bytes of a word against the guarded accesses to it.
void check_against_guarded(const access& a, const std::vector<guarded_access>& list, std::uintptr_t word,
                           std::uint8_t mask) noexcept {
  for (const guarded_access& g : list) {
    if ((g.bytes & mask) == 0 || (!g.writes && !writes(a.how))) continue;
    const order::interval* const in = parallel(a, g.strand);
    if (in == nullptr) continue;
    const lockset before = in->construct < a.by.open.size() ? a.by.open[in->construct].held : 0;
    const bool is_locked = have_common_lock(g.held, a.held, before);
    if (is_locked && !found_races::checks_determinism()) continue;
    // The common bytes of two accesses are a run.
    const auto common = static_cast<unsigned>(g.bytes & mask);
    report(a, *in, g.strand, g.place, how_of(g), word + static_cast<unsigned>(std::countr_zero(common)),
           static_cast<unsigned>(std::popcount(common)), is_locked);
  }
}

/// Adds a guarded access, unless an earlier one stands for it; removes those for which it stands.
void add_guarded(const access& a, std::vector<guarded_access>& list, std::uint8_t mask) noexcept {
  const bool is_write = writes(a.how);
  // A lock that was taken in front of a fork does not exclude the new access from one in the other branch, but an earlier access under the
  // same lock, which was taken at another time, would be excluded from it.
  const bool holds_only_own = a.by.open.empty() || a.by.open[a.by.open.size() - 1].held == 0;
  for (std::size_t i = list.size(); i-- > 0;) {
    const guarded_access& g = list[i];
    const bool is_parallel = parallel(a, g.strand) != nullptr;
    if (g.strand == a.by.strand || (is_parallel && holds_only_own)) {
      // what would race with the new access races with this one, too
      if ((g.bytes & mask) == mask && (g.writes || !is_write) && is_subset(g.held, a.held)) return;
    }
    if (!is_parallel && (g.bytes & ~mask) == 0 && (is_write || !g.writes) && is_subset(a.held, g.held)) {
      list[i] = list.back();
      list.pop_back();
    }
  }
  list.push_back({a.by.strand, a.held, place_table::number_of(a.place), mask, is_write, a.is_atomic()});
}

/// Checks an access to bytes of one unit.
void check_in_unit(const access& a, unit& u, std::uintptr_t begin, std::uintptr_t end) noexcept {
  const unsigned shift = shift_of(u.its().cells);
  const std::size_t size = std::size_t{1} << shift;
  const std::size_t first = (begin & (unit_bytes - 1)) >> shift;
  const std::size_t last = ((end - 1) & (unit_bytes - 1)) >> shift;
  cell* const cells = u.cells();
  cell_places* const places = u.places();
  const std::uintptr_t from = begin & ~std::uintptr_t{unit_bytes - 1};
  for (std::size_t i = first; i <= last; ++i) {
    const std::uintptr_t at = std::max(begin, from + i * size);
    a.held == 0 ? check_cell(a, cells[i], places[i], at, size) : check_against_cell(a, cells[i], places[i], at, size);
  }
  if (!u.its().has_guarded && a.held == 0) return;
  const detector_time here;
  for (std::uintptr_t word = begin & ~std::uintptr_t{7}; word < end; word += 8) {
    const unsigned low = word < begin ? static_cast<unsigned>(begin - word) : 0;
    const unsigned high = end - word < 8 ? static_cast<unsigned>(end - word) : 8;
    const auto mask = static_cast<std::uint8_t>((0xffU << low) & (0xffU >> (8 - high)));
    if (const auto* list = guarded_at(word)) check_against_guarded(a, *list, word, mask);
    if (a.held != 0) add_guarded(a, guarded_list(word), mask);
  }
}

/// Returns the size of the cells for an access: the largest one that it fills.
granularity granularity_for(std::uintptr_t begin, std::uintptr_t end) noexcept {
  const std::uintptr_t ends = begin | end;
  return (ends & 7) == 0 ? granularity::word : (ends & 3) == 0 ? granularity::half : granularity::byte;
}

/// Returns true if the running strand alone can access this memory of a native stack: it lies in the strand's own frames, or in the
/// records of the fiber. Notes that another strand's frames are accessed otherwise.
bool is_private(context& c, std::uintptr_t begin) noexcept {
  for (native_stack& s : c.stacks) {
    if (s.fiber != nullptr && s.fiber->holds_record(base::from_word<std::byte>(begin))) {
      shadow::make_special(begin);
      return true;
    }
    if (!s.holds(begin)) continue;
    shadow::make_special(begin);
    if (&s == c.stack && begin < s.base) return true;
    s.low_water = std::min(s.low_water, begin);
    return false;
  }
  return false;
}

/// Checks an access to whole cells of a unit, if it finds nothing unusual. Returns false if the access is another one, or if there may be a race.
template <bool Writes>
TINE_NOINLINE bool check_cells(context& c, unit& u, std::uintptr_t address, std::size_t bytes,
                               std::uintptr_t place) noexcept {
  const unsigned shift = shift_of(u.its().cells);
  if (((address | bytes) & ((std::size_t{1} << shift) - 1)) != 0) return false;
  const std::size_t first = (address & (unit_bytes - 1)) >> shift, count = bytes >> shift;
  if (first + count > u.size()) return false;
  cell* const cells = u.cells() + first;
  cell_places* const places = u.places() + first;
  std::uint64_t differences = 0;
  for (std::size_t i = 1; i < count; ++i)
    differences |= std::bit_cast<std::uint64_t>(cells[i]) ^ std::bit_cast<std::uint64_t>(cells[0]);
  // Mostly all cells have been accessed together.
  const std::size_t looked_up = differences == 0 ? 1 : count;
  bool changes = false;
  for (std::size_t i = 0; i < looked_up; ++i) {
    const finding found = look_up<Writes>(c, cells[i]);
    if (found == finding::unusual) return false;
    if (found == finding::known) continue;
    changes = true;
    record<Writes>(c, cells[i], places[i], place);
  }
  if (!changes) return true;
  ++(Writes ? c.writes : c.reads);
  for (std::size_t i = looked_up; i < count; ++i) {
    cells[i] = cells[0];
    places[i] = places[0];
  }
  return true;
}

/// As check_special, for an access to other memory than the strand's own.
template <bool Writes>
TINE_NOINLINE void check_shared(context& c, std::uintptr_t address, std::size_t bytes, std::uintptr_t place) noexcept {
  constexpr access_how how = Writes ? access_how::write : access_how::read;
  const unit_entry e = shadow::entry(address);
  const bool is_on_stack = c.stack->holds(address);
  unit* const u = shadow::unit_of(e);
  if (u == nullptr || u->its().has_guarded || (shadow::tag_of(e) == unit_tag::special && !is_on_stack))
    return check_slowly(c, address, bytes, how, place);
  if (is_on_stack) c.stack->low_water = std::min(c.stack->low_water, address);
  const unsigned shift = shift_of(u->its().cells);
  if (bytes != std::size_t{1} << shift || (address & (bytes - 1)) != 0) {
    if (!check_cells<Writes>(c, *u, address, bytes, place)) check_slowly(c, address, bytes, how, place);
    return;
  }
  const std::size_t i = (address & (unit_bytes - 1)) >> shift;
  const finding found = look_up<Writes>(c, u->cells()[i]);
  if (found == finding::known) return;
  if (found == finding::unusual) return check_slowly(c, address, bytes, how, place);
  ++(Writes ? c.writes : c.reads);
  record<Writes>(c, u->cells()[i], u->places()[i], place);
}

}  // namespace

template <bool Writes>
void check_special(context& c, std::uintptr_t address, std::size_t bytes, std::uintptr_t place) noexcept {
  const native_stack& s = *c.stack;
  if (address - s.begin < s.base - s.begin ||
      (s.fiber != nullptr && s.fiber->holds_record(base::from_word<std::byte>(address))))
    return shadow::make_special(address);
  check_shared<Writes>(c, address, bytes, place);
}
template void check_special<false>(context&, std::uintptr_t, std::size_t, std::uintptr_t) noexcept;
template void check_special<true>(context&, std::uintptr_t, std::size_t, std::uintptr_t) noexcept;

void check_locked(std::uintptr_t address, std::size_t bytes, access_how how, std::uintptr_t place) noexcept {
  if (context* const c = checked_context) check_slowly(*c, address, bytes, how, place);
}

void check_slowly(context& c, std::uintptr_t address, std::size_t bytes, access_how how,
                  std::uintptr_t place) noexcept {
  const std::uintptr_t end = address + bytes;
  if (!shadow::is_covered(end) || end < address) return;
  const unit_tag tag = shadow::tag_of(shadow::entry(address));
  if ((tag == unit_tag::none || tag == unit_tag::special) && is_private(c, address)) return;
  const bool is_write = writes(how);
  ++(is_write ? c.writes : c.reads);
  lockset held = is_write ? exclusive_part(c.held) : c.held;
  if (how == access_how::atomic_read || how == access_how::atomic_write) held = with_lock(held, lock_of_atomics, false);
  const access a{c, how, place, held};
  while (address < end) {
    const std::uintptr_t stop = std::min(end, (address | (unit_bytes - 1)) + 1);
    unit* const u = shadow::make(address, granularity_for(address, stop));
    if (u == nullptr) return found_races::give_up("no memory was left for the shadow of the program's memory");
    if (held != 0 && !u->its().has_guarded) {
      u->its().has_guarded = true;
      shadow::make_special(address);
    }
    check_in_unit(a, *u, address, stop);
    address = stop;
  }
}

}  // namespace tine::detail
