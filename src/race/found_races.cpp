// Collects races as rows of the profile. A lock guards the rows, because the profiler's thread reads them.
#include "race/found_races.hpp"

#include "race/contexts.hpp"
#include "race/heap.hpp"

#include "augment/attached_check.hpp"
#include "augment/callers.hpp"
#include "augment/step_rows.hpp"

#include "race/detector_time.hpp"

#include <link.h>

#include <algorithm>
#include <bitset>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

namespace tine::detail {
namespace {

constexpr std::size_t most_rows = 10'000, most_locations = 1 << 16;

using race_key = std::tuple<std::uintptr_t, std::uintptr_t, access_how, access_how>;

struct table {
  std::vector<trace::race> rows;
  step_rows steps;
  std::map<race_key, std::size_t> row_numbers;
  std::set<race_key> dropped;
  std::set<std::uintptr_t> locations;
  std::bitset<1 << 16> releases;
  std::string incomplete;
  std::uintptr_t incomplete_at = 0;
};

table& all() {
  static table& t = *new table;  // never destroyed: programs access memory until their very end
  return t;
}

/// Guards the rows: the profiler's thread reads them while a root runs.
constinit std::mutex rows_lock;

/// Returns the step to which the first `count` open constructs lead. The halvings of a loop that runs as a tree are one
/// step.
std::uint32_t step_of_open(const context& c, std::size_t count) {
  std::uint32_t step = trace::nothing;
  for (std::size_t i = 0; i < count; ++i) {
    const open_construct& o = c.open[i];
    if (o.is_serial) continue;
    const bool is_next_half = i + 1 < c.open.size() && c.open[i + 1].kind == construct_kind::halving;
    if (o.kind == construct_kind::task) {
      step = all().steps.number(step, o.where, false, o.first, false);
    } else if (o.kind == construct_kind::fork) {
      step = all().steps.number(step, o.where, false, o.is_second, false);
    } else if (!is_next_half) {
      step = all().steps.number(step, o.where, true, o.iteration, false);
    }
  }
  return step;
}

/// Returns the position of the construct to which the interval's construct belongs: if it halves a loop, that of the
/// loop.
std::uint32_t whole_construct(const context& c, std::uint32_t construct) noexcept {
  while (c.open[construct].kind == construct_kind::halving) --construct;
  return construct;
}

/// Returns the number of open constructs with the innermost one that contains the earlier strand; 0 if none does. Tasks
/// of groups are joined elsewhere, so their interval doesn't tell.
std::uint32_t innermost_around(const context& c, const order::interval& in, strand_number earlier) noexcept {
  if (in.owner < c.open.size() && c.open[in.owner].first <= earlier) return in.owner + 1;
  auto innermost = static_cast<std::uint32_t>(c.open.size());
  while (innermost != 0 && (c.open[innermost - 1].is_serial || c.open[innermost - 1].first > earlier)) --innermost;
  return innermost;
}

std::uint32_t step_of_earlier(const context& c, const order::interval& in, strand_number earlier) {
  if (in.owner == other_roots || earlier < c.began) return all().steps.number(trace::nothing, 0, false, 0, true);
  const auto innermost = innermost_around(c, in, earlier);
  const std::uint32_t parting = innermost != 0 ? whole_construct(c, innermost - 1) : 0;
  std::uint32_t step = step_of_open(c, parting);
  const strand_way way = c.history.way(earlier, innermost != 0 ? c.open[parting].entry : c.entry);
  if (way.is_cut && innermost != 0)
    step = all().steps.number(step, c.open[parting].where, c.open[parting].kind == construct_kind::loop, 0, true);
  for (const strand_step& s : way.steps) step = all().steps.number(step, s.where, s.is_loop, s.branch, false);
  return step;
}

bool is_global(std::uintptr_t address) {
  const auto holds = [](dl_phdr_info* info, std::size_t, void* wanted) {
    const auto at = *static_cast<std::uintptr_t*>(wanted);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const auto& segment = info->dlpi_phdr[i];
      if (segment.p_type == PT_LOAD && at - (info->dlpi_addr + segment.p_vaddr) < segment.p_memsz) return 1;
    }
    return 0;
  };
  return dl_iterate_phdr(holds, &address) != 0;
}

void describe_memory(const context& c, trace::race& row) {
  const bool on_stack =
      std::any_of(c.stacks.begin(), c.stacks.end(), [&](const native_stack& s) { return s.holds(row.address); }) ||
      is_on_thread_stack(row.address);
  if (on_stack) {
    row.memory = trace::memory_kind::stack;
  } else if (is_global(row.address)) {
    row.memory = trace::memory_kind::global;
  } else if (const heap_block block = heap_block_around(row.address); block.begin != 0) {
    row.memory = block.is_of_runtime ? trace::memory_kind::frame : trace::memory_kind::heap;
    row.block = block.begin;
    row.block_bytes = block.bytes;
    row.block_site = block.allocated_at;
  }
}

trace::access_kind kind_of(access_how how) noexcept { return static_cast<trace::access_kind>(how); }

}  // namespace

void found_races::add(context& by, const order::interval& in, const raced_access& earlier, const raced_access& later,
                      const raced_memory& on) noexcept {
  const detector_time here;
  table& t = all();
  if (t.rows.empty()) profile_forked_process();
  const std::lock_guard guard{rows_lock};
  for (std::size_t i = 0; i < on.bytes && t.locations.size() < most_locations; ++i) t.locations.insert(on.address + i);
  const race_key key{earlier.place, later.place, earlier.how, later.how};
  const auto [at, is_new] = t.row_numbers.try_emplace(key, t.rows.size());
  if (!is_new) {
    trace::race& known = t.rows[at->second];
    ++known.count;
    if (on.ordered_at == 0) known.ordered_at = 0;
    return;
  }
  if (t.rows.size() == most_rows) {
    t.row_numbers.erase(at);
    t.dropped.insert(key);
    return;
  }
  trace::race row;
  row.earlier = earlier.place;
  row.later = later.place;
  row.earlier_kind = kind_of(earlier.how);
  row.later_kind = kind_of(later.how);
  row.earlier_step = step_of_earlier(by, in, earlier.strand);
  row.later_step = step_of_open(by, by.open.size());
  row.address = on.address;
  row.bytes = static_cast<std::uint32_t>(on.bytes);
  row.count = 1;
  row.is_locked = on.is_locked;
  row.ordered_at = on.ordered_at;
  describe_memory(by, row);
  t.rows.push_back(row);
}

void found_races::give_up(const char* why, std::uintptr_t place) noexcept {
  const detector_time here;
  {
    const std::lock_guard guard{rows_lock};
    if (all().incomplete.empty()) {
      all().incomplete = why;
      all().incomplete_at = place;
    }
  }
  stop_checking();
}

const std::string& found_races::incomplete() noexcept { return all().incomplete; }

access_how found_races::write_kind(std::uint16_t place) noexcept {
  return all().releases[place] ? access_how::release : access_how::write;
}
void found_races::note_release_at(std::uint16_t place) noexcept { all().releases[place] = place != 0; }

constinit bool found_races::determinism = false;
void found_races::set_determinism(bool on) noexcept { determinism = on; }

void found_races::collect(trace::profile& into) {
  const detector_time here;
  const std::lock_guard guard{rows_lock};
  const table& t = all();
  into.races = t.rows;
  const auto before = [](const trace::race& a, const trace::race& b) {
    return std::tie(b.count, a.earlier, a.later) < std::tie(a.count, b.earlier, b.later);
  };
  std::ranges::sort(into.races, before);
  into.race_steps = t.steps.rows();
  trace::race_totals totals;
  add_totals(totals);
  totals.dropped = t.dropped.size();
  totals.determinism = determinism;
  totals.incomplete = t.incomplete;
  totals.incomplete_at = t.incomplete_at;
  into.race = {totals};
}

std::size_t found_races::count() noexcept { return all().rows.size(); }
trace::race found_races::row(std::size_t i) { return all().rows[i]; }

std::vector<std::uintptr_t> found_races::locations() { return {all().locations.begin(), all().locations.end()}; }
void found_races::clear_locations() noexcept {
  const detector_time here;
  all().locations.clear();
}

void found_races::lock() noexcept { rows_lock.lock(); }
void found_races::unlock() noexcept { rows_lock.unlock(); }

void found_races::forget() noexcept {
  const detector_time here;
  const std::lock_guard guard{rows_lock};
  table now;
  now.incomplete = std::move(all().incomplete);
  now.incomplete_at = all().incomplete_at;
  all() = std::move(now);
}

}  // namespace tine::detail
