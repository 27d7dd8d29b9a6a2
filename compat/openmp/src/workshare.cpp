// How the members of a team share iterations. Chunks are taken by compare-and-swap; turns of ordered loops, and waits
// of doacross loops, sleep on the team's condition variable.
#include "workshare.hpp"

#include "fail.hpp"
#include "hot.hpp"
#include "icvs.hpp"
#include "team.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>

namespace tine::openmp {

workshare& enter_share(member& me, void (*prepare)(workshare&, void*), void* with, bool* first) {
  team& t = *me.team;
  workshare& last = *me.at;
  workshare* w = last.next.load(std::memory_order_acquire);  // pairs with the release below
  bool is_first = false;
  std::unique_lock guard{t.shares_lock, std::defer_lock};
  for (unsigned i = 0; w == nullptr && !guard.try_lock(); ++i) {
    if (i == spins) {
      guard.lock();
      break;
    }
    pause();
    w = last.next.load(std::memory_order_acquire);  // pairs with the release below
  }
  if (guard.owns_lock()) {
    w = last.next.load(std::memory_order_relaxed);  // relaxed: under the lock
    if (w == nullptr) {
      is_first = true;
      w = new workshare;
      w->left.store(t.size, std::memory_order_relaxed);  // relaxed: published by `next`
      prepare(*w, with);
      last.next.store(w, std::memory_order_release);  // pairs with the acquire above
    }
  }
  if (guard.owns_lock()) guard.unlock();
  leave_last_share(me);
  me.at = w;
  me.trip = 0;
  me.has_ordered_chunk = false;
  if (first != nullptr) *first = is_first;
  return *w;
}

void leave_share(const team& of, workshare& w) noexcept {
  // acq_rel pairs with itself in the other members: the last one deletes what they have used
  if (w.left.fetch_sub(1, std::memory_order_acq_rel) == 1 && &w != &of.first_share) delete &w;
}

void leave_last_share(member& me) noexcept { leave_share(*me.team, *me.at); }

void prepare_loop(workshare& w, const iteration_space& space, schedule sched, std::uint64_t chunk,
                  const icvs& vars) noexcept {
  if (sched == schedule::runtime) {
    sched = vars.run_sched;
    chunk = static_cast<std::uint64_t>(std::max(vars.run_chunk, 0));
  }
  if (sched == schedule::automatic) {
    sched = schedule::fixed;
    chunk = 0;
  }
  if (sched != schedule::fixed && chunk == 0) chunk = 1;
  w.space = space;
  w.sched = sched;
  w.chunk = chunk;
}

namespace {

/// Each member gets one part.
bool take_part(member& me, const workshare& w, chunk_of_iterations& c) noexcept {
  if (me.trip++ != 0) return false;
  c = part_of(w.space.count, static_cast<std::uint64_t>(me.number), me.team->size);
  return c.first < c.last;
}

bool take_fixed(member& me, const workshare& w, chunk_of_iterations& c) noexcept {
  if (w.chunk == 0) return take_part(me, w, c);
  const std::uint64_t n = w.space.count, members = me.team->size, i = static_cast<std::uint64_t>(me.number);
  const std::uint64_t trip = me.trip++;
  std::uint64_t at = 0;
  if (__builtin_mul_overflow(trip, members, &at) || __builtin_add_overflow(at, i, &at) ||
      __builtin_mul_overflow(at, w.chunk, &at))
    return false;
  if (at >= n) return false;
  c = {at, at + std::min(w.chunk, n - at)};
  return true;
}

bool take_shared(const member& me, workshare& w, chunk_of_iterations& c) noexcept {
  const std::uint64_t n = w.space.count, members = me.team->size;
  std::uint64_t at = w.taken.load(std::memory_order_relaxed);  // relaxed: only numbers are shared
  for (;;) {
    if (at >= n) return false;
    const std::uint64_t left = n - at;
    std::uint64_t length = std::min(w.chunk, left);
    if (w.sched == schedule::guided) length = std::min(std::max((left - 1) / members + 1, w.chunk), left);
    // relaxed: as above
    if (!w.taken.compare_exchange_weak(at, at + length, std::memory_order_relaxed)) continue;
    c = {at, at + length};
    return true;
  }
}

void wait_for_turn(const member& me) noexcept {
  if (!me.has_ordered_chunk) return;
  const workshare& w = *me.at;
  const auto has_come = [&] {
    // acquire pairs with the release in end_turn; relaxed: a hint
    return w.turn.load(std::memory_order_acquire) == me.first || w.cancelled.load(std::memory_order_relaxed);
  };
  if (!has_come()) sleep_until(*me.team, has_come);
}

/// Ends the turn of the member's chunk, once it has come.
void end_turn(member& me) noexcept {
  if (!me.has_ordered_chunk) return;
  wait_for_turn(me);
  me.has_ordered_chunk = false;
  me.at->turn.store(me.last, std::memory_order_release);  // pairs with the acquire in wait_for_turn
  me.team->events.wake();
}

}  // namespace

bool take_chunk(member& me, chunk_of_iterations& c) noexcept {
  workshare& w = *me.at;
  if (w.cancelled.load(std::memory_order_relaxed)) return false;  // relaxed: a hint
  if (w.sched == schedule::fixed) return take_fixed(me, w, c);
  // A replay must hand out the chunks as the recording did. relaxed: the region set it before it forked
  return me.team->is_observed.load(std::memory_order_relaxed) ? take_fixed(me, w, c) : take_shared(me, w, c);
}

bool take_ordered_chunk(member& me, chunk_of_iterations& c) noexcept {
  end_turn(me);
  // Members that take turns run one after the other, so each gets one part, in whose iterations it needn't wait.
  if (!(me.team->turns != nullptr ? take_part(me, *me.at, c) : take_chunk(me, c))) return false;
  me.first = c.first;
  me.last = c.last;
  me.has_ordered_chunk = true;
  return true;
}

/// To the race detector the ordered regions of a loop are under a lock.
void begin_ordered(const member& me) noexcept {
  wait_for_turn(me);
  if (tine_race_note_lock != nullptr) tine_race_note_lock(me.at, 0);
}
void end_ordered(const member& me) noexcept {
  if (tine_race_note_unlock == nullptr) return;
  tine_race_note_unlock(me.at);
  tine_race_note_unlocked();
}

void prepare_doacross(workshare& w, const std::uint64_t* counts, unsigned dimensions) {
  auto p = std::make_unique<progress_of_iterations>();
  p->extent.assign(counts, counts + dimensions);
  const std::size_t outer = std::max<std::uint64_t>(counts[0], 1);
  auto* const words = static_cast<atomic<std::uint64_t>*>(std::calloc(outer, sizeof(std::uint64_t)));
  if (words == nullptr) fail("there is no memory for the %zu outer iterations of a doacross loop.", outer);
  p->posted = {words, [](void* at) { std::free(at); }};
  w.progress = std::move(p);
}

namespace {

std::uint64_t flattened(const progress_of_iterations& p, const std::uint64_t* at) noexcept {
  std::uint64_t number = 0;
  for (std::size_t d = 1; d < p.extent.size(); ++d) number = number * p.extent[d] + at[d];
  return number + 1;
}

}  // namespace

void post_iteration(team& of, const workshare& w, const std::uint64_t* at) noexcept {
  if (w.progress == nullptr || at[0] >= std::max<std::uint64_t>(w.progress->extent[0], 1)) return;
  // release pairs with the acquire in wait_for_iteration, so that a waiter sees what the iteration wrote
  if (tine_race_note_release != nullptr) tine_race_note_release(&w.progress->posted[at[0]]);
  w.progress->posted[at[0]].store(flattened(*w.progress, at), std::memory_order_release);
  of.events.wake();
}

void wait_for_iteration(team& of, const workshare& w, const std::uint64_t* at) noexcept {
  if (w.progress == nullptr || at[0] >= w.progress->extent[0]) return;
  const auto& posted = w.progress->posted[at[0]];
  const std::uint64_t needed = flattened(*w.progress, at);
  // acquire pairs with the release in post_iteration
  const auto has_come = [&] { return posted.load(std::memory_order_acquire) >= needed; };
  if (!has_come()) sleep_until(of, has_come);
  if (tine_race_note_acquire != nullptr) tine_race_note_acquire(&posted);
}

}  // namespace tine::openmp
