// Promotion on demand, and the workers that have no work. See README.md.
#include "simulate/simulated_pool.hpp"

#include <algorithm>
#include <utility>

namespace tine::simulate {

// The owner of pending records.

/// A running worker acknowledges a work request, and serves idle workers as long as it has records and tokens.
void simulated_pool::poll(std::uint32_t w, bool by_signal) {
  settle(w);
  worker& me = workers_[w];
  fiber& f = fibers_[me.fiber];
  me.is_armed = false;
  me.bucket.accrue(now_);
  sums_.signals += by_signal;
  double cost = costs_.poll;
  bool has_token = true;
  std::uint64_t changes = 0;
  while (unmet_ > 0) {
    const auto takers = static_cast<unsigned>(std::clamp<std::int64_t>(unmet_ - 1, 0, 7)) + 1;
    const auto pending = f.pending(program_, f.position, takers, changes);
    if (!pending || !(has_token = me.bucket.spend(by_signal ? sched::promoted_by::signal : sched::promoted_by::poll)))
      break;
    cost += promote(w, *pending);
  }
  delay(me, cost);
  if (asleep_.size() > 0 && unmet_ > 0 && has_token) {
    me.is_armed = true;  // sleepers post no further request
  } else if (has_token) {
    become_bare(w);
  } else {
    me.has_no_token = true;
    // If all idle workers sleep, one of them requests work again later.
    if (static_cast<std::int64_t>(asleep_.size()) >= unmet_ && wake_one(w)) delay(me, costs_.wake);
  }
  plan(w);
}

/// Returns the cost.
double simulated_pool::promote(std::uint32_t w, const part& what) {
  worker& me = workers_[w];
  const std::uint32_t t = new_task(what);
  fibers_[me.fiber].promote(what, t);
  me.deque.push_back(t);
  has_tasks_.add(w);
  ++queued_;
  --unmet_;
  ++sums_.promotions;
  const double rate = chance(w, searching_) / costs_.search;
  if (rate > 0) push({at_rate(rate), event::kind::hunt, w, 0});
  const bool needs_more = asleep_.size() > 0 && static_cast<std::int64_t>(asleep_.size()) > unmet_;
  return costs_.promotion + (needs_more && wake_one(w) ? costs_.wake : 0);
}

/// The worker can be requested to give work. A thief that has found no such worker will.
void simulated_pool::become_bare(std::uint32_t w) {
  bare_.add(w);
  if (dormant_.size() == 0) return;
  const auto k = static_cast<std::size_t>(uniform() * static_cast<double>(dormant_.size()));
  const auto thief = static_cast<std::uint32_t>(dormant_.member(0, k));
  const double rate = static_cast<double>(dormant_.size()) / (costs_.search * static_cast<double>(workers_.size()));
  dormant_.remove(thief);
  push({at_rate(rate), event::kind::request, thief, workers_[thief].search});
}

void simulated_pool::arm(std::uint32_t w) {
  bare_.remove(w);
  workers_[w].is_armed = true;
  plan_poll(w);
}

// Thieves.

/// The worker has no work, or cannot continue it. A fiber that waits for this worker comes first.
void simulated_pool::look_for_work(std::uint32_t w, double cost) {
  stop_running(w);
  worker& me = workers_[w];
  if (!me.inbox.empty()) {
    const std::uint32_t f = me.inbox.front();
    me.inbox.pop_front();
    return start(w, f, cost + costs_.join, false);
  }
  ++unmet_;
  ++awake_[machine_.node(w)];
  begin_search(w, cost);
}

void simulated_pool::begin_search(std::uint32_t w, double cost) {
  worker& me = workers_[w];
  me.is = worker::state::searching;
  ++me.search;
  me.gap = request_gap;
  searching_.add(w);
  const std::uint64_t begin = now_ + rounded(cost);
  push({begin + rounded(costs_.search * uniform()), event::kind::request, w, me.search});
  push({begin + rounded(spin), event::kind::sleep, w, me.search});
  constexpr std::size_t most = 16;  // of many victims with tasks some are enough to find one soon
  for (std::size_t i = 0, n = std::min(has_tasks_.size(), most); i < n; ++i) {
    const auto victim = static_cast<std::uint32_t>(has_tasks_.member(0, i));
    push({at_rate(chance(victim, searching_) / costs_.search / static_cast<double>(searching_.size())) + rounded(cost),
          event::kind::hunt, victim, me.search, 0, w});
  }
}

/// The worker is no longer idle. Returns the cost of waking another one in its place, if it was the last one awake.
double simulated_pool::leave_search(std::uint32_t w) {
  worker& me = workers_[w];
  const bool was_asleep = me.is == worker::state::asleep;
  --unmet_;
  ++me.search;
  searching_.remove(w);
  dormant_.remove(w);
  asleep_.remove(w);
  if (was_asleep || --awake_[machine_.node(w)] > 0) return 0;
  return wake_one(w) ? costs_.wake : 0;
}

/// A thief posts a work request to a bare worker, and will post another one later.
void simulated_pool::request(std::uint32_t w) {
  worker& me = workers_[w];
  if (unmet_ > 0) {
    if (bare_.size() == 0) return dormant_.add(w);
    arm(draw(w, bare_));
  }
  push({now_ + rounded(me.gap), event::kind::request, w, me.search});
  me.gap = std::min(2 * me.gap, 8 * request_gap);
}

/// A thief looks at a victim with tasks: this thief, if it still looks for work, or any one.
void simulated_pool::hunt(std::uint32_t victim, std::uint32_t thief, std::uint32_t version) {
  if (!has_tasks_.has(victim)) return;
  if (thief == none) {
    if (searching_.size() > 0) steal(draw(victim, searching_), victim);
  } else if (workers_[thief].search == version) {
    steal(thief, victim);
  }
}

void simulated_pool::steal(std::uint32_t thief, std::uint32_t victim) {
  worker& from = workers_[victim];
  const std::uint32_t t = from.deque.front();
  from.deque.pop_front();
  if (from.deque.empty()) has_tasks_.remove(victim);
  --queued_;
  ++unmet_;  // one task less is queued; leave_search counts the thief
  ++sums_.steals;
  tasks_[t].is = promoted_task::state::stolen;
  tasks_[t].stolen_at = now_;
  unsigned level = 0;
  while (level + 1 < machine_.levels() &&
         (victim < machine_.within(thief, level).from || victim >= machine_.within(thief, level).to))
    ++level;
  start(thief, new_fiber(tasks_[t].what, t), costs_.steal + costs_.transfer_at(machine_.distance(level)), true);
}

// Sleeping.

/// The thief has looked in vain for long.
void simulated_pool::try_to_sleep(std::uint32_t w) {
  worker& me = workers_[w];
  if (is_work_in_sight()) {
    // With many thieves each one looks less often, which saves events: it is enough that some stay awake.
    const double thieves = static_cast<double>(searching_.size());
    return push({now_ + rounded(spin / 10 * (1 + thieves / 16)), event::kind::sleep, w, me.search});
  }
  me.is = worker::state::asleep;
  ++me.search;
  ++sums_.sleeps;
  searching_.remove(w);
  dormant_.remove(w);
  asleep_.add(w);
  if (--awake_[machine_.node(w)] > 0) return;
  while (bare_.size() > 0) arm(static_cast<std::uint32_t>(bare_.member(0, 0)));
}

bool simulated_pool::is_work_in_sight() {
  if (queued_ > 0) return true;
  std::uint64_t changes = 0;
  for (std::size_t i = 0; i < running_.size(); ++i) {
    const worker& v = workers_[running_.member(0, i)];
    fiber& f = fibers_[v.fiber];
    const std::uint64_t at = f.position + (now_ > v.since ? now_ - v.since : 0);
    if (at < f.stop() && f.pending(program_, at, 1, changes)) return true;
  }
  return false;
}

/// Wakes the closest worker that sleeps. Returns false if none does.
bool simulated_pool::wake_one(std::uint32_t by) {
  if (asleep_.size() == 0) return false;
  for (unsigned level = 0; level < machine_.levels(); ++level) {
    const auto [from, to] = machine_.within(by, level);
    if (asleep_.count(from, to) == 0) continue;
    wake(static_cast<std::uint32_t>(asleep_.member(from, 0)));
    return true;
  }
  return false;
}

void simulated_pool::wake(std::uint32_t w) {
  worker& me = workers_[w];
  me.is = worker::state::waking;
  asleep_.remove(w);
  ++awake_[machine_.node(w)];
  ++sums_.wakes;
  ++me.search;
  push({now_ + rounded(costs_.wake_up), event::kind::woken, w, me.search});
}

void simulated_pool::wake_up(std::uint32_t w) {
  worker& me = workers_[w];
  if (me.inbox.empty()) return begin_search(w, 0);
  const std::uint32_t f = me.inbox.front();
  me.inbox.pop_front();
  start(w, f, costs_.join, true);
}

// Choices.

/// Returns the workers up to that level, and those of them that are closer.
std::pair<machine::range, machine::range> simulated_pool::ring(std::uint32_t w, unsigned level) const {
  return {machine_.within(w, level), level > 0 ? machine_.within(w, level - 1) : machine::range{w, w + 1}};
}

/// Returns the weight of the members at that level among the victims of `w`: all victims at distance r weigh 1/r²
/// together.
double simulated_pool::chance(std::uint32_t w, const worker_set& among, unsigned level) const {
  const auto [outer, inner] = ring(w, level);
  const std::size_t all = (outer.to - outer.from) - (inner.to - inner.from);
  if (all == 0) return 0;
  const std::size_t n = among.count(outer.from, outer.to) - among.count(inner.from, inner.to);
  const double r = machine_.distance(level);
  return static_cast<double>(n) / static_cast<double>(all) / (r * r);
}

/// Returns the chance that a drawn victim of `w` is a member.
double simulated_pool::chance(std::uint32_t w, const worker_set& among) const {
  double some = 0, all = 0;
  for (unsigned level = 0; level < machine_.levels(); ++level) {
    const auto [outer, inner] = ring(w, level);
    const double r = machine_.distance(level);
    some += chance(w, among, level);
    if (outer.to - outer.from > inner.to - inner.from) all += 1 / (r * r);
  }
  return all > 0 ? some / all : 0;
}

/// Returns a member other than `w`, of which there must be one.
std::uint32_t simulated_pool::draw(std::uint32_t w, const worker_set& among) {
  double left = 0;
  for (unsigned level = 0; level < machine_.levels(); ++level) left += chance(w, among, level);
  left *= uniform();
  unsigned chosen = 0;
  for (unsigned level = 0; level < machine_.levels() && left >= 0; ++level) {
    const double here = chance(w, among, level);
    if (here > 0) chosen = level;
    left -= here;
  }
  const auto [outer, inner] = ring(w, chosen);
  const std::size_t before = among.count(outer.from, inner.from), n = before + among.count(inner.to, outer.to);
  const std::size_t k = std::min(n - 1, static_cast<std::size_t>(uniform() * static_cast<double>(n)));
  return static_cast<std::uint32_t>(k < before ? among.member(outer.from, k) : among.member(inner.to, k - before));
}

std::uint32_t simulated_pool::new_fiber(const part& what, std::uint32_t task) {
  if (free_fibers_.empty()) {
    free_fibers_.push_back(static_cast<std::uint32_t>(fibers_.size()));
    fibers_.emplace_back();
  }
  const std::uint32_t f = free_fibers_.back();
  free_fibers_.pop_back();
  fibers_[f].begin(what);
  fibers_[f].task = task;
  return f;
}

std::uint32_t simulated_pool::new_task(const part& what) {
  if (free_tasks_.empty()) {
    free_tasks_.push_back(static_cast<std::uint32_t>(tasks_.size()));
    tasks_.emplace_back();
  }
  const std::uint32_t t = free_tasks_.back();
  free_tasks_.pop_back();
  tasks_[t] = {.what = what};
  return t;
}

}  // namespace tine::simulate
