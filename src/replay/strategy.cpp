// The five strategies: strands go to their workers at once, as affinity submissions, in recorded order, or in turns,
// whose order is recorded or drawn. Workers call a strategy at once.
#include "replay/strategy.hpp"

#include "replay/followed_schedule.hpp"
#include "replay/merged.hpp"
#include "replay/turns.hpp"
#include "sched/scheduler_time.hpp"
#include "sched/worker.hpp"

#include <tine/detail/sched/scope.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace tine::detail {

void strategy::submit(const ready_strand&, sched::submission& s, sched::worker& to) noexcept {
  sched::submit(s, &to, to);
}

namespace {

/// A relaxed replay: other workers may take strands that wait for long.
class relaxed final : public strategy {
 public:
  relaxed(const schedule& follow, unsigned workers) noexcept : follow_{follow}, workers_{workers} {}

  void submit(const ready_strand& r, sched::submission& s, sched::worker& to) noexcept override {
    // relaxed: a statistic that is read after all joins
    if (!r.is_in_schedule && r.joined == nullptr) placed_by_program_.fetch_add(1, base::relaxed);
    sched::submit_affine(s, to);
  }
  schedule for_next(schedule performed, const tree_builder& from) const override {
    return merged(performed, most_steals(), from.hinted());
  }

 private:
  /// Returns the largest number of steals for the next relaxed replay: as many as this replay followed, or as many as
  /// balance a region, and the strands that the program itself placed.
  std::size_t most_steals() const noexcept {
    constexpr std::size_t enough = 32;  // for each worker; less than a 32nd of its share is not worth a steal
    // relaxed: read after all joins
    return std::max(follow_.steals(), enough * workers_) +
           static_cast<std::size_t>(placed_by_program_.load(base::relaxed));
  }

  const schedule& follow_;
  const unsigned workers_;
  base::atomic<std::uint64_t> placed_by_program_{0};
};

/// A strict replay in recorded order.
class in_order final : public strategy {
 public:
  in_order(const schedule& follow, const worker_mapping& who) : queues_{follow, who} {}

  void submit(const ready_strand& r, sched::submission& s, sched::worker& to) noexcept override {
    if (r.is_in_schedule) return queues_.fill(r.slot, s);
    queues_.begin_one();
    sched::submit(s, &to, to);
  }
  bool keeps(const ready_strand& r) noexcept override {
    return !r.is_in_schedule || queues_.take(r.slot, *sched::hot::self());
  }
  void skip(slot_id id) noexcept override { queues_.skip(id); }
  void begin_one() noexcept override { queues_.begin_one(); }
  void end_one() noexcept override { queues_.end_one(); }
  bool rest() noexcept override { return queues_.rest(); }

 private:
  start_queues queues_;
};

/// Serial replays and perturbed runs run one strand at a time. They differ only in the ranks.
class taking_turns : public strategy {
 public:
  explicit taking_turns(std::vector<rank> expected) : turns_{std::move(expected)} {}

  void submit(const ready_strand& r, sched::submission& s, sched::worker& to) noexcept final {
    turns_.add(rank_of(r), s, to, false);
  }
  bool keeps(const ready_strand& r) noexcept final { return turns_.keep(rank_of(r)); }
  void begin_one() noexcept final { turns_.begin_one(); }
  void end_one() noexcept final { turns_.end_one(); }
  bool rest() noexcept final { return turns_.rest(); }
  bool stops_before(std::uint32_t) noexcept override {
    turns_.note_thread();
    return false;
  }
  void wait_begins() noexcept final { turns_.rest(); }
  void wait_is_over() noexcept final { turns_.begin_one(); }
  void wait_ends() noexcept final { detail::wait_for_turn(turns_, first_rank); }
  bool takes_turns() const noexcept final { return true; }
  void wait_for_turn(const ready_strand& r) noexcept final { detail::wait_for_turn(turns_, rank_of(r)); }
  std::uint64_t impatient() const noexcept final { return turns_.impatient(); }

 protected:
  /// Returns the rank of the strand. A continuation's rank is kept in its node, because we may be asked twice.
  virtual rank rank_of(const ready_strand& r) noexcept = 0;

  turns turns_;
};

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

/// A serial replay: ranks are the stamps of the schedule.
class serial final : public taking_turns {
 public:
  serial(const schedule& follow, std::uint32_t stop_before)
      : taking_turns{ranks_in(follow)}, follow_{follow}, stop_before_{stop_before} {}

  void skip(slot_id id) noexcept override { turns_.skip(rank{1} + begin_at(id).stamp); }
  bool stops_before(std::uint32_t stamp) noexcept override {
    turns_.note_thread();
    return stamp == stop_before_;
  }

 private:
  const schedule::segment& begin_at(slot_id id) const noexcept {
    return id.is_join ? follow_.steps()[id.of].after : follow_.pieces()[id.of].run;
  }
  rank rank_of(const ready_strand& r) noexcept override {
    if (r.slot.of != schedule::nothing && begin_at(r.slot).owner != schedule::no_worker)
      return rank{1} + begin_at(r.slot).stamp;
    if (r.joined == nullptr) return turns_.next_unscheduled();
    // In the recorded run the plain code did not have to wait for its task, so it continues at once.
    if (r.joined->what == schedule::kind::run) return first_rank;
    if (r.joined->rank_after == 0) r.joined->rank_after = turns_.next_unscheduled();
    return r.joined->rank_after;
  }

  const schedule& follow_;
  const std::uint32_t stop_before_;
};

/// A perturbed run: it draws workers and ranks.
class perturbed final : public taking_turns {
 public:
  perturbed(perturbation& draw, unsigned workers) : taking_turns{{}}, draw_{draw}, workers_{workers} {}

  void choose(fork_node& f) noexcept override {
    if (f.hinted_worker != any_worker || !places(f)) return;
    f.hinted_worker = draw_.worker(workers_);
    f.delays_first = draw_.delays();
    const int here = static_cast<int>(sched::hot::self()->index);
    // the worker of a branch that waits runs nothing else meanwhile
    if (f.delays_first && f.hinted_worker == here) f.hinted_worker = (here + 1) % static_cast<int>(workers_);
  }
  void choose(loop_node& l) noexcept override {
    if (!l.wanted.empty() || l.count < 2 || !places(l)) return;
    const sched::scheduler_time here;
    l.wanted = draw_.partition(l.count, workers_);
  }
  bool places_at(const cursor& c) const noexcept override { return c.may_place && !draw_.is_spent(); }
  bool returns_after_join() noexcept override { return draw_.returns(); }

 private:
  bool places(const replay_node& n) noexcept {
    const cursor* const c = as_cursor(n.parent);
    return c != nullptr && c->may_place && !sched::must_keep_thread() && draw_.places();
  }
  rank rank_of(const ready_strand& r) noexcept override {
    if (r.joined == nullptr) return draw_.priority();
    if (r.joined->rank_after == 0) r.joined->rank_after = draw_.priority();
    return r.joined->rank_after;
  }

  perturbation& draw_;
  const unsigned workers_;
};

}  // namespace

std::unique_ptr<strategy> strategy_for(const session_plan& plan, const followed_schedule& followed, unsigned workers) {
  if (plan.perturb != nullptr) return std::make_unique<perturbed>(*plan.perturb, workers);
  if (plan.follow == nullptr) return std::make_unique<strategy>();
  switch (plan.how) {
    case replay_mode::strict_ordered:
      return std::make_unique<in_order>(*plan.follow, followed.workers());
    case replay_mode::relaxed:
      return std::make_unique<relaxed>(*plan.follow, workers);
    case replay_mode::serial:
      return std::make_unique<serial>(*plan.follow, plan.stop_before);
    case replay_mode::strict_unordered:
      break;
  }
  return std::make_unique<strategy>();
}

}  // namespace tine::detail
