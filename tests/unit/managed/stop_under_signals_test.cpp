// Signals of thieves that come while a fork or a loop of a strand that is to stop throws: nothing of it may begin on
// another worker.
#include "each_instruction.hpp"

#include <tine/replay.hpp>
#include <tine/stop.hpp>
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <csignal>
#include <exception>
#include <stop_token>

namespace {

using tine::test::each_instruction;

std::atomic<int> begun{0};
void begin() { begun.fetch_add(1); }

std::atomic<bool> thief_begun, thief_searches;

/// Runs `f` while the other worker is busy until `thief_searches` is set, and then searches for work.
template <class F>
void beside_thief(F f) {
  thief_begun.store(false);
  thief_searches.store(false);
  tine::par(
      [&] {
        while (!thief_begun.load()) tine::poll();
        f();
        thief_searches.store(true);
      },
      [] {
        thief_begun.store(true);
        while (!thief_searches.load()) {
        }
      });
}

/// Runs `f`, which forks, on a strand that is to stop, with a signal after each instruction.
template <class F>
void stops_under_signals(F f) {
  begun.store(0);
  std::stop_source source;
  CHECK_THROWS_AS(tine::run_stoppable(source.get_token(),
                                      [&] {
                                        source.request_stop();
                                        each_instruction::start();
                                        f();
                                      }),
                  tine::stopped);
  each_instruction::stop();
  CHECK(begun.load() == 0);
}

void forks() { tine::par(begin, begin); }
void loops() {
  tine::par_for(0, 1000, [](int) { begin(); });
}

void check_all() {
  tine::pool p{{.workers = 2, .idle = tine::idle_policy::busy}};
  p.run([] {
    beside_thief([] { stops_under_signals(forks); });
    beside_thief([] { stops_under_signals(loops); });
    beside_thief([] { tine::record([] { stops_under_signals(forks); }); });
    beside_thief([] { tine::record([] { stops_under_signals(loops); }); });
  });
}

bool from_the_begin() {
  thief_searches.store(true);
  return true;
}

bool while_unwinding() {
  if (std::uncaught_exceptions() == 0) return false;
  thief_searches.store(true);
  return true;
}

TEST_CASE("a fork and a loop that stop begin nowhere, whenever a signal comes" * doctest::skip(!tine::test::can_step)) {
  const long before = each_instruction::steps();
  for (const auto when : {&from_the_begin, &while_unwinding}) {
    const each_instruction stepping{SIGURG, nullptr, 20'000, when};
    check_all();
  }
  CHECK(each_instruction::steps() > before + 1000);
}

}  // namespace
