// Stops of plain functions: a stop request, and an exception of code that comes earlier in the serial order, reach
// forks and loops on every worker, and nothing else. Handshakes force all steals.
#include <tine/augment.hpp>
#include <tine/managed.hpp>
#include <tine/replay/record.hpp>
#include <tine/sched/stop.hpp>

#include <sched.h>
#include <atomic>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace {

using tine::is_stopping;
using tine::par;
using tine::par_for;
using tine::par_reduce;
using tine::pool;
using tine::run_stoppable;
using tine::run_until_stopped;
using tine::stopped;
using tine::unstoppable;

/// Waits until `holds()` returns true, and polls, so that other workers can steal pending branches. Returns false after
/// 60 seconds.
template <class Condition>
bool wait_until(Condition holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{60};
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    tine::poll();
    sched_yield();
  }
  return true;
}

tine::options eager_options(unsigned workers) { return {.workers = workers, .promote = tine::promotion::eager()}; }

/// Returns true if `f` throws tine::stopped.
template <class F>
bool throws_stopped(F f) {
  try {
    f();
    return false;
  } catch (const stopped&) {
    return true;
  }
}
bool fork_stops() {
  return throws_stopped([] { par([] {}, [] {}); });
}
bool loop_stops() {
  return throws_stopped([] { par_for(0, 1000, [](int) {}); });
}

/// Forks so that both branches run at once: the first branch waits until the second has begun.
template <class F, class G>
void par_apart(F f, G g) {
  std::atomic<bool> begun{false};
  par(
      [&] {
        REQUIRE(wait_until([&] { return begun.load(); }));
        f();
      },
      [&] {
        begun = true;
        g();
      });
}

TEST_CASE("a stop reaches both branches of a stolen fork, and their loops") {
  pool p{eager_options(2)};
  for (const int who : {0, 1}) {
    std::stop_source s;
    std::atomic<int> stops{0};
    const auto branch = [&](int i) {
      if (i == who) {
        s.request_stop();
      } else {
        wait_until([&] { return s.stop_requested() && is_stopping(); });
      }
      stops += fork_stops() + loop_stops() + is_stopping();
    };
    p.run([&] {
      run_stoppable(s.get_token(), [&] { par_apart([&] { branch(0); }, [&] { branch(1); }); });
      CHECK(!is_stopping());
      CHECK(!fork_stops());  // the region is over
    });
    CHECK(stops == 6);
  }
}

TEST_CASE("a stop ends a loop on every worker after the chunk that it is in") {
  pool p{eager_options(2)};
  std::stop_source s;
  std::atomic<int> begun{0};
  const auto body = [&](int) {
    const int order = begun.fetch_add(1);
    wait_until([&] { return begun.load() >= 2; });
    if (order == 0) s.request_stop();
    wait_until(is_stopping);
  };
  CHECK_THROWS_AS(p.run([&] { run_stoppable(s.get_token(), [&] { par_for(0, 1000, body); }); }), stopped);
  CHECK(begun == 2);
}

/// Counts the objects that exist.
struct counted {
  static inline std::atomic<int> alive{0};
  counted() { alive.fetch_add(1); }
  counted(const counted&) { alive.fetch_add(1); }
  counted(counted&&) noexcept { alive.fetch_add(1); }
  counted& operator=(const counted&) = default;
  counted& operator=(counted&&) noexcept = default;
  ~counted() { alive.fetch_sub(1); }
};

TEST_CASE("when a request for a stop has returned, each worker begins at most the chunk that it had decided to begin") {
  for (const unsigned workers : {2u, 8u}) {
    pool p{{.workers = workers}};
    for (int round = 0; round < 25; ++round) {
      std::stop_source s;
      std::atomic<int> chunks{0};
      std::atomic<bool> has_returned{false};
      std::array<std::atomic<int>, 8> late{};  // chunks of each worker
      const int some = 1 + round * 7919 % 500;
      std::thread asker{[&] {
        while (chunks.load() < some) sched_yield();
        s.request_stop();
        has_returned = true;
      }};
      const auto chunk = [&](long, long) {
        if (has_returned.load()) late[tine::worker_index()].fetch_add(1);
        chunks.fetch_add(1);
        const counted in_the_body;
      };
      const auto endless = std::numeric_limits<long>::max() / 2;
      CHECK_THROWS_AS(p.run([&] { run_stoppable(s.get_token(), [&] { tine::par_for_chunks(0L, endless, chunk); }); }),
                      stopped);
      asker.join();
      for (const std::atomic<int>& of_one : late) CHECK(of_one <= 1);
      CHECK(counted::alive == 0);
    }
  }
}

TEST_CASE("a loop that stops destroys the results of its subranges, and what its iterations have made") {
  for (const unsigned workers : {1u, 2u, 8u}) {
    pool p{{.workers = workers, .promote = tine::promotion::eager()}};
    for (int round = 0; round < 15; ++round) {
      std::stop_source s;
      std::atomic<int> begun{0};
      const auto map = [&](int) {
        if (begun.fetch_add(1) == 20 + round) s.request_stop();
        return std::vector<counted>(2);
      };
      const auto joined = [](std::vector<counted> a, std::vector<counted> b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
      };
      CHECK_THROWS_AS(p.run([&] {
        run_stoppable(s.get_token(), [&] { par_reduce(0, 1'000'000, std::vector<counted>{}, map, joined); });
      }),
                      stopped);
      CHECK(begun < 1'000'000);
      CHECK(counted::alive == 0);
    }
  }
}

TEST_CASE("a fork before the begin of a region is not in it, even if it is promoted inside") {
  pool p{eager_options(2)};
  std::atomic<bool> begun{false}, over{false};
  bool second_stopped = true;
  p.run([&] {
    par(
        [&] {
          std::stop_source s;
          s.request_stop();
          run_stoppable(s.get_token(), [&] {
            CHECK(wait_until([&] { return begun.load(); }));
            CHECK(fork_stops());
          });
          over = true;
        },
        [&] {
          begun = true;
          second_stopped = is_stopping() || fork_stops() || loop_stops();
          wait_until([&] { return over.load(); });
        });
  });
  CHECK(!second_stopped);
}

TEST_CASE("a stolen branch that has not begun before the stop does not begin") {
  pool p{eager_options(2)};
  std::stop_source s;
  std::atomic<bool> release{false}, second_began{false};
  const auto steals = [&] { return p.counters().steals; };
  const auto inner = [&] {
    par(
        [&] {
          s.request_stop();
          const auto before = steals();
          release = true;
          CHECK(wait_until([&] { return steals() > before; }));
        },
        [&] { second_began = true; });
  };
  const auto busy = [&] { wait_until([&] { return release.load(); }); };
  CHECK_THROWS_AS(p.run([&] { run_stoppable(s.get_token(), [&] { par_apart(inner, busy); }); }), stopped);
  CHECK(!second_began);
}

TEST_CASE("regions nest: an inner stop ends with its region, an outer one reaches inside") {
  pool p{eager_options(2)};
  std::stop_source outer, inner;
  bool inner_stopped = false, rest_runs = false, outer_reaches = false;
  p.run([&] {
    run_stoppable(outer.get_token(), [&] {
      inner.request_stop();
      run_stoppable(inner.get_token(), [&] { inner_stopped = fork_stops() && loop_stops(); });
      rest_runs = !fork_stops() && !loop_stops();
      std::stop_source fresh;
      run_stoppable(fresh.get_token(), [&] {
        par_apart([&] { outer.request_stop(); },
                  [&] {
                    wait_until(is_stopping);
                    outer_reaches = fork_stops();
                  });
      });
    });
  });
  CHECK(inner_stopped);
  CHECK(rest_runs);
  CHECK(outer_reaches);
}

TEST_CASE("a stop that is requested before nothing was forked begins no branch") {
  std::stop_source s;
  s.request_stop();
  int begun = 0;
  CHECK_THROWS_AS(run_stoppable(s.get_token(), [&] { par([&] { ++begun; }, [&] { ++begun; }); }), stopped);
  CHECK_THROWS_AS(run_stoppable(s.get_token(), [&] { par_for(0, 100, [&](int) { ++begun; }); }), stopped);
  CHECK_THROWS_AS(
      run_stoppable(s.get_token(), [&] { tine::sequential([&] { par([&] { ++begun; }, [&] { ++begun; }); }); }),
      stopped);
  CHECK_THROWS_AS(run_stoppable(s.get_token(),
                                [&] {
                                  return tine::spork([&] { return ++begun; }, [&] { return ++begun; },
                                                     [](int a) { return a; }, [](int a, int) { return a; },
                                                     [](int a) { return a; });
                                }),
                  stopped);
  CHECK(begun == 0);
}

TEST_CASE("run_until_stopped reports a stop by an empty result, and only that of its own token") {
  std::stop_source s;
  CHECK(run_until_stopped(s.get_token(), [] { return 7; }) == 7);
  CHECK(run_until_stopped(s.get_token(), [] {}).has_value());
  CHECK_THROWS_AS(run_until_stopped(s.get_token(), [] { throw 1; }), int);
  s.request_stop();
  CHECK(run_until_stopped(s.get_token(), [] { return 7; }) == 7);  // no fork, no stop
  const std::optional<int> none =
      run_until_stopped(s.get_token(), [] { return par([] { return 1; }, [] { return 2; }).first; });
  CHECK(!none.has_value());
  CHECK(!run_until_stopped(s.get_token(), [] { par_for(0, 100, [](int) {}); }).has_value());
  std::stop_source inner;
  CHECK_THROWS_AS(
      run_stoppable(s.get_token(),
                    [&] { static_cast<void>(run_until_stopped(inner.get_token(), [] { par([] {}, [] {}); })); }),
      stopped);
}

TEST_CASE("a stop reaches a pool that is entered from inside the region, whenever that was made") {
  pool p{eager_options(2)}, before{eager_options(2)};
  std::stop_source s;
  bool stops_there = false, stops_in_new = false, free_outside = true;
  p.run([&] {
    run_stoppable(s.get_token(), [&] {
      before.run([&] {
        par_apart([&] { s.request_stop(); },
                  [&] {
                    wait_until(is_stopping);
                    stops_there = fork_stops();
                  });
      });
      pool after{eager_options(2)};
      after.run([&] { stops_in_new = fork_stops() && loop_stops(); });
    });
  });
  before.run([&] { free_outside = !fork_stops() && !loop_stops(); });
  CHECK(stops_there);
  CHECK(stops_in_new);
  CHECK(free_outside);
}

TEST_CASE("unstoppable code continues to fork, and the code after it stops") {
  std::stop_source s;
  s.request_stop();
  bool ran = false, stops_after = false;
  run_stoppable(s.get_token(), [&] {
    ran = unstoppable([] { return !fork_stops() && !loop_stops() && !is_stopping(); });
    stops_after = fork_stops();
  });
  CHECK(ran);
  CHECK(stops_after);
  CHECK(unstoppable([] { return 3; }) == 3);  // outside every pool
}

TEST_CASE("a destructor that forks while a stop unwinds the stack runs to its end") {
  struct forks_at_end {
    std::atomic<int>& n;
    ~forks_at_end() {
      par([&] { ++n; }, [&] { ++n; });
      par_for(0, 10, [&](int) { ++n; });
    }
  };
  std::stop_source s;
  s.request_stop();
  std::atomic<int> n{0};
  CHECK_THROWS_AS(run_stoppable(s.get_token(),
                                [&] {
                                  const forks_at_end last{n};
                                  par([] {}, [] {});
                                }),
                  stopped);
  CHECK(n == 12);
}

// ---------------------------------------------------------------------------------------------------------------------
// Exceptions stop code that comes later in the serial order, and no code that comes earlier.

TEST_CASE("an exception of the first branch stops the second one, and its forks") {
  pool p{eager_options(3)};
  std::atomic<int> stops{0};
  std::atomic<bool> all_begun{false};
  const auto stops_here = [&] {
    wait_until(is_stopping);
    stops += fork_stops() + loop_stops();
  };
  const auto first = [&] {
    wait_until([&] { return all_begun.load(); });
    throw 7;
  };
  const auto second = [&] {
    par_apart(stops_here, [&] {
      all_begun = true;
      stops_here();
    });
  };
  int thrown = 0;
  p.run([&] {
    try {
      par_apart(first, second);
    } catch (int e) {
      thrown = e;
    }
    CHECK(!fork_stops());
  });
  CHECK(thrown == 7);
  CHECK(stops == 4);
}

TEST_CASE("an exception of the second branch stops nothing: the first one comes before it") {
  pool p{eager_options(2)};
  std::atomic<bool> threw{false};
  bool first_stopped = true;
  const auto first = [&] {
    wait_until([&] { return threw.load(); });
    for (int i = 0; i < 1000 && !is_stopping(); ++i) sched_yield();
    first_stopped = is_stopping() || fork_stops() || loop_stops();
  };
  const auto second = [&] {
    struct at_end {
      std::atomic<bool>& flag;
      ~at_end() { flag = true; }
    } const last{threw};
    throw 8;
  };
  CHECK_THROWS_AS(p.run([&] { par_apart(first, second); }), int);
  CHECK(!first_stopped);
}

TEST_CASE("an exception that is caught stops nothing around it") {
  pool p{eager_options(2)};
  std::atomic<bool> caught{false};
  bool sibling_stopped = true;
  p.run([&] {
    par_apart(
        [&] {
          try {
            par([] { throw 1; }, [] {});
          } catch (int) {
          }
          caught = true;
        },
        [&] {
          wait_until([&] { return caught.load(); });
          sibling_stopped = is_stopping() || fork_stops();
        });
  });
  CHECK(!sibling_stopped);
}

TEST_CASE("an exception of an earlier iteration stops the promoted subrange after its current chunk") {
  pool p{eager_options(2)};
  for (const bool reduces : {false, true}) {
    std::atomic<int> begun{0};
    const auto body = [&](int i) {
      ++begun;
      wait_until([&] { return begun.load() >= 2; });
      if (i == 0) throw 5;
      wait_until(is_stopping);
      return 0;
    };
    const auto loop = [&] {
      if (reduces) {
        par_reduce(0, 1000, 0, body, std::plus<>{});
      } else {
        par_for(0, 1000, [&](int i) { body(i); });
      }
    };
    CHECK_THROWS_AS(p.run(loop), int);
    CHECK(begun == 2);
  }
}

/// Three workers run three iterations of a loop. The middle iteration throws. This stops the last one at once, although
/// the owner is still busy with the first one, and stops no iteration before the one that throws.
TEST_CASE("an exception of a stolen subrange stops the subranges after it, and no iteration before it") {
  pool p{eager_options(3)};
  constexpr int n = 999;
  std::array<std::atomic<bool>, n> ran{};
  std::array<std::atomic<int>, 3> who{};
  std::atomic<int> begun{0};
  std::atomic<bool> last_is_stopped{false};
  const auto body = [&](int i) {
    ran[static_cast<unsigned>(i)] = true;
    const int order = begun.fetch_add(1);
    if (order >= 3) return;
    who[static_cast<unsigned>(order)] = i;
    wait_until([&] { return begun.load() >= 3; });
    sched_yield();
    std::array<int, 3> sorted{who[0], who[1], who[2]};
    wait_until([&] {
      sorted = {who[0], who[1], who[2]};
      std::sort(sorted.begin(), sorted.end());
      return sorted[1] != 0;
    });
    if (i == sorted[1]) throw i;
    if (i == sorted[2]) last_is_stopped = wait_until(is_stopping);
    if (i == 0) CHECK(wait_until([&] { return last_is_stopped.load(); }));
  };
  int thrown = 0;
  p.run([&] {
    try {
      par_for(0, n, body);
    } catch (int i) {
      thrown = i;
    }
    CHECK(!fork_stops());
  });
  std::array<int, 3> sorted{who[0], who[1], who[2]};
  std::sort(sorted.begin(), sorted.end());
  CHECK(last_is_stopped);
  CHECK(thrown == sorted[1]);
  for (int i = 0; i <= thrown; ++i) CHECK(ran[static_cast<unsigned>(i)]);
  for (int i = sorted[2] + 1; i < n; ++i) CHECK(!ran[static_cast<unsigned>(i)]);
}

// ---------------------------------------------------------------------------------------------------------------------
// Regions of analyses and schedules around a stop.

TEST_CASE("a stop inside a region that is analysed, recorded or replayed leaves it whole") {
  pool p{eager_options(2)};
  std::atomic<int> stops{0};
  const auto body = [&] {
    std::stop_source s;
    const auto branch = [&](bool asks) {
      if (asks) s.request_stop();
      wait_until(is_stopping);
      stops += fork_stops() + loop_stops();
    };
    CHECK(!run_until_stopped(s.get_token(), [&] {
             par_apart([&] { branch(true); }, [&] { branch(false); });
             par([] {}, [] {});
           }).has_value());
    par([] {}, [] {});
  };
  CHECK(p.run([&] { return tine::augment<tine::work_span>(body); }).burdened_span() > 0);
  CHECK(stops == 4);
  const tine::schedule made = p.run([&] { return tine::record(body); });
  CHECK(stops == 8);
  p.run([&] { tine::replay(made, tine::replay_mode::strict_ordered, body); });
  CHECK(stops.load() == 12);
}

}  // namespace
