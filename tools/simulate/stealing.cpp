// The events of the model, a function for each: here those of running workers. README.md has the rules.
#include "simulate/stealing.hpp"

#include "simulate/simulated_pool.hpp"

#include <algorithm>
#include <utility>

namespace tine::simulate {

outcome stealing(const program& p, const machine& m, const stealing_options& o) {
  return simulated_pool{p, m, o}.run();
}

outcome simulated_pool::run() {
  for (std::uint32_t w = 1; w < workers_.size(); ++w) look_for_work(w, 0);
  std::uint64_t begin = 0;
  for (const root_group& g : program_.groups) {
    begin += g.outside_before;
    advance_to(begin);
    const std::uint64_t end = run_root(g);
    sums_.in_roots += end - begin;
    begin = end;
  }
  sums_.outside = program_.outside;
  sums_.idle = sums_.in_roots * workers_.size() - sums_.work - sums_.overhead;
  return sums_;
}

void simulated_pool::advance_to(std::uint64_t time) {
  while (!events_.empty() && events_.top().time <= time) {
    const event e = events_.top();
    events_.pop();
    now_ = e.time;
    handle(e);
  }
  now_ = time;
}

/// The caller of `run` is worker 0.
std::uint64_t simulated_pool::run_root(const root_group& g) {
  const std::uint32_t f = new_fiber(part_of(program_, g.tree), none);
  root_ended_ = false;
  start(0, f, 0, false);
  while (!root_ended_) {
    const event e = events_.top();
    events_.pop();
    now_ = e.time;
    handle(e);
  }
  return now_;
}

void simulated_pool::handle(const event& e) {
  worker& w = workers_[e.worker];
  if (e.version != (is_of_run(e.is) ? w.run : w.search) && e.is != event::kind::hunt) return;
  switch (e.is) {
    case event::kind::stop:
      return reach_stop(e.worker);
    case event::kind::poll:
      if (e.poll == w.poll) poll(e.worker, e.by_signal);
      return;
    case event::kind::token:
      w.has_no_token = false;
      return become_bare(e.worker);
    case event::kind::request:
      return request(e.worker);
    case event::kind::hunt:
      return hunt(e.worker, e.thief, e.version);
    case event::kind::sleep:
      return try_to_sleep(e.worker);
    case event::kind::woken:
      return wake_up(e.worker);
  }
}

// Running code.

/// Worker `w` starts to run a fiber, after a step of the scheduler that takes `cost`.
void simulated_pool::start(std::uint32_t w, std::uint32_t f, double cost, bool was_idle) {
  worker& me = workers_[w];
  if (was_idle) cost += leave_search(w);
  me.is = worker::state::running;
  me.fiber = f;
  fibers_[f].worker = w;
  ++me.run;
  me.since = now_;
  delay(me, cost);
  me.bucket.resume(now_);
  running_.add(w);
  me.is_armed = me.has_no_token = false;
  if (asleep_.size() > 0 || unmet_ > 0) {
    me.is_armed = true;  // its first fork finds a pending request, because a worker is idle
  } else {
    become_bare(w);
  }
  plan(w);
}

/// Plans the next events of a running worker.
void simulated_pool::plan(std::uint32_t w) {
  worker& me = workers_[w];
  const fiber& f = fibers_[me.fiber];
  ++me.run;
  push({me.since + (f.stop() - f.position), event::kind::stop, w, me.run});
  if (me.has_no_token) push({std::max(now_, me.bucket.next_token_at()), event::kind::token, w, me.run});
  if (me.is_armed) plan_poll(w);
}

/// An armed worker polls at its next fork, or when a signal comes.
void simulated_pool::plan_poll(std::uint32_t w) {
  worker& me = workers_[w];
  fiber& f = fibers_[me.fiber];
  const std::uint64_t from = std::max(now_, me.since), stop = f.stop();
  std::uint64_t at = f.position + (from - me.since), changes = 0;
  ++me.poll;
  if (at >= stop) return;
  const bool is_pending = f.pending(program_, at, 1, changes).has_value();
  std::uint64_t next = stop;
  if (is_pending) {
    next = poll_after(at);
    const std::uint64_t signalled = at + rounded(patience + costs_.signal);
    if (signalled < std::min(next, stop)) {
      return push({from + (signalled - at), event::kind::poll, w, me.run, me.poll, none, true});
    }
  } else {
    while ((at = first_fork_after(at, changes)) < stop && !f.pending(program_, at, 1, changes)) {
    }
    next = at;
  }
  if (next >= stop) return;
  push({from + (next - (f.position + (from - me.since))), event::kind::poll, w, me.run, me.poll, none, false});
}

/// Returns the position of the next poll after `at`.
std::uint64_t simulated_pool::poll_after(std::uint64_t at) {
  const auto found = std::ranges::upper_bound(program_.leaves, at, {}, &leaf_position::begin);
  const leaf_position& here = *(found - 1);
  const std::uint64_t end = found == program_.leaves.end() ? program_.work : found->begin;
  if (here.poll_gap > 0)
    return std::min(end, at + 1 + static_cast<std::uint64_t>(uniform() * static_cast<double>(here.poll_gap)));
  return here.next_poll < program_.leaves.size() ? program_.leaves[here.next_poll].begin : program_.work;
}

/// Returns a position after `at` before which no record becomes pending: `changes`, or the next fork if that is later.
std::uint64_t simulated_pool::first_fork_after(std::uint64_t at, std::uint64_t changes) {
  const auto found = std::ranges::upper_bound(program_.leaves, at, {}, &leaf_position::begin);
  const leaf_position& here = *(found - 1);
  if (here.poll_gap > 0) return changes;
  return here.next_poll < program_.leaves.size() ? program_.leaves[here.next_poll].begin : program_.work;
}

/// Moves a running worker's position to `now_`.
void simulated_pool::settle(std::uint32_t w) {
  worker& me = workers_[w];
  fiber& f = fibers_[me.fiber];
  if (now_ <= me.since) return;
  const std::uint64_t ran = now_ - me.since;
  if (options_.on_stretch) options_.on_stretch({w, me.since, f.position, f.position + ran});
  f.position += ran;
  sums_.work += ran;
  me.since = now_;
}

void simulated_pool::delay(worker& w, double cost) {
  const std::uint64_t c = rounded(cost);
  w.since += c;
  sums_.overhead += c;
}

/// The running fiber has come to the join of a promoted record, or to its end.
void simulated_pool::reach_stop(std::uint32_t w) {
  settle(w);
  worker& me = workers_[w];
  fiber& f = fibers_[me.fiber];
  while (f.position == f.stop()) {
    if (f.joins.empty()) return end_fiber(w);
    const fiber::open_join& j = f.joins.back();
    promoted_task& t = tasks_[j.task];
    if (t.is == promoted_task::state::stolen) return suspend(w, t);
    if (t.is == promoted_task::state::queued) {
      me.deque.pop_back();
      if (me.deque.empty()) has_tasks_.remove(w);
      --queued_;
      ++unmet_;
      ++sums_.reclaimed;
      delay(me, costs_.reclaim);
    } else {
      f.position = j.resume;
      me.bucket.accrue(now_);
      me.bucket.learn(t.was_short);
      delay(me, costs_.join);
    }
    free_tasks_.push_back(j.task);
    f.close_join();
  }
  plan(w);
}

void simulated_pool::suspend(std::uint32_t w, promoted_task& t) {
  t.waiter = workers_[w].fiber;
  ++sums_.suspensions;
  look_for_work(w, costs_.suspend);
}

void simulated_pool::end_fiber(std::uint32_t w) {
  const std::uint32_t f = workers_[w].fiber, ended = fibers_[f].task;
  free_fibers_.push_back(f);
  if (ended == none) return end_root(w);
  promoted_task& t = tasks_[ended];
  t.is = promoted_task::state::finished;
  t.was_short = workers_[w].bucket.is_short_task(now_ - t.stolen_at);
  if (t.waiter == none) return look_for_work(w, 0);
  const std::uint32_t waiter = std::exchange(t.waiter, none), origin = fibers_[waiter].worker;
  worker& home = workers_[origin];
  const bool is_free = home.is == worker::state::searching;
  if (options_.resume == resumes::finisher || origin == w || (options_.resume == resumes::origin && !is_free)) {
    stop_running(w);
    start(w, waiter, costs_.join, false);
    return;
  }
  if (is_free) {
    start(origin, waiter, costs_.resume, true);
  } else {
    home.inbox.push_back(waiter);
    if (home.is == worker::state::asleep) wake(origin);
  }
  look_for_work(w, 0);
}

/// With `resume_policy::finisher` another worker may end the root. Then the root's caller stops looking for work.
void simulated_pool::end_root(std::uint32_t w) {
  root_ended_ = true;
  if (w != 0) {
    if (workers_[0].is != worker::state::running) leave_search(0);
    look_for_work(w, 0);
  } else {
    stop_running(w);
  }
  workers_[0].is = worker::state::outside;
}

void simulated_pool::stop_running(std::uint32_t w) {
  worker& me = workers_[w];
  ++me.run;
  me.bucket.accrue(now_);
  running_.remove(w);
  bare_.remove(w);
}

}  // namespace tine::simulate
