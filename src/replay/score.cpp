// The score of a region: its begin and end, the submission of strands to workers, and the writing of the tree.
#include "replay/score.hpp"

#include "replay/merge.hpp"
#include "sched/scheduler_time.hpp"

#include <algorithm>
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
void score::go_to_first_worker() noexcept {
  const auto owner = static_cast<unsigned>(follow_->root().owner);
  sched::pool_state& pool = sched::hot::self()->pool;
  const bool insists = how_ != replay_mode::relaxed;
  if (owner >= pool.settings.workers || sched::is_kept_sequential() || (!insists && pool.keeps_threads())) return;
  excursion_.emplace(pool.member(owner), insists);
}

void score::begin() noexcept {
  if (follow_ != nullptr) go_to_first_worker();
  const sched::scheduler_time here;
  const sched::worker& self = *sched::hot::self();
  workers_ = self.pool.settings.workers;
  if (follow_ != nullptr) {
    roles_.emplace(self, *follow_);
    if (how_ == replay_mode::strict_ordered) slots_.emplace(*follow_, *roles_);
  }
  began_ = base::now();
  tree_.stamp(tree_.root_segment(), self.index, began_);
  sched::observer* const around = sched::observer::current();
  root_ = position{{&events_with(around)}, this, around, nullptr, 0, 0, 0, 0, &tree_.root(), &tree_.root_segment()};
  if (follow_ != nullptr) lead(root_, 0);
  if (around != nullptr) {
    sched::observer::set(root_);
  } else {
    sched::begin_observing(root_);
  }
}

/// A position that keeps an analysis lends it a part of its storage, and runs loops as the analysis wants.
const sched::observer_hooks& score::events_with(const sched::observer* analysis) noexcept {
  sched::observer_hooks wanted = score_events;
  wanted.is_unstealable = follow_ != nullptr && how_ != replay_mode::relaxed;
  if (analysis != nullptr) {
    wanted.storage_bytes += analysis->events->storage_bytes;
    wanted.loops = analysis->events->loops;
    wanted.is_unstealable |= analysis->events->is_unstealable;
  }
  const sched::scheduler_time here;
  const std::lock_guard guard{lock_};
  for (const sched::observer_hooks& e : events_) {
    if (e.storage_bytes == wanted.storage_bytes && e.loops == wanted.loops && e.is_unstealable == wanted.is_unstealable)
      return e;
  }
  return events_.emplace_back(wanted);
}

void score::end() noexcept {
  end_region();
  excursion_.reset();
}

void score::end_region() noexcept {
  const sched::scheduler_time here;
  if (follow_ != nullptr) close(root_);
  root_.now->end = base::now();
  if (root_.analysis != nullptr) {
    sched::observer::set(*root_.analysis);
  } else {
    sched::end_observing();
  }
  wait_until_unpinned();
}

replayed score::result() const {
  const auto read = [](const base::atomic<std::uint64_t>& n) {
    return n.load(base::relaxed);
  };  // relaxed: read after all joins
  schedule performed = tree_.finished(workers_, began_);
  if (follows() && how_ == replay_mode::relaxed) performed = merged(performed, most_steals());
  return {read(matched_), read(voided_), read(diverged_), std::move(performed)};
}

/// Returns the largest number of steals for the next relaxed replay: as many as this replay followed, or as many as balance a
/// region, and the strands that the program itself placed.
std::size_t score::most_steals() const noexcept {
  constexpr std::size_t enough = 32;  // for each worker: less than a 32nd of its share is no reason for a steal
  // relaxed: read after all joins
  return std::max(follow_->steals(), enough * workers_) + static_cast<std::size_t>(pinned_.load(base::relaxed));
}

// --- to the workers ----------------------------------------------------------------------------------------------

void score::hand_out(slot_id id, int owner, sched::submission& s) noexcept {
  sched::worker& to = roles_->player_of(owner);
  switch (how_) {
    case replay_mode::strict_ordered:
      return slots_->fill(id, s);
    case replay_mode::strict_unordered:
      return sched::submit(s, &to, to);
    case replay_mode::relaxed:
      return sched::submit_affine(s, to);
  }
}

void score::hand_out(std::uint32_t p, sched::submission& s) noexcept {
  count(matched_);
  hand_out({p, false}, piece(p).run.owner, s);
}

sched::worker& score::member(int hinted_owner) noexcept {
  const sched::pool_state& pool = sched::hot::self()->pool;
  return pool.member(static_cast<unsigned>(hinted_owner) % pool.settings.workers);
}

void score::send(sched::submission& s, sched::worker& to) noexcept {
  count(pinned_);
  submit(s, to);
}

void score::submit(sched::submission& s, sched::worker& to) noexcept {
  if (slots_) slots_->begin_one();
  follows() && how_ == replay_mode::relaxed ? sched::submit_affine(s, to) : sched::submit(s, &to, to);
}

/// Returns the worker that the schedule assigns to the continuation of the join.
int score::owner_after(const scored& o) const noexcept {
  return o.step != schedule::nothing ? step(o.step).after.owner : schedule::no_worker;
}

bool score::is_rest_owned(scored& o) const noexcept {
  o.take_number();
  return owner_after(o) != schedule::no_worker;
}

/// Where a strand continues after a join.
struct score::continuation {
  sched::worker* on;    ///< null: the worker of the strand that arrives last
  bool is_in_schedule;  ///< true if the schedule names this worker
};

/// Returns where the strand continues. `bound_to` is the worker that its fiber must return to; null if there is none. A schedule
/// that names another worker is then void.
score::continuation score::after(scored& o, sched::worker* bound_to) const noexcept {
  o.take_number();
  const int owner = owner_after(o);
  sched::worker* const player = owner != schedule::no_worker ? &roles_->player_of(owner) : nullptr;
  if (bound_to != nullptr) return {bound_to, bound_to == player};
  return player != nullptr ? continuation{player, true} : continuation{o.origin, false};
}

/// Returns true if the strand continues here and now.
bool score::has_turn(scored& o, const continuation& next) noexcept {
  const sched::worker& here = *sched::hot::self();
  if (!next.is_in_schedule) return next.on == nullptr || next.on == &here;
  if (slots_ ? !slots_->take({o.step, true}, here) : next.on != &here) return false;
  note_joined(o);
  return true;
}

bool score::may_resume_here(sched::join_counter& r) noexcept {
  scored& o = static_cast<placed_join&>(r).of;
  sched::worker* const here = sched::hot::self();
  return has_turn(o, after(o, here->pool.keeps_threads() ? here : nullptr));
}

void score::note_joined(scored& o) noexcept {
  o.is_joined = true;
  if (o.what != schedule::kind::run) count(matched_);
}

bool score::dispatch(sched::join_counter& r) noexcept {
  scored& o = static_cast<placed_join&>(r).of;
  const bool is_bound = r.waiting != nullptr && sched::hot::self()->pool.keeps_threads();  // frames of coroutines move
  const continuation next = after(o, is_bound ? r.waiting->origin : nullptr);
  if (has_turn(o, next)) return true;
  r.back.is_bound = is_bound;
  if (next.is_in_schedule) {
    note_joined(o);
    hand_out({o.step, true}, owner_after(o), r.back);
  } else {
    submit(r.back, *next.on);
  }
  arrived_early();
  return false;
}

void score::strand_blocked() noexcept {
  if (slots_) slots_->begin_one();
}

void score::strand_unblocked() noexcept {
  if (slots_) slots_->end_one();
}

void score::arrived_early() noexcept {
  if (slots_ && slots_->rest()) count(diverged_);
}

// --- the schedule ------------------------------------------------------------------------------------------------

void score::lead(position& p, std::uint32_t node) const noexcept {
  if (node == schedule::nothing) {
    p.step = p.steps = 0;
  } else {
    const schedule::node& n = follow_->nodes()[node];
    p.step = n.first_step;
    p.steps = n.first_step + n.steps;
  }
}

std::uint32_t score::match(position& p, std::uint32_t number, schedule::kind what) noexcept {
  if (p.step == p.steps || step(p.step).number != number) return schedule::nothing;
  const std::uint32_t s = p.step++;
  if (step(s).what == what) return s;
  count(diverged_);
  void_steps(s, s + 1);
  return schedule::nothing;
}

void score::close(position& p) noexcept {
  if (p.step != p.steps) void_steps(std::exchange(p.step, p.steps), p.steps);
}

/// Voids these steps with everything inside them. There is no recursion, because a tree may be deeper than a native stack.
void score::void_steps(std::uint32_t begin, std::uint32_t end) noexcept {
  const sched::scheduler_time here;
  std::vector<std::uint32_t> inside;
  for (;;) {
    for (std::uint32_t s = begin; s != end; ++s) {
      const schedule::step& of = step(s);
      for (std::uint32_t p = of.first_piece; p != of.first_piece + of.pieces; ++p) {
        void_begin(p);
        if (piece(p).node != schedule::nothing) inside.push_back(piece(p).node);
      }
      void_join(s);
    }
    if (inside.empty()) return;
    const schedule::node& next = follow_->nodes()[inside.back()];
    inside.pop_back();
    begin = next.first_step;
    end = begin + next.steps;
  }
}

void score::void_begin(std::uint32_t p) noexcept {
  if (!is_owned(p)) return;
  count(voided_);
  if (slots_) slots_->void_one({p, false});
}

void score::void_inside(std::uint32_t p) noexcept {
  if (piece(p).node == schedule::nothing) return;
  const schedule::node& n = follow_->nodes()[piece(p).node];
  void_steps(n.first_step, n.first_step + n.steps);
}

void score::void_join(std::uint32_t s) noexcept {
  if (step(s).after.owner == schedule::no_worker) return;
  if (step(s).what != schedule::kind::run) count(voided_);
  if (slots_) slots_->void_one({s, true});
}

// --- the tree ----------------------------------------------------------------------------------------------------

written_segment* score::write_piece(scored& o, std::uint64_t begin) noexcept {
  const sched::scheduler_time here;
  const std::lock_guard guard{lock_};
  written_segment& s = step_of(o).pieces[begin].run;
  tree_.stamp(s, sched::hot::self()->index, base::now());
  return &s;
}

written_segment* score::write_join(scored& o) noexcept {
  const sched::scheduler_time here;
  const std::lock_guard guard{lock_};
  written_segment& s = step_of(o).after;
  tree_.stamp(s, sched::hot::self()->index, base::now());
  return &s;
}

void score::forget_join(written_segment& after) noexcept {
  const std::lock_guard guard{lock_};
  after = {};
}

/// Returns the written step of `o`. The nodes and steps around it are written first. Those that are not written yet belong to the
/// running strand, or to its ancestors whose steal is being written, too.
written_step& score::step_of(scored& o) {
  if (o.written == nullptr) o.written = &tree_.add_step(node_of(o.parent), o.number, o.what, o.count);
  return *o.written;
}

written_node& score::node_of(position& p) {
  std::vector<position*> unwritten;
  position* known = &p;
  for (; known->node == nullptr; known = &known->above->parent) unwritten.push_back(known);
  written_node* node = known->node;
  for (; !unwritten.empty(); unwritten.pop_back()) {
    position& next = *unwritten.back();
    scored& o = *next.above;
    if (o.written == nullptr) o.written = &tree_.add_step(*node, o.number, o.what, o.count);
    node = next.node = &tree_.node_of(o.written->pieces[next.begin]);
  }
  return *node;
}

// --- the region as the user's code sees it -----------------------------------------------------------------------

scored_region::scored_region() : score_{new score} {}
scored_region::scored_region(const schedule& follow, replay_mode how) : score_{new score{follow, how}} {}
scored_region::~scored_region() { delete score_; }
void scored_region::begin() noexcept { score_->begin(); }
void scored_region::end() noexcept { score_->end(); }
replayed scored_region::result() const { return score_->result(); }

}  // namespace tine::detail
