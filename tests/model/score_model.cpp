// Models of strands that are placed on workers: their join counter, and the queues that keep them in recorded order.
// The join counter and the queues are the product's own code; `conductor` mirrors the session, which asks the queues.
#include "model/pool_suite.hpp"

#include <tine/replay/schedule.hpp>

#include "replay/start_queues.cpp"
#include "replay/worker_mapping.cpp"
#include "replay/workers_by_node.cpp"

namespace tine {

// In place of schedule.cpp and check.cpp: only the slots read the schedule of a model.
schedule::schedule() : root_{0, 0, 0, 0} {}

namespace sched {

// Nothing here forks continuations: coroutines have their own models (join_model.cpp).
void awaken(std::uintptr_t, address) noexcept { model::claim(false, "there are no continuations here"); }
bool was_queued_from(std::uintptr_t, address) noexcept { return false; }
bool is_known_to_region(std::uintptr_t, address) noexcept { return false; }
void resume(std::uintptr_t) noexcept { model::claim(false, "there are no continuations here"); }

}  // namespace sched

namespace model {
namespace {

/// The begin of a strand in a suite's plan: the second branch of a fork, or the continuation of its join.
struct begin {
  detail::slot_id what;
  int owner;
};

/// The begins on each worker, in order.
struct journal {
  void note(unsigned fork, bool is_join) {
    const unsigned w = sched::hot::self()->index;
    claim(count[w] < 8, "more begins than a plan has");
    entries[w][count[w]++] = {fork, is_join};
  }
  std::array<std::array<detail::slot_id, 8>, 3> entries;
  std::array<unsigned, 3> count{};
};

struct placed_join : sched::join_counter {
  placed_join(sched::placement_policy& by, unsigned f) noexcept : join_counter{by, 2}, fork{f} {}
  const unsigned fork;
};

/// A region: it places its strands, and notes their begins. It is on the heap, so that a late look is an access to
/// freed memory.
struct region : sched::placement_policy {
  virtual void place(unsigned fork, sched::submission& s) noexcept = 0;
  virtual ~region() = default;

  /// Waits until the threads that dispatched the last strand have unpinned the region, and ends the region.
  void end() {
    wait_until_unpinned();
    is_alive.set(0);
  }
  void arrived_early() noexcept override {
    claim(is_alive.get() == 1, "a region has ended before the threads that hold it have left");
  }

  journal diary;
  race_checked<int> is_alive{1};
};

/// Mirrors replay/session.cpp with the strategy in_order of replay/strategy.cpp: may_resume_here, dispatch,
/// arrived_early, submit.
struct conductor final : region {
  template <std::size_t N>
  explicit conductor(const begin (&plan)[N]) {
    follow.pieces_.resize(N);
    follow.steps_.resize(N);
    for (unsigned i = 0; i < N; ++i) {
      schedule::segment& s =
          plan[i].what.is_join ? follow.steps_[plan[i].what.of].after : follow.pieces_[plan[i].what.of].run;
      s = {plan[i].owner, i + 1, 0, 0};
    }
    queues.emplace(follow, detail::worker_mapping{*sched::hot::self(), follow});
  }
  ~conductor() override { end(); }

  void place(unsigned fork, sched::submission& s) noexcept override { queues->fill({fork, false}, s); }
  bool may_resume_here(sched::join_counter& r) noexcept override {
    return queues->take({static_cast<placed_join&>(r).fork, true}, *sched::hot::self());
  }
  bool dispatch(sched::join_counter& r) noexcept override {
    if (may_resume_here(r)) return true;
    queues->fill({static_cast<placed_join&>(r).fork, true}, r.back);
    arrived_early();
    return false;
  }
  void arrived_early() noexcept override {
    if (queues->rest()) ++diverged;
    region::arrived_early();
  }

  schedule follow;
  std::optional<detail::start_queues> queues;
  int diverged = 0;
};

/// Mirrors the same for workers that the program names: submit_hinted, and the return to the worker of the fork.
struct owner_placement final : region {
  ~owner_placement() override { end(); }
  void place(unsigned fork, sched::submission& s) noexcept override {
    sched::worker& here = *sched::hot::self();
    origin[fork] = &here;
    sched::worker& to = here.pool.member((here.index + 1) % here.pool.members());
    sched::submit(s, &to, to);
  }
  bool may_resume_here(sched::join_counter& r) noexcept override {
    return origin[static_cast<placed_join&>(r).fork] == sched::hot::self();
  }
  bool dispatch(sched::join_counter& r) noexcept override {
    if (may_resume_here(r)) return true;
    sched::worker& to = *origin[static_cast<placed_join&>(r).fork];
    sched::submit(r.back, &to, to);
    return false;
  }
  std::array<sched::worker*, 4> origin{};
};

/// A second branch that was placed on a worker. It lives as long as its fork.
struct placed_task : sched::task {
  using function = void (*)();
  placed_task(unsigned f, function w) : task{&kind, sched::completion{}, 0}, fork{f}, work{w} { entry.what = this; }

  static bool run(sched::task& t) noexcept;
  static constexpr sched::descriptor kind{&run, 0};

  const unsigned fork;
  const function work;
  sched::submission entry;
  race_checked<int> argument{0};
  race_checked<int> result{0};
  int runs = 0;
};

region* here;  ///< the region of the current iteration

bool placed_task::run(sched::task& t) noexcept {
  auto& g = static_cast<placed_task&>(t);
  claim(++g.runs == 1, "a branch runs twice");
  here->diary.note(g.fork, false);
  claim(g.argument.get() == 7, "what was written before the fork");
  if (g.work != nullptr) g.work();
  g.result.set(8);
  return false;
}

/// A fork that places its second branch on a worker, and its join. Mirrors place and wait in replay/forks.cpp.
template <class First>
void fork_placed(unsigned fork, placed_task::function second, First first) {
  auto m = std::make_unique<placed_join>(*here, fork);
  auto g = std::make_unique<placed_task>(fork, second);
  race_checked<int> own{0};
  end_task(*g);  // `expect` constructs these members again
  m->expect(*g);
  g->argument.set(7);
  sched::hot::enter_scheduler();
  here->place(fork, g->entry);
  sched::hot::leave_scheduler();
  own.set(1);
  first();
  m->wait();
  here->diary.note(fork, true);
  claim(g->runs == 1 && g->result.get() == 8, "what the other branch has left");
  claim(own.get() == 1, "what the strand itself has left");
}

void nothing() {}

template <class Suite, rl::thread_id_t Threads>
struct score_suite : pool_suite<Suite, Threads> {
  /// Opens the inboxes, so that a pinned submission waits for its worker even if its thread has not begun yet. Mirrors
  /// pool.cpp.
  score_suite() {
    for (unsigned i = 1; i < Threads; ++i) this->pool->member(i).box.open();
  }

  /// Runs the forks, and claims that all strands begin on the workers and in the order that the plan says.
  static void follow_plan() {
    auto of = std::make_unique<conductor>(Suite::plan);
    here = of.get();
    Suite::forks();
    claim(of->diverged == 0, "a right schedule was given up");
    std::array<unsigned, 3> seen{};
    for (const begin& b : Suite::plan) {
      const auto w = static_cast<unsigned>(b.owner);
      claim(seen[w] < of->diary.count[w], "something did not begin on its worker");
      const detail::slot_id began = of->diary.entries[w][seen[w]++];
      claim(began.of == b.what.of && began.is_join == b.what.is_join, "a worker began something out of its turn");
    }
  }
  static void program() { follow_plan(); }
};

/// Two branches go to worker 1. The strand continues there after the inner join, and on worker 0 after the outer one.
/// The next fork places a branch on worker 1, and its strand continues on worker 0.
struct there_and_back : score_suite<there_and_back, 2> {
  static constexpr begin plan[]{{{0, false}, 1}, {{1, false}, 1}, {{1, true}, 1},
                                {{0, true}, 0},  {{2, false}, 1}, {{2, true}, 0}};
  static void forks() {
    fork_placed(0, nullptr, [] { fork_placed(1, nullptr, nothing); });
    fork_placed(2, nullptr, nothing);
  }
};

/// Both branches of a fork place a branch. One of these goes to the worker from which the other branch comes.
struct crosswise : score_suite<crosswise, 3> {
  static constexpr begin plan[]{{{0, false}, 1}, {{1, false}, 2}, {{2, false}, 0},
                                {{1, true}, 2},  {{2, true}, 0},  {{0, true}, 1}};
  static void inside() { fork_placed(2, nullptr, nothing); }
  static void forks() {
    fork_placed(0, inside, [] { fork_placed(1, nullptr, nothing); });
  }
};

/// A strand waits at a join that continues on its own worker, but whose turn comes after a branch that was placed on
/// the worker meanwhile.
struct turns : score_suite<turns, 2> {
  static constexpr begin plan[]{{{0, false}, 1}, {{2, false}, 1}, {{1, false}, 0},
                                {{1, true}, 1},  {{2, true}, 0},  {{0, true}, 0}};
  static void inside() { fork_placed(1, nullptr, nothing); }
  static void forks() {
    fork_placed(0, inside, [] { fork_placed(2, nullptr, nothing); });
  }
};

/// Like `turns`, but the turn of the join comes before that branch.
struct turned : score_suite<turned, 2> {
  static constexpr begin plan[]{{{0, false}, 1}, {{1, false}, 0}, {{1, true}, 1},
                                {{2, false}, 1}, {{2, true}, 0},  {{0, true}, 0}};
  static void forks() { turns::forks(); }
};

/// Schedules that no run can follow: the slots give the order up, once.
template <class Suite>
struct unfollowable : score_suite<Suite, 2> {
  static void program() {
    auto of = std::make_unique<conductor>(Suite::plan);
    here = of.get();
    fork_placed(0, nullptr, nothing);
    fork_placed(1, nullptr, nothing);
    claim(of->diverged == 1, "an order that cannot be kept was not given up, or more than once");
  }
};

/// Each worker's list begins with a strand that comes after one in the other worker's list.
struct out_of_turn : unfollowable<out_of_turn> {
  static constexpr begin plan[]{{{1, false}, 1}, {{0, true}, 0}, {{0, false}, 1}, {{1, true}, 0}};
};

/// Each worker's list begins with a strand that the program never reaches.
struct absent_strand : unfollowable<absent_strand> {
  static constexpr begin plan[]{{{2, false}, 1}, {{2, true}, 0},  {{0, false}, 1},
                                {{0, true}, 0},  {{1, false}, 1}, {{1, true}, 0}};
};

/// The program names the owners: whichever strand comes last to a join, the fork's strand returns to the worker of the
/// fork.
struct program_owners : score_suite<program_owners, 3> {
  static void inside() { fork_placed(2, nullptr, nothing); }
  static void program() {
    auto of = std::make_unique<owner_placement>();
    here = of.get();
    sched::worker* const origin = sched::hot::self();
    fork_placed(0, inside, [] { fork_placed(1, nullptr, nothing); });
    claim(sched::hot::self() == origin, "a strand did not come back to where its fork was");
  }
};

constexpr suite suites[] = {
    {"there_and_back", &explore<there_and_back>},
    {"crosswise", &explore<crosswise>},
    {"turns", &explore<turns>},
    {"turned", &explore<turned>},
    {"out_of_turn", &explore<out_of_turn>},
    {"absent_strand", &explore<absent_strand>},
    {"program_owners", &explore<program_owners>},
};

}  // namespace
}  // namespace model
}  // namespace tine

int main(int argc, char** argv) { return tine::model::run_suites(tine::model::suites, argc, argv); }
