// Short loops in recorded regions: they are only counted, and what thieves steal inside of them is written, and
// replayed, below a loop.
#include <tine/replay.hpp>
#include <tine/tine.hpp>

#include <sched.h>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>

namespace {

using tine::replay_mode;
using tine::schedule;

/// Loops of one kind. After `learn` those of eight iterations are short.
void loop(int n, const std::function<void(int)>& body) {
  tine::par_for(0, n, [&body](int i) { body(i); });
}
void learn() {
  loop(1'000'000, [](int) {});
}

/// Writes a node of a schedule: each step with its pieces, `!` for one that was stolen, and what is inside.
std::string text_of(const schedule& s, std::uint32_t node = 0) {
  std::string text;
  const schedule::node& n = s.nodes()[node];
  for (std::uint32_t i = n.first_step; i != n.first_step + n.steps; ++i) {
    const schedule::step& step = s.steps()[i];
    text += std::string{name_of(step.what)} + " " + std::to_string(step.number) + " of " + std::to_string(step.count);
    for (std::uint32_t p = step.first_piece; p != step.first_piece + step.pieces; ++p) {
      const schedule::piece& piece = s.pieces()[p];
      text += " " + std::to_string(piece.begin) + (piece.run.owner != schedule::no_worker ? "!" : "");
      if (piece.node != schedule::nothing) text += "(" + text_of(s, piece.node) + ")";
    }
    text += ";";
  }
  return text;
}

/// Waits for a flag that another strand sets; throws if none does.
void await(const std::atomic<bool>& flag, bool polls) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (!flag.load()) {
    if (std::chrono::steady_clock::now() > until) throw std::runtime_error{"no worker stole the branch"};
    if (polls) tine::poll();
    sched_yield();
  }
}

/// A program whose second worker is busy until the fork in iteration 3 of a short loop, and then steals its second
/// branch. Another fork is stolen after the loop, and one in a loop of one iteration, which doesn't count as a loop. An
/// exception leaves the loop before.
struct program {
  std::atomic<bool> is_busy{false}, is_free{false}, stolen[3]{};
  int sum = 0;

  void fork_stolen(int which) {
    tine::par([&] { await(stolen[which], true); }, [&] { stolen[which].store(true); });
  }
  void run() {
    const auto busy = [this] {
      is_busy.store(true);
      await(is_free, false);
    };
    const auto own = [this] {
      await(is_busy, true);
      const auto fails = [](int i) {
        if (i == 5) throw std::runtime_error{"five"};
      };
      CHECK_THROWS_WITH_AS(loop(8, fails), "five", std::runtime_error);
      loop(8, [this](int i) {
        if (i > 3) return;  // the worker would steal later forks, too
        sum += tine::par([i] { return i; }, [] { return 1; }, std::plus<>{});
        if (i == 2) loop(4, [this](int j) { sum += j; });
        if (i != 3) return;
        is_free.store(true);
        fork_stolen(0);
        // the worker has nothing else to steal until the next fork, because short loops have no record
        loop(1, [this](int) { fork_stolen(1); });
      });
      fork_stolen(2);
    };
    tine::par(own, busy);
  }
};

}  // namespace

TEST_CASE("thieves steal inside of a short loop that is recorded, and replays follow") {
  tine::pool p{{.workers = 2}};
  const auto in_pool = [&p](auto f) { return p.submit(f).get(); };
  const schedule s = in_pool([] {
    learn();
    program all;
    schedule made = tine::record([&] { all.run(); });
    CHECK(all.sum == 6 + 4 + 6);
    return made;
  });
  // Iterations 0 to 3 have a fork each, and iteration 2 a loop: the stolen forks have the numbers 5 and 6.
  REQUIRE(text_of(s) == "fork 0 of 2 0(loop 1 of 8 0(fork 5 of 2 1!;fork 6 of 2 1!;);fork 2 of 2 1!;) 1!;");
  for (const replay_mode how : {replay_mode::strict_ordered, replay_mode::strict_unordered}) {
    const tine::replayed r = in_pool([&] {
      learn();
      program all;
      return tine::replay(s, how, [&] { all.run(); });
    });
    CHECK(r.matched == 8);
    CHECK(r.skipped == 0);
    CHECK(r.diverged == 0);
    CHECK(text_of(r.performed) == text_of(s));
  }
}

// Builds with ThreadSanitizer send no signals.
TEST_CASE("a signal promotes the fork around a short loop that is recorded" * doctest::skip(TINE_TSAN != 0)) {
  tine::pool p{{.workers = 2}};
  const auto body = [] {
    std::atomic<bool> is_busy{false}, is_free{false}, is_stolen{false};
    const auto around = [&] {
      await(is_busy, true);
      const auto waits = [&](int i) {
        if (i != 0) return;
        is_free.store(true);
        await(is_stolen, false);
      };
      tine::par([&] { loop(8, waits); }, [&] { is_stolen.store(true); });
    };
    tine::par(around, [&] {
      is_busy.store(true);
      await(is_free, false);
    });
  };
  const schedule s = p.submit([&] { return learn(), tine::record(body); }).get();
  CHECK(text_of(s) == "fork 0 of 2 0(fork 0 of 2 1!;) 1!;");
}
