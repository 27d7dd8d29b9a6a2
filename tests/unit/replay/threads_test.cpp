// With resume_policy::same_thread plain code keeps its thread in regions, too, whatever the schedule or the program
// says of joins.
#include <tine/augment.hpp>
#include <tine/replay.hpp>
#include <tine/tine.hpp>

#include <unistd.h>
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <thread>

namespace {

using tine::options;
using tine::pool;
using tine::replay_mode;
using tine::resume_policy;

constexpr std::array modes{replay_mode::strict_ordered, replay_mode::strict_unordered, replay_mode::relaxed};

options with(resume_policy resume, unsigned workers, tine::caller_policy callers = tine::caller_policy::own_root) {
  return {.workers = workers,
          .callers = callers,
          .resume = resume,
          .promote = tine::promotion::eager(),
          .pin = tine::affinity::none};
}

/// Returns the number of the calling thread. A compiler may reuse an earlier result of std::this_thread::get_id after a
/// fork; this function prevents that.
[[gnu::noinline]] pid_t this_thread() {
  asm volatile("" ::: "memory");
  return gettid();
}

/// Counts how often code continued on another thread than before, and how often it might have.
struct count_of_moves {
  std::atomic<long> asked{0}, moved{0};

  template <class F>
  void observe(F f) {
    const pid_t before = this_thread();
    f();
    asked.fetch_add(1);
    moved.fetch_add(this_thread() != before);
  }
};

tine::task<long> leaf_task(int n) {
  for (int i = 0; i < n * 200; ++i) tine::base::pause();
  co_return n;
}

enum class second { to_a_worker, to_any_worker };

/// Runs a tree of forks with loops and runs of tasks.
void tree(int depth, int path, count_of_moves& moves, second goes = second::to_any_worker) {
  if (depth == 0) {
    moves.observe([&] { CHECK(tine::run(leaf_task, path % 16) == path % 16); });
    return;
  }
  const auto left = [&] { tree(depth - 1, 2 * path, moves, goes); };
  const auto right = [&] { tree(depth - 1, 2 * path + 1, moves, goes); };
  moves.observe(
      [&] { goes == second::to_a_worker ? void(tine::par_on(path % 5, left, right)) : void(tine::par(left, right)); });
  moves.observe([&] {
    tine::par_for(0, 6, [&](int i) {
      for (int k = 0; k < i * 300; ++k) tine::base::pause();
    });
  });
}

void region(count_of_moves& moves) {
  tine::par_on(1, [&] { tree(4, 1, moves, second::to_a_worker); }, [&] { tree(4, 1, moves); });
}

TEST_CASE("with same_thread plain code keeps its thread while it is recorded and replayed in every mode") {
  pool keeps{with(resume_policy::same_thread, 3)}, moves_on{with(resume_policy::finisher, 3)};
  count_of_moves moves, before;
  for (int i = 0; i < 6; ++i) {
    // a schedule in which strands may change their workers, and one in which they do not
    const tine::schedule foreign = moves_on.run([&] { return tine::record([&] { region(before); }); });
    keeps.run([&] {
      moves.observe([&] {
        const tine::schedule own = tine::record([&] { region(moves); });
        for (const replay_mode mode : modes) {
          for (const tine::schedule* follow : {&own, &foreign}) {
            moves.observe([&] { tine::replay(*follow, mode, [&] { region(moves); }); });
          }
        }
      });
    });
  }
  CHECK(moves.asked > 1000);
  CHECK(moves.moved == 0);
}

/// Returns a schedule of one fork: worker 1 runs the second branch and continues after the join.
tine::schedule continues_on_1() {
  tine::schedule::step fork;
  fork.pieces = 1;
  fork.after = {1, 2, 0, 0};
  return tine::schedule{2, {0, 0, 0, 0}, {{0, 1}}, {fork}, {{1, {1, 1, 0, 0}, tine::schedule::nothing}}};
}

TEST_CASE("with same_thread the join of a schedule that continues on another worker is void") {
  for (const auto resume : {resume_policy::same_thread, resume_policy::origin}) {
    const bool keeps = resume == resume_policy::same_thread;
    pool p{with(resume, 2)};
    for (const replay_mode mode : {replay_mode::strict_ordered, replay_mode::strict_unordered}) {
      p.run([&] {
        count_of_moves moves;
        unsigned second = 0;
        const tine::replayed r = tine::replay(continues_on_1(), mode, [&] {
          moves.observe([&] { tine::par([] {}, [&] { second = tine::worker_index(); }); });
        });
        CHECK(second == 1);
        CHECK(moves.moved == (keeps ? 0 : 1));
        CHECK(r.matched == (keeps ? 1 : 2));
        CHECK(r.skipped == (keeps ? 1 : 0));
      });
    }
  }
}

TEST_CASE(
    "with same_thread a region ends on the thread on which it began, and runs on the one on which it was recorded") {
  pool p{with(resume_policy::same_thread, 3)};
  pid_t recorded = 0;
  tine::schedule there;
  // worker 2 runs the second branch, which records a region of its own there
  p.run([&] {
    tine::replay({}, replay_mode::strict_unordered,
                 [&] { tine::par_on(2, [] {}, [&] { there = tine::record([&] { recorded = this_thread(); }); }); });
  });
  REQUIRE(there.root().owner == 2);
  for (const replay_mode mode : {replay_mode::strict_ordered, replay_mode::strict_unordered}) {
    p.run([&] {
      const pid_t before = this_thread();
      pid_t inside = 0;
      tine::replay(there, mode, [&] { inside = this_thread(); });
      CHECK(inside == recorded);
      CHECK(inside != before);
      CHECK(this_thread() == before);
      CHECK_THROWS_AS(tine::replay(there, mode, [&] { throw 1; }), int);
      CHECK(this_thread() == before);
    });
  }
}

// A worker may be blocked in a wait for a thread of the program, while that thread, a caller of run, has taken a strand
// that is older than its call. That strand must neither be one that left the blocked worker, nor wait for such a
// strand.
TEST_CASE("with same_thread, callers return whose threads are waited for, while relaxed replays run") {
  for (const auto callers : {tine::caller_policy::any_root, tine::caller_policy::own_root, tine::caller_policy::wait}) {
    pool p{with(resume_policy::same_thread, 4, callers)};
    count_of_moves moves;
    tine::schedule followed;
    const auto body = [&] {
      tine::par_for(0, 8, [&](int) {
        tine::par([&] { tree(2, 1, moves); },
                  [&] {
                    std::thread other{[&] { p.run([&] { tree(2, 2, moves); }); }};
                    other.join();
                  });
      });
    };
    p.run([&] { followed = tine::record(body); });
    for (int i = 0; i < 40; ++i)
      p.run([&] { followed = tine::replay(followed, replay_mode::relaxed, body).performed; });
    CHECK(moves.moved == 0);
  }
}

}  // namespace
