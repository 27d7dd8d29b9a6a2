// Deep recursions that are recorded and replayed, with few steals and with a steal at nearly every level.
#include <tine/replay.hpp>
#include <tine/tine.hpp>

#include "unit/descents.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>

namespace {

using namespace tine::test;
using tine::par, tine::replay_mode, tine::schedule;

constexpr bool sanitized = TINE_ASAN || TINE_TSAN;

/// A program for two workers. The first branch of a fork goes down through many second branches, and then runs without
/// forks until its own second branch has begun elsewhere. The other worker is busy until the first branch is at its
/// deepest; from then on, only its signals can promote the fork.
struct deep_leaf {
  std::atomic<bool> has_helper{false}, is_deep{false}, is_stolen{false};

  template <class Until>
  static bool wait(Until until) {
    const auto begin = std::chrono::steady_clock::now();
    while (!until()) {
      if (std::chrono::steady_clock::now() - begin > std::chrono::seconds{60}) return false;
    }
    return true;
  }
  bool descend(long n) {
    if (n > 0) return par([] {}, [this, n] { return descend(n - 1); }).second;
    is_deep = true;
    return wait([this] { return is_stolen.load(); });
  }
  bool run(long levels) {
    const auto helper = [this] {
      has_helper = true;
      wait([this] { return is_deep.load(); });
    };
    return par(
               [this, levels] {
                 if (!wait([this] { return has_helper.load(); })) return false;
                 return par([this, levels] { return descend(levels); }, [this] { is_stolen = true; }).first;
               },
               helper)
        .first;
  }
};

/// Records the recursion, and follows its schedule in every mode, first whole and then pruned.
void record_and_follow(const descent& what, tine::promotion policy) {
  CAPTURE(std::string{what.name});
  tine::pool p{{.workers = 2, .promote = policy}};
  long got = 0;
  const auto descend = [&] { got = what.descend(what.levels); };
  schedule s = p.run([&] { return tine::record(descend); });
  CHECK(got == what.levels);
  for (int times = 0; times < 2; ++times) {
    CHECK(schedule::from_json(s.to_json()) == s);
    for (const auto how : {replay_mode::strict_ordered, replay_mode::strict_unordered, replay_mode::relaxed}) {
      got = 0;
      p.run([&] { tine::replay(s, how, descend); });
      CHECK(got == what.levels);
    }
    s.prune(50);
  }
}

}  // namespace

TEST_CASE("a recursion 10^5 deep is recorded and replayed") {
  for (const descent& d : descents) record_and_follow(d, tine::promotion::on_demand());
}

TEST_CASE("a deep recursion with a steal at nearly every level") {
  constexpr long levels = sanitized ? 500 : 10'000;
  record_and_follow({"first branches", in_first, levels}, tine::promotion::eager());
  record_and_follow({"loops in loops", in_loop, levels / 3}, tine::promotion::eager());
}

// ThreadSanitizer delivers no signal to a branch that only computes.
TEST_CASE("a signal promotes a fork whose first branch is deep in second branches" * doctest::skip(TINE_TSAN != 0)) {
  for (const long levels : {0L, 63L, 64L, 65L, sanitized ? 1'000L : 20'000L}) {
    CAPTURE(levels);
    tine::pool p{{.workers = 2, .promote = tine::promotion::on_demand()}};
    deep_leaf program;
    bool good = false;
    p.run([&] { tine::record([&] { good = program.run(levels); }); });
    CHECK(good);
  }
}
