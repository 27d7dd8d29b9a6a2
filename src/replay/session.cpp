// The session of a region: how it starts and ends, where strands continue after joins, and counted forks.
#include "replay/session.hpp"

#include "replay/fork_path.hpp"
#include "replay/shape.hpp"
#include "sched/scheduler_time.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/sched/scope.hpp>

#include <csignal>
#include <string>

namespace tine::detail {

// --- start and end -----------------------------------------------------------------------------------------------

/// Moves the first strand to the worker on which it began when it was recorded, if the pool has that worker. A relaxed
/// replay waits for no worker; therefore it does not move a strand that must return to its thread.
void session::go_to_first_worker() noexcept {
  sched::pool_state& pool = sched::hot::self()->pool;
  // a perturbed root that was submitted begins on the same worker in each run; one that was called has a worker of its
  // own
  const bool is_perturbed = plan_.perturb != nullptr;
  const bool is_own = is_perturbed && sched::hot::self()->index >= pool.settings.workers;
  const bool insists = plan_.how != replay_mode::relaxed || is_perturbed;
  if (is_own || sched::must_keep_thread() || (!insists && pool.keeps_threads())) return;
  sched::worker* to = &pool.member(0);
  if (followed_.is_any()) {
    const sched::scheduler_time here;
    to = worker_mapping::worker_to_begin(*sched::hot::self(), *plan_.follow);
  }
  if (to != nullptr) excursion_.emplace(*to, insists);
}

namespace {

/// Returns the plan without everything that places strands, if the running strand is unstealable and so stays on its
/// worker.
session_plan granted(session_plan plan) noexcept {
  if (sched::has_unstealable_observer()) plan.follow = nullptr, plan.perturb = nullptr;
  return plan;
}

}  // namespace

session::session(const session_plan& plan) noexcept
    : region{node_bytes +
                 (sched::region_strand::current() != nullptr ? sched::region_strand::current()->in->storage_bytes : 0),
             (plan.follow != nullptr && plan.how != replay_mode::relaxed) || plan.perturb != nullptr ||
                 (sched::region_strand::current() != nullptr && sched::region_strand::current()->in->is_unstealable)},
      plan_{granted(plan)},
      followed_{plan_},
      writer_{plan.journal} {}

session::~session() = default;

void session::begin() noexcept {
  if (followed_.is_any() || plan_.perturb != nullptr) go_to_first_worker();
  const sched::scheduler_time here;
  const sched::worker& self = *sched::hot::self();
  pool_ = &self.pool;
  workers_ = pool_->settings.workers;
  followed_.begin(self);
  strategy_ = strategy_for(plan_, followed_, workers_);
  followed_.report_to(*strategy_);
  began_ = base::now();
  journal_event described = plan_.described;
  described.c = workers_;
  if (plan_.journal.file != nullptr)
    described.c |= std::uint64_t{plan_.journal.file->number_of(numa_nodes_of(*pool_))} << 32;
  writer_.tree().begin_root(self.index, began_, described);
  strand_ = {this, sched::region_strand::current(), &writer_.tree().root_segment(), any_worker, nullptr};
  root_ = cursor{{cursor::cursor_bit, {nullptr}, 0, 0, nullptr, nullptr},
                 nullptr,
                 0,
                 0,
                 0,
                 &writer_.tree().root(),
                 sched::position::current(),
                 true};
  if (followed_.is_any()) followed_.assign(root_, 0);
  promotion_limit_before_ = sched::hot::words().promotion_limit.load(base::relaxed);  // relaxed: own word
  scope_.enter(*this);
  sched::enter_region(strand_, root_);
}

void session::end() noexcept {
  end_region();
  excursion_.reset();
}

void session::end_region() noexcept {
  const sched::scheduler_time here;
  followed_.finish(root_);
  strand_.now->end_at(base::now());
  writer_.tree().end_root({.a = root_.next});
  if (strand_.outer != nullptr) {
    resume_strand(*strand_.outer, *root_.outer);
  } else {
    sched::leave_region();
  }
  scope_.leave();
  // relaxed: own word
  if (is_unstealable) sched::hot::words().promotion_limit.store(promotion_limit_before_, base::relaxed);
  wait_until_unpinned();
}

replayed session::counts() const {
  replayed all = followed_.counts();
  all.diverged += strategy_->impatient();
  return all;
}

replayed session::result() const {
  replayed all = counts();
  all.performed = writer_.tree().finished(workers_, began_);
  all.performed.set_shape(shape_of_process());
  all.performed.set_numa_nodes(numa_nodes_of(*pool_));
  all.time_workers();
  all.performed = strategy_->for_next(std::move(all.performed), writer_.tree());
  return all;
}

// --- to the workers ----------------------------------------------------------------------------------------------

void session::submit_scheduled(std::uint32_t p, sched::submission& s) noexcept {
  followed_.note_matched();
  strategy_->submit({{p, false}, true, nullptr}, s, followed_.workers().worker_of(followed_.piece(p).run.owner));
}

sched::worker& session::member(int hinted_worker) noexcept {
  const sched::pool_state& pool = sched::hot::self()->pool;
  return pool.member(static_cast<unsigned>(hinted_worker) % pool.settings.workers);
}

void session::submit_hinted(sched::submission& s, sched::worker& to) noexcept {
  strategy_->submit({{schedule::nothing, false}, false, nullptr}, s, to);
}

sched::worker* session::home() const noexcept {
  return followed_.is_any() && plan_.how != replay_mode::relaxed ? sched::hot::self() : nullptr;
}

bool session::is_rest_owned(replay_node& n) const noexcept {
  n.take_number();
  return followed_.owner_after(n) != schedule::no_worker;
}

/// Where a strand continues after a join.
struct session::continuation {
  sched::worker* on;    ///< null: the worker of the strand that arrives last
  bool is_in_schedule;  ///< true if the schedule names this worker
};

/// Returns where the strand continues. `bound_to` is the worker that its fiber must return to; null if there is none. A
/// schedule that names another worker is then skipped.
session::continuation session::after(replay_node& n, sched::worker* bound_to) const noexcept {
  n.take_number();
  const int owner = followed_.owner_after(n);
  sched::worker* const player = owner != schedule::no_worker ? &followed_.workers().worker_of(owner) : nullptr;
  if (bound_to != nullptr) return {bound_to, bound_to == player};
  return player != nullptr ? continuation{player, true} : continuation{n.origin, false};
}

namespace {

/// Returns the strand that continues after the join of `n`.
ready_strand rest_of(replay_node& n, bool is_in_schedule) noexcept { return {{n.step, true}, is_in_schedule, &n}; }

}  // namespace

/// Returns true if the strand continues here and now.
bool session::has_turn(replay_node& n, const continuation& next) noexcept {
  const bool is_here = next.on == nullptr || next.on == sched::hot::self();
  if (!is_here || !strategy_->keeps(rest_of(n, next.is_in_schedule))) return false;
  if (next.is_in_schedule) note_joined(n);
  return true;
}

bool session::may_resume_here(sched::join_counter& r) noexcept {
  replay_node& n = static_cast<placed_join&>(r).of;
  sched::worker* const here = sched::hot::self();
  return has_turn(n, after(n, here->pool.keeps_threads() ? here : nullptr));
}

void session::note_joined(replay_node& n) noexcept {
  n.is_joined = true;
  if (n.what != schedule::kind::run) followed_.note_matched();
}

bool session::dispatch(sched::join_counter& r) noexcept {
  replay_node& n = static_cast<placed_join&>(r).of;
  const bool is_bound = r.waiting != nullptr && sched::hot::self()->pool.keeps_threads();  // frames of coroutines move
  const continuation next = after(n, is_bound ? r.waiting->origin : nullptr);
  if (has_turn(n, next)) return true;
  r.back.is_bound = is_bound;
  if (next.is_in_schedule) note_joined(n);
  strategy_->submit(rest_of(n, next.is_in_schedule), r.back, next.on != nullptr ? *next.on : *sched::hot::self());
  arrived_early();
  return false;
}

void session::arrived_early() noexcept {
  if (strategy_->rest()) followed_.note_diverged();
}

void session::wait_begins() noexcept { strategy_->wait_begins(); }
void session::wait_is_over() noexcept { strategy_->wait_is_over(); }
void session::wait_ends() noexcept { strategy_->wait_ends(); }

// --- counted forks -----------------------------------------------------------------------------------------------

void session::begin_stolen(sched::position& forked, sched::region_strand& thief, sched::position& first) noexcept {
  thief = {this, nullptr, writer_.begin_stolen(forked, first), any_worker, nullptr};
  first.begin_second_of(forked);
  followed_.note_stolen(*first.up(), first.own);
  sched::enter_region(thief, first);
}

void session::pause() noexcept {
  const base::ticks now = base::now();
  for (const auto* s = sched::region_strand::current(); s != nullptr; s = s->outer) s->now->end_at(now);
}

void session::resume_after(sched::position& forked) noexcept {
  sched::region_strand::current()->now = writer_.begin_after(forked);
}

sched::counted session::counts(const sched::position& p, const sched::region_strand& s) const noexcept {
  using enum sched::counted;
  if (s.outer != nullptr || s.hinted_worker != any_worker) return none;
  if (!p.is_cursor()) return all;
  const cursor& c = static_cast<const cursor&>(p);
  if (followed_.has_next(c) || strategy_->places_at(c)) return none;
  return c.step == c.steps ? all : next;
}

// --- strands that start -------------------------------------------------------------------------------------------

/// The strand of `s` is about to begin with the piece of `n` at `begin`, or to continue after its join. Returns `s`.
segment_builder* session::begin_strand(const replay_node& n, std::uint64_t begin, segment_builder* s) noexcept {
  if (!strategy_->stops_before(s->stamp)) return s;
  const sched::scheduler_time here;
  const std::string what = begin == after_join
                               ? "the continuation of the join of " + fork_path(n)
                               : "the part of " + fork_path(n) + " that begins at " + std::to_string(begin);
  base::warn(("the replay stops before strand " + std::to_string(s->stamp) + ": " + what).c_str());
  std::raise(SIGTRAP);
  return s;
}

segment_builder* session::write_piece(replay_node& n, std::uint64_t begin) noexcept {
  return begin_strand(n, begin, writer_.begin_piece(n, begin));
}

segment_builder* session::write_join(replay_node& n) noexcept {
  return begin_strand(n, after_join, writer_.begin_after(n));
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
