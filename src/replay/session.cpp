// The session of a region: its begin and end, the submission of strands to workers, counted forks, and the writing of the tree.
#include "replay/session.hpp"

#include "replay/fork_path.hpp"
#include "replay/merged.hpp"
#include "replay/shape.hpp"
#include "sched/scheduler_time.hpp"

#include <tine/detail/base/assert.hpp>

#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <mutex>
#include <utility>
#include <vector>

namespace tine::detail {
namespace {

// relaxed: statistics, which are read after all joins
void count(base::atomic<std::uint64_t>& n) noexcept { n.fetch_add(1, base::relaxed); }

}  // namespace

// --- begin and end -----------------------------------------------------------------------------------------------

/// Moves the first strand to the worker on which it began when it was recorded, if the pool has that worker. A relaxed replay waits
/// for no worker; therefore it does not move a strand that must return to its thread.
void session::go_to_first_worker() noexcept {
  sched::pool_state& pool = sched::hot::self()->pool;
  // a perturbed root that was submitted begins on the same worker in each run; one that was called has a worker of its own
  const bool is_own = perturb_ != nullptr && sched::hot::self()->index >= pool.settings.workers;
  const bool insists = how_ != replay_mode::relaxed || perturb_ != nullptr;
  if (is_own || sched::is_kept_sequential() || (!insists && pool.keeps_threads())) return;
  sched::worker* to = &pool.member(0);
  if (follow_ != nullptr) {
    const sched::scheduler_time here;
    to = worker_mapping::worker_to_begin(*sched::hot::self(), *follow_);
  }
  if (to != nullptr) excursion_.emplace(*to, insists);
}

session::session(const session_plan& plan) noexcept
    : region{node_bytes +
                 (sched::region_strand::current() != nullptr ? sched::region_strand::current()->in->storage_bytes : 0),
             (plan.follow != nullptr && plan.how != replay_mode::relaxed) || plan.perturb != nullptr ||
                 (sched::region_strand::current() != nullptr && sched::region_strand::current()->in->is_unstealable)},
      // an unstealable strand stays on its worker
      follow_{sched::has_unstealable_observer() ? nullptr : plan.follow},
      how_{plan.how},
      perturb_{sched::has_unstealable_observer() ? nullptr : plan.perturb},
      plan_{plan} {
  tree_.write_to(plan.journal);
}

session::~session() = default;

namespace {

/// Returns the ranks of all strands of the schedule but the first.
std::vector<rank> ranks_in(const schedule& s) {
  std::vector<rank> all;
  for (const schedule::piece& p : s.pieces()) {
    if (p.run.owner != schedule::no_worker) all.push_back(rank{1} + p.run.stamp);
  }
  for (const schedule::step& t : s.steps()) {
    if (t.after.owner != schedule::no_worker) all.push_back(rank{1} + t.after.stamp);
  }
  std::ranges::sort(all);
  return all;
}

}  // namespace

void session::begin() noexcept {
  if (follow_ != nullptr || perturb_ != nullptr) go_to_first_worker();
  const sched::scheduler_time here;
  const sched::worker& self = *sched::hot::self();
  pool_ = &self.pool;
  workers_ = pool_->settings.workers;
  if (follow_ != nullptr) {
    mapping_.emplace(self, *follow_);
    if (how_ == replay_mode::strict_ordered) queues_.emplace(*follow_, *mapping_);
    if (how_ == replay_mode::serial) turns_.emplace(ranks_in(*follow_));
  }
  if (perturb_ != nullptr) turns_.emplace(std::vector<rank>{});
  began_ = base::now();
  journal_event described = plan_.described;
  described.c = workers_;
  if (plan_.journal.file != nullptr)
    described.c |= std::uint64_t{plan_.journal.file->number_of(numa_nodes_of(*pool_))} << 32;
  tree_.begin_root(self.index, began_, described);
  strand_ = {this, sched::region_strand::current(), &tree_.root_segment(), any_worker, nullptr};
  root_ = cursor{{cursor::cursor_bit, {nullptr}, 0, 0, nullptr, nullptr},
                 nullptr,
                 0,
                 0,
                 0,
                 &tree_.root(),
                 sched::position::current(),
                 perturb_ != nullptr};
  if (follow_ != nullptr) follow(root_, 0);
  watermark_before_ = sched::hot::words().watermark.load(base::relaxed);  // relaxed: own word
  scope_.enter(*this);
  sched::enter_region(strand_, root_);
}

void session::end() noexcept {
  end_region();
  excursion_.reset();
}

void session::end_region() noexcept {
  const sched::scheduler_time here;
  if (follow_ != nullptr) finish(root_);
  strand_.now->end_at(base::now());
  tree_.end_root({.a = root_.next});
  if (strand_.outer != nullptr) {
    resume_strand(*strand_.outer, *root_.outer);
  } else {
    sched::leave_region();
  }
  scope_.leave();
  // relaxed: own word
  if (is_unstealable) sched::hot::words().watermark.store(watermark_before_, base::relaxed);
  wait_until_unpinned();
}

replayed session::counts() const {
  const auto read = [](const base::atomic<std::uint64_t>& n) {
    return n.load(base::relaxed);
  };  // relaxed: read after all joins
  const std::uint64_t impatient = turns_ ? turns_->impatient() : 0;
  return {read(matched_), read(skipped_), read(diverged_) + impatient, {}, first_divergence_, 0, {}, {}};
}

replayed session::result() const {
  replayed all = counts();
  all.performed = tree_.finished(workers_, began_);
  all.performed.set_shape(shape_of_process());
  all.performed.set_numa_nodes(numa_nodes_of(*pool_));
  all.time_workers();
  if (follows() && how_ == replay_mode::relaxed) all.performed = merged(all.performed, most_steals());
  return all;
}

/// Returns the largest number of steals for the next relaxed replay: as many as this replay followed, or as many as balance a
/// region, and the strands that the program itself placed.
std::size_t session::most_steals() const noexcept {
  constexpr std::size_t enough = 32;  // for each worker: less than a 32nd of its share is no reason for a steal
  // relaxed: read after all joins
  return std::max(follow_->steals(), enough * workers_) + static_cast<std::size_t>(pinned_.load(base::relaxed));
}

// --- to the workers ----------------------------------------------------------------------------------------------

void session::submit_scheduled(slot_id id, int owner, sched::submission& s) noexcept {
  sched::worker& to = mapping_->worker_of(owner);
  switch (how_) {
    case replay_mode::strict_ordered:
      return queues_->fill(id, s);
    case replay_mode::strict_unordered:
      return sched::submit(s, &to, to);
    case replay_mode::relaxed:
      return sched::submit_affine(s, to);
    case replay_mode::serial: {
      const schedule::segment& of = id.is_join ? step(id.of).after : piece(id.of).run;
      return turns_->add(rank{1} + of.stamp, s, to, false);
    }
  }
}

void session::submit_scheduled(std::uint32_t p, sched::submission& s) noexcept {
  count(matched_);
  submit_scheduled({p, false}, piece(p).run.owner, s);
}

sched::worker& session::member(int hinted_worker) noexcept {
  const sched::pool_state& pool = sched::hot::self()->pool;
  return pool.member(static_cast<unsigned>(hinted_worker) % pool.settings.workers);
}

void session::submit_hinted(sched::submission& s, sched::worker& to) noexcept {
  count(pinned_);
  submit(s, to);
}

void session::submit(sched::submission& s, sched::worker& to) noexcept {
  if (turns_) return turns_->add(perturb_ != nullptr ? perturb_->priority() : turns_->next_unscheduled(), s, to, false);
  if (queues_) queues_->begin_one();
  follows() && how_ == replay_mode::relaxed ? sched::submit_affine(s, to) : sched::submit(s, &to, to);
}

/// Returns the worker that the schedule assigns to the continuation of the join.
int session::owner_after(const replay_node& n) const noexcept {
  return n.step != schedule::nothing ? step(n.step).after.owner : schedule::no_worker;
}

bool session::is_rest_owned(replay_node& n) const noexcept {
  n.take_number();
  return owner_after(n) != schedule::no_worker;
}

/// Where a strand continues after a join.
struct session::continuation {
  sched::worker* on;    ///< null: the worker of the strand that arrives last
  bool is_in_schedule;  ///< true if the schedule names this worker
};

/// Returns where the strand continues. `bound_to` is the worker that its fiber must return to; null if there is none. A schedule
/// that names another worker is then skipped.
session::continuation session::after(replay_node& n, sched::worker* bound_to) const noexcept {
  n.take_number();
  const int owner = owner_after(n);
  sched::worker* const player = owner != schedule::no_worker ? &mapping_->worker_of(owner) : nullptr;
  if (bound_to != nullptr) return {bound_to, bound_to == player};
  return player != nullptr ? continuation{player, true} : continuation{n.origin, false};
}

/// Returns true if the strand continues here and now.
bool session::has_turn(replay_node& n, const continuation& next) noexcept {
  const sched::worker& here = *sched::hot::self();
  if (turns_) {
    const bool is_here = next.on == nullptr || next.on == &here;
    if (!is_here || !turns_->keep(rank_after(n))) return false;
    if (next.is_in_schedule) note_joined(n);
    return true;
  }
  if (!next.is_in_schedule) return next.on == nullptr || next.on == &here;
  if (queues_ ? !queues_->take({n.step, true}, here) : next.on != &here) return false;
  note_joined(n);
  return true;
}

bool session::may_resume_here(sched::join_counter& r) noexcept {
  replay_node& n = static_cast<placed_join&>(r).of;
  sched::worker* const here = sched::hot::self();
  return has_turn(n, after(n, here->pool.keeps_threads() ? here : nullptr));
}

void session::note_joined(replay_node& n) noexcept {
  n.is_joined = true;
  if (n.what != schedule::kind::run) count(matched_);
}

bool session::dispatch(sched::join_counter& r) noexcept {
  replay_node& n = static_cast<placed_join&>(r).of;
  const bool is_bound = r.waiting != nullptr && sched::hot::self()->pool.keeps_threads();  // frames of coroutines move
  const continuation next = after(n, is_bound ? r.waiting->origin : nullptr);
  if (has_turn(n, next)) return true;
  r.back.is_bound = is_bound;
  if (turns_) {
    if (next.is_in_schedule) note_joined(n);
    turns_->add(rank_after(n), r.back, next.on != nullptr ? *next.on : *sched::hot::self(), false);
  } else if (next.is_in_schedule) {
    note_joined(n);
    submit_scheduled({n.step, true}, owner_after(n), r.back);
  } else {
    submit(r.back, *next.on);
  }
  arrived_early();
  return false;
}

/// Returns the rank of the continuation of the join.
rank session::rank_after(replay_node& n) noexcept {
  if (n.rank_after != 0) return n.rank_after;
  const bool is_known = owner_after(n) != schedule::no_worker;
  // In the recorded run the plain code did not have to wait for its task: it continues at once.
  if (!is_known && perturb_ == nullptr && n.what == schedule::kind::run) return first_rank;
  n.rank_after = is_known              ? rank{1} + step(n.step).after.stamp
                 : perturb_ != nullptr ? perturb_->priority()
                                       : turns_->next_unscheduled();
  return n.rank_after;
}

void session::strand_blocked() noexcept {
  if (queues_) queues_->begin_one();
  if (turns_) turns_->begin_one();
}

void session::strand_unblocked() noexcept {
  if (queues_) queues_->end_one();
  if (turns_) turns_->end_one();
}

void session::arrived_early() noexcept {
  if (queues_ && queues_->rest()) count(diverged_);
  if (turns_ && turns_->rest()) count(diverged_);
}

void session::wait_begins() noexcept {
  if (turns_) turns_->rest();
}

void session::wait_is_over() noexcept {
  if (turns_) turns_->begin_one();
}

void session::wait_ends() noexcept {
  if (turns_) wait_for_turn(*turns_, first_rank);
}

// --- the schedule ------------------------------------------------------------------------------------------------

void session::follow(cursor& p, std::uint32_t node) const noexcept {
  if (node == schedule::nothing) {
    p.step = p.steps = 0;
  } else {
    const schedule::node& n = follow_->nodes()[node];
    p.step = n.first_step;
    p.steps = n.first_step + n.steps;
  }
}

std::uint32_t session::match(cursor& p, std::uint32_t number, schedule::kind what) noexcept {
  if (p.step == p.steps || step(p.step).number != number) return schedule::nothing;
  const std::uint32_t s = p.step++;
  if (step(s).what == what) return s;
  count(diverged_);
  diverge(std::string{name_of(what)} + ' ' + fork_path(p, number) + " is a " + name_of(step(s).what) +
          " in the schedule");
  skip_steps(s, s + 1);
  return schedule::nothing;
}

void session::finish(cursor& p) noexcept {
  if (p.step == p.steps) return;
  const schedule::step& missing = step(p.step);
  diverge(std::string{name_of(missing.what)} + ' ' + fork_path(p, missing.number) +
          " of the schedule does not come: the branch ends with " + std::to_string(p.next) + " forks, loops and runs");
  skip_steps(std::exchange(p.step, p.steps), p.steps);
}

/// Voids these steps with everything inside them. There is no recursion, because a tree may be deeper than a native stack.
void session::skip_steps(std::uint32_t begin, std::uint32_t end) noexcept {
  const sched::scheduler_time here;
  std::vector<std::uint32_t> inside;
  for (;;) {
    for (std::uint32_t s = begin; s != end; ++s) {
      const schedule::step& of = step(s);
      for (std::uint32_t p = of.first_piece; p != of.first_piece + of.pieces; ++p) {
        skip_begin(p);
        if (piece(p).node != schedule::nothing) inside.push_back(piece(p).node);
      }
      skip_join(s);
    }
    if (inside.empty()) return;
    const schedule::node& next = follow_->nodes()[inside.back()];
    inside.pop_back();
    begin = next.first_step;
    end = begin + next.steps;
  }
}

void session::skip_begin(std::uint32_t p) noexcept {
  if (!is_owned(p)) return;
  count(skipped_);
  if (queues_) queues_->skip({p, false});
  if (turns_) turns_->skip(rank_of(p));
}

void session::skip_inside(std::uint32_t p) noexcept {
  if (piece(p).node == schedule::nothing) return;
  const schedule::node& n = follow_->nodes()[piece(p).node];
  skip_steps(n.first_step, n.first_step + n.steps);
}

void session::skip_join(std::uint32_t s) noexcept {
  if (step(s).after.owner == schedule::no_worker) return;
  if (step(s).what != schedule::kind::run) count(skipped_);
  if (queues_) queues_->skip({s, true});
  if (turns_) turns_->skip(rank{1} + step(s).after.stamp);
}

/// The run differs from the schedule. Reports the first difference.
void session::diverge(const std::string& how) noexcept {
  const sched::scheduler_time here;
  const std::lock_guard guard{lock_};
  if (!first_divergence_.empty()) return;
  first_divergence_ = how;
  if (plan_.root == schedule::nothing) return;
  const std::string of = "TINE_REPLAY: root " + std::to_string(plan_.root) + " differs from the recorded run: ";
  base::warn((of + first_divergence_ + (plan_.must_match ? "; the program ends, as must_match demands" : "")).c_str());
  if (plan_.must_match) _exit(2);
}

// --- perturbed runs ----------------------------------------------------------------------------------------------

void session::choose(fork_node& f) noexcept {
  const cursor* const c = as_cursor(f.parent);
  if (perturb_ == nullptr || c == nullptr || !c->may_place || f.hinted_worker != any_worker) return;
  if (sched::is_kept_sequential() || !perturb_->places()) return;
  f.hinted_worker = perturb_->worker(workers_);
  f.delays_first = perturb_->delays();
  const int here = static_cast<int>(sched::hot::self()->index);
  // the worker of a branch that waits runs nothing else meanwhile
  if (f.delays_first && f.hinted_worker == here) f.hinted_worker = (here + 1) % static_cast<int>(workers_);
}

void session::choose(loop_node& l) noexcept {
  const cursor* const c = as_cursor(l.parent);
  if (perturb_ == nullptr || c == nullptr || !c->may_place || !l.wanted.empty() || l.count < 2) return;
  if (sched::is_kept_sequential() || !perturb_->places()) return;
  const sched::scheduler_time here;
  l.wanted = perturb_->partition(l.count, workers_);
}

// --- counted forks -----------------------------------------------------------------------------------------------

void session::begin_stolen(sched::position& forked, sched::region_strand& thief, sched::position& first) noexcept {
  const sched::scheduler_time here;
  {
    const std::lock_guard guard{lock_};
    first.step = &step_of(forked);
    thief = {this, nullptr, tree_.begin_piece(*first.step, 1, sched::hot::self()->index, base::now()), any_worker,
             nullptr};
  }
  first.begin_second_of(forked);
  sched::enter_region(thief, first);
}

void session::end_stolen() noexcept {
  pause();
  sched::leave_region();
}

void session::pause() noexcept {
  const base::ticks now = base::now();
  for (const auto* s = sched::region_strand::current(); s != nullptr; s = s->outer) s->now->end_at(now);
}

void session::resume_after(sched::position& forked) noexcept {
  const sched::scheduler_time here;
  const std::lock_guard guard{lock_};
  sched::region_strand::current()->now = tree_.begin_after(step_of(forked), sched::hot::self()->index, base::now());
}

bool session::counts_all(const sched::position& p, const sched::region_strand& s) const noexcept {
  if (s.outer != nullptr || s.hinted_worker != any_worker) return false;
  if (perturb_ != nullptr) return !p.is_cursor() || !static_cast<const cursor&>(p).may_place || perturb_->is_spent();
  return !p.is_cursor() || static_cast<const cursor&>(p).step == static_cast<const cursor&>(p).steps;
}

bool session::counts_next(const sched::position& p, const sched::region_strand& s) const noexcept {
  if (counts_all(p, s)) return true;
  if (s.outer != nullptr || s.hinted_worker != any_worker || perturb_ != nullptr) return false;
  const cursor& c = static_cast<const cursor&>(p);
  return step(c.step).number != c.next;
}

// --- the tree ----------------------------------------------------------------------------------------------------

/// The strand of `s` is about to begin with the piece of `n` at `begin`, or to continue after its join.
void session::begin_strand(const replay_node& n, std::uint64_t begin, const segment_builder& s) noexcept {
  if (!turns_) return;
  turns_->note_thread();
  if (s.stamp != plan_.stop_before) return;
  const std::string what = begin == after_join
                               ? "the continuation of the join of " + fork_path(n)
                               : "the part of " + fork_path(n) + " that begins at " + std::to_string(begin);
  base::warn(("the replay stops before strand " + std::to_string(s.stamp) + ": " + what).c_str());
  std::raise(SIGTRAP);
}

segment_builder* session::write_piece(replay_node& n, std::uint64_t begin) noexcept {
  const sched::scheduler_time here;
  segment_builder* written;
  {
    const std::lock_guard guard{lock_};
    written = tree_.begin_piece(step_of(n), begin, sched::hot::self()->index, base::now());
  }
  begin_strand(n, begin, *written);
  return written;
}

segment_builder* session::write_join(replay_node& n) noexcept {
  const sched::scheduler_time here;
  segment_builder* written;
  {
    const std::lock_guard guard{lock_};
    written = tree_.begin_after(step_of(n), sched::hot::self()->index, base::now());
  }
  begin_strand(n, after_join, *written);
  return written;
}

void session::note_placed(replay_node& n, std::uint64_t begin, int owner) noexcept {
  if (!tree_.has_journal()) return;
  const sched::scheduler_time here;
  const std::lock_guard guard{lock_};
  tree_.note_placed(step_of(n), begin, owner);
}

// The nodes and steps around a step are written first. Those that are not written yet belong to the running strand, or to its
// ancestors whose steal is being written, too.

step_builder& session::step_of(replay_node& n) {
  if (n.written == nullptr) n.written = &tree_.add_step(node_of(n.parent), n.number, n.what, n.count);
  return *n.written;
}

step_builder& session::step_of(sched::position& counted) {
  if (counted.step == nullptr)
    counted.step = &tree_.add_step(node_of(*counted.up()), counted.own, schedule::kind::fork, 2);
  return *counted.step;
}

namespace {

/// Returns the position around `p`, which is not in the region itself.
sched::position& around(sched::position& p) noexcept {
  const cursor* const c = as_cursor(p);
  return c != nullptr ? c->above->parent : *p.up();
}

/// Returns the written node of `p`, which is in a branch of a counted fork; null if it is not written yet.
node_builder* written_node(const sched::position& counted) noexcept {
  if (counted.step == nullptr) return nullptr;
  const auto found = counted.step->pieces.find(counted.is_in_second() ? 1 : 0);
  return found != counted.step->pieces.end() ? found->second.node : nullptr;
}

}  // namespace

node_builder& session::node_of(sched::position& p) {
  std::vector<sched::position*> unwritten;
  node_builder* node = nullptr;
  for (sched::position* known = &p;; known = &around(*known)) {
    const cursor* const c = as_cursor(*known);
    node = c != nullptr ? c->node : written_node(*known);
    if (node != nullptr) break;
    unwritten.push_back(known);
  }
  for (; !unwritten.empty(); unwritten.pop_back()) {
    sched::position& next = *unwritten.back();
    if (cursor* const c = as_cursor(next)) {
      replay_node& n = *c->above;
      if (n.written == nullptr) n.written = &tree_.add_step(*node, n.number, n.what, n.count);
      node = c->node = &tree_.node_of(*n.written, c->begin);
    } else {
      if (next.step == nullptr) next.step = &tree_.add_step(*node, next.own, schedule::kind::fork, 2);
      node = &tree_.node_of(*next.step, next.is_in_second() ? 1 : 0);
    }
  }
  return *node;
}

// --- the region as the user's code sees it -----------------------------------------------------------------------

replay_region::replay_region() : session_{new session{session_plan{}}} {}
replay_region::replay_region(const schedule& follow, replay_mode how, bool must_match) : session_{nullptr} {
  if (must_match) check_shape(follow);
  session_ = new session{session_plan{.follow = &follow, .how = how, .must_match = must_match}};
}
replay_region::~replay_region() { delete session_; }
void replay_region::begin() noexcept { session_->begin(); }
void replay_region::end() noexcept { session_->end(); }
replayed replay_region::result() const { return session_->result(); }

}  // namespace tine::detail
