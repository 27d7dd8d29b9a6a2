// The slow path of the check of an access, and atomic operations. Only the thread that holds the detector runs it.
#include "race/access.hpp"

#include "race/contexts.hpp"
#include "race/found_races.hpp"
#include "race/guarded.hpp"
#include "race/release_word.hpp"
#include "race/slots.hpp"

#include "race/detector_time.hpp"
#include "sched/fiber.hpp"

#include <algorithm>
#include <bit>

namespace tine::detail {

thread_local constinit context* checked_context = nullptr;
thread_local constinit context* unlocked_context = nullptr;

namespace {

constexpr const char* no_shadow_memory = "no memory was left for the shadow of the program's memory";

/// The lock set of an atomic operation by a strand without locks. 0: not known yet.
constinit lockset only_atomics = 0;

/// An access that is being checked.
struct access {
  context& by;
  access_how how;
  std::uintptr_t place;
  lockset held;                    ///< including the lock of atomic operations, if it is one
  bool is_further_reader = false;  ///< a cell keeps a parallel reader that this one may outlast
  bool is_to_slot = false;         ///< some of the memory belongs to a worker
  bool has_raced = false;          ///< the access is a read, and some of the memory has a writer with which it races

  bool is_atomic() const noexcept { return how == access_how::atomic_read || how == access_how::atomic_write; }
};

/// Returns the interval of a strand that is parallel to the running one; null if it is in series.
const order::interval* parallel(const access& a, strand_number s) noexcept {
  if (s == 0 || s == a.by.strand || a.by.order.is_surely_in_series(s)) return nullptr;
  return a.by.order.find(s);
}

/// Reports a race with an earlier access, unless a count that has come to zero orders the strands, or a release and an
/// acquire do so in this run. Returns whether it was reported.
bool report(const access& a, const order::interval& in, strand_number earlier, std::uint16_t place,
            access_how earlier_how, std::uintptr_t address, std::size_t bytes, bool is_locked) noexcept {
  const acquired* const order = acquired_of(a.by, earlier);
  if (order != nullptr && (order->place == 0 || !found_races::checks_determinism())) return false;
  found_races::add(a.by, in, {earlier, place_table::address_of(place), earlier_how}, {a.by.strand, a.place, a.how},
                   {address, bytes, is_locked, order != nullptr ? order->place : 0});
  return true;
}

/// Checks an access to a cell, and records it. Returns `unusual` if there is a race.
finding check_cell(access& a, cell& c, cell_places& p, std::uintptr_t address, std::size_t bytes) noexcept {
  if (c.writer == unchecked) return finding::known;
  if (c.writer == of_worker) {
    a.is_to_slot = true;
    return finding::unusual;
  }
  const strand_number strand = a.by.strand;
  finding found = finding::known;
  if (!writes(a.how)) {
    if (c.writer == strand || c.reader == strand) return found;
    if (const auto* in = parallel(a, c.writer)) {
      const bool races = report(a, *in, c.writer, p.writer, found_races::write_kind(p.writer), address, bytes, false);
      a.has_raced = a.has_raced || races;
      found = finding::unusual;
    }
    if (c.has_reader()) {
      if (a.by.order.surely_outlasts(c.reader)) return found;
      if (const auto* in = parallel(a, c.reader)) {
        if (a.by.order.outlasts(*in)) return found;
        a.is_further_reader = true;
        return finding::unusual;
      }
    }
    c.reader = strand;
    p.reader = place_table::number_of(a.place);
    return found == finding::known ? finding::changes : found;
  }
  if (c.writer == strand && c.reader == strand) return found;
  if (const auto* in = parallel(a, c.writer)) {
    report(a, *in, c.writer, p.writer, found_races::write_kind(p.writer), address, bytes, false);
    found = finding::unusual;
  }
  if (const auto* in = c.has_reader() ? parallel(a, c.reader) : nullptr) {
    report(a, *in, c.reader, p.reader, access_how::read, address, bytes, false);
    found = finding::unusual;
  }
  c = {strand, strand};
  p = {place_table::number_of(a.place), 0};
  return found == finding::known ? finding::changes : found;
}

/// Checks an access to several cells. Most of them were accessed together before, so one search serves them all.
void check_cells(access& a, unit& u, std::uintptr_t begin, std::uintptr_t end) noexcept {
  const std::uint16_t place = place_table::number_of(a.place);
  const bool is_write = writes(a.how);
  bool is_settled = false;
  std::uint64_t before = 0;
  cell after{};
  finding found = finding::known;
  u.for_cells(begin, end, [&](std::size_t i, std::uintptr_t at, std::size_t bytes) {
    cell& c = u.cells()[i];
    cell_places& p = u.places()[i];
    if (is_settled && std::bit_cast<std::uint64_t>(c) == before) {
      if (found != finding::changes) return;
      c = after;
      is_write ? void(p = {place, 0}) : void(p.reader = place);
      return;
    }
    before = std::bit_cast<std::uint64_t>(c);
    found = check_cell(a, c, p, std::max(begin, at), bytes);
    is_settled = found != finding::unusual;
    after = c;
  });
}

/// As check_cell, for an access under a lock: the cell is for accesses without locks, so we don't change it.
void check_against_cell(const access& a, const cell& c, const cell_places& p, std::uintptr_t address,
                        std::size_t bytes) noexcept {
  if (c.writer >= end_of_strands) return;
  if (const auto* in = parallel(a, c.writer))
    report(a, *in, c.writer, p.writer, found_races::write_kind(p.writer), address, bytes, false);
  if (!writes(a.how) || !c.has_reader()) return;
  if (const auto* in = parallel(a, c.reader))
    report(a, *in, c.reader, p.reader, access_how::read, address, bytes, false);
}

access_how how_of(const guarded_access& g) noexcept {
  if (g.is_atomic) return g.writes ? access_how::atomic_write : access_how::atomic_read;
  return g.writes ? access_how::write : access_how::read;
}

/// Checks an access to some bytes of a word against the guarded accesses to it.
void check_against_guarded(const access& a, guarded_number first, std::uintptr_t word, std::uint8_t mask) noexcept {
  for (guarded_number n = first; n != 0; n = guarded_lists::at(n).next) {
    const guarded_access& g = guarded_lists::at(n);
    if ((g.bytes & mask) == 0 || (!g.writes && !writes(a.how))) continue;
    const order::interval* const in = parallel(a, g.strand);
    if (in == nullptr) continue;
    const lockset before = in->owner < a.by.open.size() ? a.by.open[in->owner].held : 0;
    const bool is_locked = have_common_lock(g.held, a.held, before);
    if (is_locked && !found_races::checks_determinism()) continue;
    // The common bytes of two accesses are contiguous.
    const auto common = static_cast<unsigned>(g.bytes & mask);
    report(a, *in, g.strand, g.place, how_of(g), word + static_cast<unsigned>(std::countr_zero(common)),
           static_cast<unsigned>(std::popcount(common)), is_locked);
  }
}

/// Adds a guarded access unless an earlier one stands for it, and removes those for which it stands.
void add_guarded(const access& a, guarded_lists& lists, std::uintptr_t word, std::uint8_t mask) noexcept {
  const bool is_write = writes(a.how);
  // A lock that was taken before a fork doesn't exclude the new access from one in the other branch. But it would
  // exclude an earlier access under the same lock, taken at another time.
  const bool holds_only_own = a.by.open.empty() || a.by.open[a.by.open.size() - 1].held == 0;
  for (guarded_number* link = &lists.first(word); *link != 0;) {
    guarded_access& g = guarded_lists::at(*link);
    const order::interval* const in = parallel(a, g.strand);
    const bool is_parallel = in != nullptr;
    if (g.strand == a.by.strand || (is_parallel && holds_only_own && a.by.order.outlasts(*in))) {
      // whatever would race with the new access races with this one, too
      if ((g.bytes & mask) == mask && (g.writes || !is_write) && is_subset(g.held, a.held)) return;
    }
    if (!is_parallel && (g.bytes & ~mask) == 0 && (is_write || !g.writes) && is_subset(a.held, g.held)) {
      guarded_lists::remove(*link);
    } else {
      link = &g.next;
    }
  }
  if (!lists.add(word, {a.by.strand, a.held, place_table::number_of(a.place), mask, is_write, a.is_atomic(), 0}))
    found_races::give_up(no_shadow_memory);
}

/// Returns the mask of the bytes from `begin` to `end` in the word at `word`.
std::uint8_t mask_in(std::uintptr_t word, std::uintptr_t begin, std::uintptr_t end) noexcept {
  const unsigned low = word < begin ? static_cast<unsigned>(begin - word) : 0;
  const unsigned high = end - word < 8 ? static_cast<unsigned>(end - word) : 8;
  return static_cast<std::uint8_t>((0xffU << low) & (0xffU >> (8 - high)));
}

/// Checks an access to bytes of one unit.
void check_bytes_of_unit(access& a, unit& u, std::uintptr_t begin, std::uintptr_t end) noexcept {
  if (a.held == 0) {
    check_cells(a, u, begin, end);
  } else {
    u.for_cells(begin, end, [&](std::size_t i, std::uintptr_t at, std::size_t bytes) {
      check_against_cell(a, u.cells()[i], u.places()[i], std::max(begin, at), bytes);
    });
  }
  if ((a.is_further_reader || a.is_to_slot || a.has_raced) && u.its().guarded == nullptr &&
      !shadow::make_guarded(begin))
    return found_races::give_up(no_shadow_memory);
  guarded_lists* const guarded = u.its().guarded;
  if (guarded == nullptr) return;
  const detector_time here;
  for (std::uintptr_t word = begin & ~std::uintptr_t{7}; word < end; word += 8) {
    const std::uint8_t mask = mask_in(word, begin, end);
    const bool is_slot = u.cell_at(std::max(begin, word)).writer == of_worker;
    access here_only = a;
    if (is_slot) here_only.held = united(a.held, chosen_slots(a.by));
    check_against_guarded(here_only, guarded->first(word), word, mask);
    if (here_only.held != 0 || a.is_further_reader || is_slot) add_guarded(here_only, *guarded, word, mask);
  }
}

/// Returns true if only the running strand can access this memory of a native stack, because it lies in the strand's
/// own frames or in the records of the fiber. Otherwise notes that another strand's frames are accessed.
bool is_private(context& c, std::uintptr_t begin) noexcept {
  for (native_stack& s : c.stacks) {
    if (s.fiber != nullptr && s.fiber->holds_record(base::from_word<std::byte>(begin))) {
      shadow::note_stack(begin);
      return true;
    }
    if (!s.holds(begin)) continue;
    shadow::note_stack(begin);
    if (&s == c.stack && begin < s.base) return true;
    s.low_water = std::min(s.low_water, begin);
    return false;
  }
  return false;
}

/// A strand that waits for another one reads the same few words again and again.
void note_atomic_read(context& c, std::uintptr_t address, std::uintptr_t place) noexcept {
  context::atomic_read& latest = c.latest_reads[address / 4 % 4];
  if (latest.address == address && latest.strand == c.strand) {
    ++c.repeated;
    c.repeated_at = place;
    note_look(c);
  }
  latest = {address, c.strand};
}

}  // namespace

bool has_atomic_write(std::uintptr_t word) noexcept {
  if (!shadow::is_covered(word)) return false;
  unit* const u = shadow::unit_of(shadow::entry(word));
  guarded_lists* const guarded = u != nullptr ? u->its().guarded : nullptr;
  if (guarded == nullptr) return false;
  for (guarded_number n = guarded->first(word); n != 0; n = guarded_lists::at(n).next) {
    const guarded_access& g = guarded_lists::at(n);
    if (g.is_atomic && g.writes && (g.bytes >> (word & 7) & 1) != 0) return true;
  }
  return false;
}

void let_others_run(context& c) noexcept {
  if (c.held != 0 || c.open.empty()) return;
  if (void (*const run)() noexcept = c.open.back().let_others_run) run();
}

void note_unchanged(std::uintptr_t place) noexcept {
  context* const c = checked_context;
  if (c == nullptr) return;
  ++c->repeated;
  c->repeated_at = place;
}

// Without --determinism an atomic operation races with plain accesses only. So it is enough that each word knows one
// write and one read of all atomic operations on the same bytes, as a cell does of plain accesses. (In the terms of
// shadow.hpp: an earlier operation in series is replaced, a parallel one stays.)
void check_atomic(context& c, std::uintptr_t address, std::size_t bytes, bool is_write, std::uintptr_t place) noexcept {
  const access_how how = is_write ? access_how::atomic_write : access_how::atomic_read;
  if (!is_write) note_atomic_read(c, address, place);
  const unit_entry e = shadow::entry(address);
  unit* const u = shadow::unit_of(e);
  guarded_lists* const guarded = u != nullptr ? u->its().guarded : nullptr;
  if (guarded == nullptr || u->its().is_on_stack || found_races::checks_determinism() || (address & 7) + bytes > 8 ||
      c.order.is_mixed() || (!c.open.empty() && c.open.back().held != 0))
    return check_slowly(c, address, bytes, how, place);
  if (only_atomics == 0) only_atomics = with_lock(0, lock_of_atomics, false);
  const order& o = c.order;
  const auto may_race = [&](const cell& plain) TINE_INLINED {
    const auto may_be_parallel = [&](strand_number s)
                                     TINE_INLINED { return !o.is_surely_in_series(s) && s != 0 && s != c.strand; };
    return may_be_parallel(plain.writer) || (is_write && may_be_parallel(plain.reader));
  };
  bool any_may_race = false;
  if (u->is_one_cell(address, bytes)) [[likely]] {
    any_may_race = may_race(u->cells()[(address & (unit_bytes - 1)) >> shift_of(u->its().cells)]);
  } else {
    u->for_cells(address, address + bytes, [&](std::size_t i, std::uintptr_t, std::size_t) {
      any_may_race = any_may_race || may_race(u->cells()[i]);
    });
  }
  if (any_may_race) return check_slowly(c, address, bytes, how, place);
  const std::uint8_t mask = mask_of(address, bytes);
  guarded_access* in_series = nullptr;
  bool is_known = false;
  for (guarded_number n = guarded->first(address); n != 0; n = guarded_lists::at(n).next) {
    guarded_access& g = guarded_lists::at(n);
    if ((g.bytes & mask) == 0) continue;
    if (!g.is_atomic || g.held != only_atomics) return check_slowly(c, address, bytes, how, place);
    const bool stays = g.strand == c.strand || (!o.is_surely_in_series(g.strand) &&
                                                (o.surely_outlasts(g.strand) || c.order.find(g.strand) != nullptr));
    if (stays && (g.bytes & mask) == mask && (g.writes || !is_write)) is_known = true;
    if (!stays && g.bytes == mask && (is_write || !g.writes)) in_series = &g;
  }
  ++(is_write ? c.writes : c.reads);
  if (is_known) return;
  const guarded_access now{c.strand, only_atomics, place_table::number_of(place), mask, is_write, true, 0};
  if (in_series != nullptr) {
    const guarded_number next = in_series->next;
    *in_series = now;
    in_series->next = next;
  } else if (!guarded->add(address, now)) {
    found_races::give_up(no_shadow_memory);
  }
}

namespace {

/// A strand that waits reads few words outside of its own frames, and writes none.
TINE_COLD void follow(context& c, std::uintptr_t address, access_how how, std::uintptr_t place) noexcept {
  const native_stack& s = *c.stack;
  if (address - s.begin < s.base - s.begin) return;
  followed_reads& w = c.followed;
  unsigned i = 0;
  while (i < w.words && w.addresses[i] != address) ++i;
  const bool waits = !writes(how) && i < followed_reads::most_words;
  if (waits && i == w.words) w.addresses[w.words++] = address;
  if (waits && ++w.reads < followed_reads::enough) return;
  w = {};
  if (waits) w.place = place;
  set_checked(&c);
}

}  // namespace

void check_locked(std::uintptr_t address, std::size_t bytes, access_how how, std::uintptr_t place) noexcept {
  if (context* const c = checked_context) check_slowly(*c, address, bytes, how, place);
}

void check_slowly(context& c, std::uintptr_t address, std::size_t bytes, access_how how,
                  std::uintptr_t place) noexcept {
  const std::uintptr_t end = address + bytes;
  if (!shadow::is_covered(end) || end < address) return;
  if (c.followed.is_on) [[unlikely]]
    follow(c, address, how, place);
  const unit_entry e = shadow::entry(address);
  if ((shadow::is_special(e) || shadow::tag_of(e) == unit_tag::none) && is_private(c, address)) return;
  const bool is_write = writes(how);
  ++(is_write ? c.writes : c.reads);
  lockset held = is_write ? exclusive_part(c.held) : c.held;
  if (how == access_how::atomic_read || how == access_how::atomic_write) held = with_lock(held, lock_of_atomics, false);
  access a{c, how, place, held};
  while (address < end) {
    const std::uintptr_t stop = std::min(end, (address | (unit_bytes - 1)) + 1);
    unit* const u = shadow::make(address, granularity_for(address, stop));
    if (u == nullptr || (held != 0 && u->its().guarded == nullptr && !shadow::make_guarded(address)))
      return found_races::give_up(no_shadow_memory);
    check_bytes_of_unit(a, *u, address, stop);
    address = stop;
  }
}

}  // namespace tine::detail
