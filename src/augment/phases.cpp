// Numbers the phases, and adds up the time that threads spend in them outside of roots. A lock protects all of it:
// phases and roots are rare.
#include "augment/phases.hpp"

#include "augment/dag.hpp"
#include "augment/levels.hpp"
#include "augment/profiled.hpp"

#include <tine/detail/augment/strand_clock.hpp>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace tine::detail {
namespace {

struct row {
  trace::phase is;
  base::ticks outside = 0;
};

/// Never destroyed, because threads open phases until the process ends.
struct phase_table {
  std::mutex lock;
  std::vector<row> rows;
  std::vector<std::shared_ptr<thread_phase>> open;  ///< of the threads on which a phase is open outside of pools
};
phase_table& all_phases() {
  static phase_table& t = *new phase_table;
  return t;
}

/// Adds the time since the last call to the thread's phase. Called under the lock.
void settle(phase_table& all, thread_phase& t, base::ticks now) {
  if (t.now != trace::nothing && !t.is_in_root) all.rows[t.now].outside += now - t.since;
  t.since = now;
}

/// Null unless a phase is open outside of pools. It has no destructor, because a process may end in a phase.
thread_local thread_phase* phase_of_this_thread = nullptr;

/// Makes `number` the phase of the thread, which is outside of all pools. Returns the phase before.
std::uint32_t enter_outside(std::uint32_t number) {
  phase_table& all = all_phases();
  const std::lock_guard guard{all.lock};
  thread_phase*& mine = phase_of_this_thread;
  if (mine == nullptr) {
    if (number == trace::nothing) return number;
    mine = all.open.emplace_back(std::make_shared<thread_phase>()).get();
  }
  settle(all, *mine, base::now());
  const std::uint32_t before = std::exchange(mine->now, number);
  if (number == trace::nothing) {
    std::erase_if(all.open, [&](const auto& t) { return t.get() == mine; });
    mine = nullptr;
  }
  return before;
}

/// Makes `number` the phase of the running strand, if the strand counts by path. Returns the phase before.
std::uint32_t enter_on_strand(profiled& v, std::uint32_t number) noexcept {
  const std::uint32_t around = v.phase;
  if (number == around) return around;
  const base::ticks now = strand_now();
  v.enter(number, now);
  if (void* const dag = find_vertex(allocating_kind<dag_vertex>)) static_cast<dag_vertex*>(dag)->enter(number, now);
  return around;
}

profiled* profiled_strand() noexcept { return static_cast<profiled*>(find_vertex(allocating_kind<profiled>)); }

std::uint32_t phase_outside() noexcept {
  return phase_of_this_thread != nullptr ? phase_of_this_thread->now : trace::nothing;
}

}  // namespace

std::uint32_t number_of_phase(const char* name, std::uint32_t around) {
  if (*name == '\0') return around;
  phase_table& all = all_phases();
  const std::lock_guard guard{all.lock};
  std::vector<row>& rows = all.rows;
  if (rows.empty()) rows.emplace_back();  // several_phases
  for (std::uint32_t p = around; p != trace::nothing; p = rows[p].is.parent) {
    if (rows[p].is.name == name) return around;
  }
  const auto known =
      std::ranges::find_if(rows, [&](const row& r) { return r.is.parent == around && r.is.name == name; });
  const auto number = static_cast<std::uint32_t>(known - rows.begin());
  if (known == rows.end()) {
    if (rows.size() > most_phases) return around;
    rows.push_back({.is = {.name = name, .parent = around}});
  }
  ++rows[number].is.count;
  return number;
}

phase_of_call::phase_of_call() {
  thread_phase* const mine = phase_of_this_thread;
  if (mine == nullptr) return;
  phase_table& all = all_phases();
  const std::lock_guard guard{all.lock};
  if (mine->is_in_root) return;
  settle(all, *mine, base::now());
  mine->is_in_root = true;
  of_ = *std::ranges::find(all.open, mine, &std::shared_ptr<thread_phase>::get);
  number_ = mine->now;
}

phase_of_call::~phase_of_call() {
  if (of_ == nullptr) return;
  const std::lock_guard guard{all_phases().lock};
  of_->since = base::now();
  of_->is_in_root = false;
}

std::uint32_t open_phase(const char* name) noexcept {
  if (vertex_node::current() == nullptr) return enter_outside(number_of_phase(name, phase_outside()));
  const sched::scheduler_time here;
  profiled* const v = profiled_strand();
  return v != nullptr ? enter_on_strand(*v, number_of_phase(name, v->phase)) : trace::nothing;
}

void close_phase(std::uint32_t around) noexcept {
  if (vertex_node::current() == nullptr) return static_cast<void>(enter_outside(around));
  const sched::scheduler_time here;
  if (profiled* const v = profiled_strand()) enter_on_strand(*v, around);
}

void merge_phases(trace::profile& into) {
  phase_table& all = all_phases();
  const std::lock_guard guard{all.lock};
  for (const auto& t : all.open) settle(all, *t, base::now());
  for (const row& r : all.rows) {
    into.phases.push_back(r.is);
    into.phases.back().outside = base::to_nanoseconds(r.outside);
  }
}

void lock_phases() noexcept { all_phases().lock.lock(); }
void unlock_phases() noexcept { all_phases().lock.unlock(); }

void forget_phases() noexcept {
  phase_table& all = all_phases();
  for (row& r : all.rows) r.outside = 0, r.is.count = 0;
  std::erase_if(all.open, [](const auto& t) { return t.get() != phase_of_this_thread; });
  for (const auto& t : all.open) t->since = base::now();
}

}  // namespace tine::detail
