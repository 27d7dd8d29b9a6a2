// Keeps the rings of all workers, and turns them into the rows of a timeline. A lock protects the list of rings; each
// worker writes its own ring without it.
#include "augment/timeline.hpp"

#include "augment/callers.hpp"
#include "sched/event_ring.hpp"
#include "sched/pool_state.hpp"
#include "sched/worker.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tine::detail::timeline {
namespace {

using sched::event_kind;
using sched::event_ring;
using sched::ring_event;

constexpr std::size_t least_capacity = 1024;

/// The ring of a worker. When the worker has ended, the next one with the same number, in a pool with the same number,
/// takes the ring over. Pools that exist at the same time have different numbers.
struct row {
  std::unique_ptr<event_ring> ring;
  unsigned worker;
  unsigned pool;
  const sched::pool_state* taken_by;  ///< null: the worker has ended
};

/// Never destroyed, because workers add events until the process ends.
struct all_rows {
  std::mutex lock;
  std::vector<row> rows;
  bool is_kept = false;
  std::size_t most = 0;    ///< events in a profile
  std::uint64_t last = 0;  ///< nanoseconds; 0: no limit
};
all_rows& all() noexcept {
  static all_rows& rows = *new all_rows;
  return rows;
}

/// Returns how many events a ring gets, if all workers of a pool get the same. Call it under the lock.
std::size_t capacity_for(const sched::worker& w) noexcept {
  const std::size_t workers = std::max<std::size_t>(all().rows.size() + 1, w.pool.settings.workers);
  return std::bit_floor(std::max(least_capacity, all().most / workers));
}

/// Returns the pool's number: the least one that no other pool with a worker has now. Call it under the lock.
unsigned number_of(const sched::pool_state& pool) noexcept {
  const auto is_of = [&](const row& r) { return r.taken_by == &pool; };
  if (const auto own = std::ranges::find_if(all().rows, is_of); own != all().rows.end()) return own->pool;
  unsigned free = 0;
  const auto has = [&](const row& r) { return r.taken_by != nullptr && r.pool == free; };
  while (std::ranges::any_of(all().rows, has)) ++free;
  return free;
}

}  // namespace

event_ring* open_ring(const sched::worker& of) noexcept {
  all_rows& a = all();
  const std::lock_guard guard{a.lock};
  if (!a.is_kept) return nullptr;
  const unsigned pool = number_of(of.pool);
  for (row& r : a.rows) {
    if (r.worker != of.index || r.pool != pool || r.taken_by != nullptr) continue;
    r.taken_by = &of.pool;
    return r.ring.get();
  }
  try {
    a.rows.push_back({std::make_unique<event_ring>(capacity_for(of)), of.index, pool, &of.pool});
    return a.rows.back().ring.get();
  } catch (...) {  // out of memory: this worker has no timeline
    return nullptr;
  }
}

void close_ring(event_ring& ring) noexcept {
  all_rows& a = all();
  const std::lock_guard guard{a.lock};
  for (row& r : a.rows) {
    if (r.ring.get() == &ring) r.taken_by = nullptr;
  }
}

namespace {

/// Returns true if an event has the same number in the scheduler as in a profile.
constexpr bool kinds_are_equal() noexcept {
  using of_ring = event_kind;
  using of_profile = trace::timeline_event::kind;
  constexpr std::pair<of_ring, of_profile> kinds[] = {{of_ring::arrives, of_profile::arrives},
                                                      {of_ring::leaves, of_profile::leaves},
                                                      {of_ring::runs, of_profile::runs},
                                                      {of_ring::rests, of_profile::rests},
                                                      {of_ring::begins, of_profile::begins},
                                                      {of_ring::promotes, of_profile::promotes},
                                                      {of_ring::promotes_late, of_profile::promotes_late},
                                                      {of_ring::reclaims, of_profile::reclaims},
                                                      {of_ring::steals, of_profile::steals},
                                                      {of_ring::takes, of_profile::takes},
                                                      {of_ring::suspends, of_profile::suspends},
                                                      {of_ring::resumes, of_profile::resumes},
                                                      {of_ring::parks, of_profile::parks},
                                                      {of_ring::returns, of_profile::returns},
                                                      {of_ring::lacks_token, of_profile::lacks_token},
                                                      {of_ring::serves_again, of_profile::serves_again},
                                                      {of_ring::sees_work, of_profile::sees_work},
                                                      {of_ring::sees_none, of_profile::sees_none},
                                                      {of_ring::sleeps, of_profile::sleeps},
                                                      {of_ring::wakes, of_profile::wakes},
                                                      {of_ring::interrupts, of_profile::interrupts},
                                                      {of_ring::interrupted, of_profile::interrupted},
                                                      {of_ring::loses, of_profile::loses}};
  return std::ranges::all_of(kinds, [](const auto& each) {
    return static_cast<std::uint32_t>(each.first) == static_cast<std::uint32_t>(each.second);
  });
}
static_assert(kinds_are_equal());

/// The events of one ring, and the number of older ones.
struct read_ring {
  std::vector<ring_event> events;
  std::uint64_t lost;
};

read_ring read(const event_ring& ring) {
  read_ring r{};
  r.lost = ring.read([&](const ring_event& e) {
    r.events.push_back(e);
    // `add` reads the time before it takes a number, and a signal handler may add events in between
    for (auto i = r.events.end() - 1; i != r.events.begin() && (i - 1)->time > i->time; --i) std::iter_swap(i, i - 1);
  });
  return r;
}

/// Returns a time since which there are at most `most` events.
base::ticks time_of_newest(const std::vector<read_ring>& all, std::size_t most) {
  std::vector<base::ticks> times;
  for (const read_ring& r : all) {
    for (const ring_event& e : r.events) times.push_back(e.time);
  }
  if (times.size() <= most) return 0;
  const auto nth = times.end() - static_cast<std::ptrdiff_t>(most);
  std::ranges::nth_element(times, nth);
  return *nth;
}

bool changes_activity(event_kind is) noexcept {
  return is == event_kind::arrives || is == event_kind::leaves || is == event_kind::runs || is == event_kind::rests ||
         is == event_kind::sleeps || is == event_kind::wakes;
}

using position = std::vector<ring_event>::const_iterator;

/// Returns the latest event before `at` that `is_wanted`, or else `at`.
template <class Wanted>
position latest(const std::vector<ring_event>& events, position at, Wanted is_wanted) {
  for (position i = at; i != events.begin();) {
    if (is_wanted((--i)->is)) return i;
  }
  return at;
}

trace::timeline_event row_of(const ring_event& e, std::uint32_t worker, base::ticks began) {
  trace::timeline_event event{.worker = worker,
                              .is = static_cast<trace::timeline_event::kind>(e.is),
                              .time = base::to_nanoseconds(e.time - std::min(e.time, began)),
                              .other = e.other};
  // For a root or a strand the subject is a place in the program, or the number of a chain.
  event.subject = e.is == event_kind::begins ? e.subject & ~sched::of_coroutine : e.subject;
  return event;
}

}  // namespace

void keep(std::size_t most, std::uint64_t last) noexcept {
  all_rows& a = all();
  const std::lock_guard guard{a.lock};
  a.is_kept = true;
  a.most = most;
  a.last = last;
}

void note_strand(sched::site where) noexcept { sched::hot::self()->note(event_kind::begins, where); }

void note_loss(base::ticks lost) noexcept {
  sched::worker* const here = sched::hot::self();
  if (here == nullptr || lost < base::to_ticks(10)) return;  // less is within the error of the comparison
  here->note(event_kind::loses, base::to_nanoseconds(lost));
}

void add_rows(trace::profile& into, base::ticks began) {
  all_rows& a = all();
  const std::lock_guard guard{a.lock};
  const base::ticks now = base::now();
  std::vector<const row*> rows;
  for (const row& r : a.rows) rows.push_back(&r);
  std::ranges::sort(rows, {}, [](const row* r) { return std::pair{r->pool, r->worker}; });
  std::vector<read_ring> rings;
  for (const row* const r : rows) rings.push_back(read(*r->ring));
  base::ticks from = time_of_newest(rings, a.most);
  if (a.last != 0) from = std::max(from, now - std::min(now, base::to_ticks(static_cast<double>(a.last) / 1e3)));
  trace::timeline_totals totals{.end = base::to_nanoseconds(now - began), .asked_last = a.last};
  for (std::uint32_t i = 0; i < rings.size(); ++i) {
    read_ring& r = rings[i];
    const position kept = std::lower_bound(r.events.cbegin(), r.events.cend(), from,
                                           [](const ring_event& e, base::ticks t) { return e.time < t; });
    // what the worker was doing at `from`
    for (const position before : {latest(r.events, kept, [](event_kind is) { return is == event_kind::begins; }),
                                  latest(r.events, kept, changes_activity)}) {
      if (before != kept) into.timeline_events.push_back(row_of(*before, i, began));
    }
    r.lost += static_cast<std::uint64_t>(kept - r.events.begin());
    into.timeline_workers.push_back({.worker = rows[i]->worker, .pool = rows[i]->pool, .left_out = r.lost});
    // If a ring has lost events, we know nothing of its worker before the first that is left.
    if (r.lost != 0 && kept != r.events.end())
      totals.begin = std::max(totals.begin, base::to_nanoseconds(kept->time - std::min(kept->time, began)));
    for (position e = kept; e != r.events.end(); ++e) into.timeline_events.push_back(row_of(*e, i, began));
  }
  if (from != 0) totals.begin = std::max(totals.begin, base::to_nanoseconds(from - std::min(from, began)));
  totals.begin = std::min(totals.begin, totals.end);
  into.timeline.push_back(totals);
}

void lock() noexcept { all().lock.lock(); }
void unlock() noexcept { all().lock.unlock(); }
void forget() noexcept {
  for (const row& r : all().rows) r.ring->clear();
}

}  // namespace tine::detail::timeline
