// Serial replays, runs that must match their schedule, and sessions that mend theirs.
#include "named_pool.hpp"
#include "replay/perturbation.hpp"

#include <tine/replay.hpp>
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

namespace {

using tine::replay_mode;
using tine::schedule;
using tine::test::two_workers;

constexpr std::uint32_t nothing = schedule::nothing;

/// Returns a schedule of one fork on two workers: the second branch begins as strand `second`, and the first one waits
/// at the fork and begins as strand `first`.
schedule waiting_first(std::uint32_t first, std::uint32_t second) {
  schedule::step fork;
  fork.pieces = 2;
  fork.after = {0, 3, 0, 0};
  return schedule{2, {0, 0, 0, 0}, {{0, 1}}, {fork}, {{0, {0, first, 0, 0}, nothing}, {1, {1, second, 0, 0}, nothing}}};
}

/// Returns a schedule of one loop of 90 iterations, whose thirds begin as the strands with these stamps.
schedule thirds(std::vector<std::uint32_t> stamps) {
  schedule::step loop;
  loop.what = schedule::kind::loop;
  loop.count = 90;
  loop.pieces = 3;
  loop.after = {0, 4, 0, 0};
  std::vector<schedule::piece> pieces;
  for (std::uint32_t i = 0; i < 3; ++i) pieces.push_back({30 * i, {static_cast<int>(i % 2), stamps[i], 0, 0}, nothing});
  return schedule{2, {0, 0, 0, 0}, {{0, 1}}, {loop}, pieces};
}

}  // namespace

TEST_CASE("a perturbation places few of very many forks, all over the run") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    tine::detail::perturbation p{seed};
    int placed = 0, late = 0;
    constexpr int n = 1'000'000;
    for (int i = 0; i < n; ++i) {
      if (!p.places()) continue;
      ++placed;
      late += i > n / 10 ? 1 : 0;
    }
    CHECK(placed < 6'000);
    CHECK(placed > 500);
    CHECK(late > 100);
  }
}

TEST_CASE_FIXTURE(two_workers, "a serial replay begins the branches of a fork in the order of their stamps") {
  for (const bool is_first_first : {true, false}) {
    const schedule s = is_first_first ? waiting_first(1, 2) : waiting_first(2, 1);
    for (int round = 0; round < 10; ++round) {
      std::string order;  // no two strands run at a time
      const tine::replayed done = run([&] {
        return tine::replay(s, replay_mode::serial, tine::must_match, [&] {
          tine::par([&] { order += '1'; }, [&] { order += '2'; });
          order += '3';
        });
      });
      CHECK(order == (is_first_first ? "123" : "213"));
      CHECK(done.diverged == 0);
      CHECK(done.performed.root().stamp == 0);
      REQUIRE(done.performed.pieces().size() == 2);
      CHECK(done.performed.pieces()[0].run.stamp == (is_first_first ? 1 : 2));
    }
  }
}

TEST_CASE_FIXTURE(two_workers, "other modes begin a first branch at once") {
  for (const replay_mode how : {replay_mode::strict_ordered, replay_mode::strict_unordered, replay_mode::relaxed}) {
    std::atomic<int> ran{0};
    const tine::replayed done =
        run([&] { return tine::replay(waiting_first(2, 1), how, [&] { tine::par([&] { ++ran; }, [&] { ++ran; }); }); });
    CHECK(ran == 2);
    CHECK(done.diverged == 0);
  }
}

TEST_CASE_FIXTURE(two_workers, "a serial replay begins the pieces of a loop in the order of their stamps") {
  for (const std::vector<std::uint32_t>& stamps : {std::vector<std::uint32_t>{3, 1, 2}, {2, 3, 1}, {1, 2, 3}}) {
    std::vector<int> order;
    run([&] {
      tine::replay(thirds(stamps), replay_mode::serial, tine::must_match, [&] {
        tine::par_for(0, 90, [&](int i) {
          if (i % 30 == 0) order.push_back(i / 30);
        });
      });
    });
    std::vector<int> expected(3);
    for (int i = 0; i < 3; ++i) expected[stamps[static_cast<std::size_t>(i)] - 1] = i;
    CHECK(order == expected);
  }
}

TEST_CASE_FIXTURE(two_workers, "a serial replay ends although a strand waits for a later one") {
  std::atomic<bool> is_set{false};
  const tine::replayed done = run([&] {
    return tine::replay(waiting_first(2, 1), replay_mode::serial, [&] {
      tine::par(
          [&] {
            is_set = true;
            is_set.notify_all();
          },
          [&] { is_set.wait(false); });
    });
  });
  CHECK(is_set);
  CHECK(done.diverged == 1);
}

TEST_CASE_FIXTURE(two_workers, "a run that must match is refused with the place of the first difference") {
  const auto follow = [&](const schedule& s, auto f) {
    try {
      run([&] { tine::replay(s, replay_mode::serial, tine::must_match, f); });
    } catch (const tine::schedule_mismatch& e) {
      return std::string{e.what()};
    }
    return std::string{};
  };
  const auto pair = [] { tine::par([] {}, [] {}); };
  CHECK(follow(waiting_first(2, 1), pair).empty());
  CHECK(follow(waiting_first(2, 1), [] {}).find("fork 0 of the schedule does not come") != std::string::npos);
  CHECK(follow(thirds({1, 2, 3}), pair).find("fork 0 is a loop in the schedule") != std::string::npos);
  schedule of_other = waiting_first(2, 1);
  of_other.set_shape(1);
  bool has_run = false;
  CHECK(follow(of_other, [&] { has_run = true; }).find("was recorded by another program") != std::string::npos);
  CHECK(!has_run);
}

TEST_CASE_FIXTURE(two_workers, "a schedule keeps its shape key in a file, and pruning keeps no waiting branches") {
  schedule s = run([] { return tine::record([] { tine::par([] {}, [] {}); }); });
  CHECK(s.shape() != 0);
  CHECK(schedule::from_json(s.to_json()) == s);
  schedule w = waiting_first(2, 1);
  CHECK(schedule::from_json(w.to_json()) == w);
  CHECK(w.steals() == 1);
  w.prune(0);
  REQUIRE(w.pieces().size() == 1);
  CHECK(w.pieces().front().begin == 1);
}

TEST_CASE_FIXTURE(two_workers, "a session mends its schedule for some phases and then keeps it") {
  tine::replay_session phases;
  std::atomic<int> ran{0};
  int mended = 0;
  for (; !phases.converged() && mended < 40; ++mended) {
    const tine::replayed done = run([&] { return phases.run([&] { tine::par_for(0, 64, [&](int) { ++ran; }); }); });
    CHECK(done.duration_ns != 0);
    REQUIRE(done.busy_ns.size() == done.idle_ns.size());
    for (std::size_t i = 0; i < done.busy_ns.size(); ++i)
      CHECK(done.idle_ns[i] == done.duration_ns - std::min(done.busy_ns[i], done.duration_ns));
  }
  CHECK(phases.converged());
  CHECK(mended <= 17);
  CHECK(ran == 64 * mended);
  const schedule kept = phases.best();
  run([&] { phases.run([&] { tine::par_for(0, 64, [&](int) { ++ran; }); }); });
  CHECK(phases.best() == kept);
}
