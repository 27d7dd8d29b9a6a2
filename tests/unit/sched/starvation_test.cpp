// No starvation: a pending branch begins elsewhere although its owner is deep in code that never polls.
// tests/stress/starvation measures how soon. Here the leaf waits so long that the test fails only if the branch never
// begins.
//
// Not under ThreadSanitizer: it delays signal handlers to the next call it intercepts, so tine sends no signals in its
// builds.
#include "unit/sched/starvation.hpp"

#include <tine/detail/base/macros.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <initializer_list>
#include <string>

namespace {

using tine::test::prelude;

constexpr double give_up_us = 10e6;
constexpr int tries = 10;

void try_all(const tine::options& o) {
  for (const prelude before : {prelude::none, prelude::forks_100, prelude::forks_20000, prelude::asleep}) {
    CAPTURE(std::string{tine::test::name_of(before)});
    tine::pool p{o};
    int in_time = 0;
    for (int i = 0; i < tries; ++i) {
      tine::test::starvation one{before, give_up_us, static_cast<double>(i % 7) * 60 + 5};
      in_time += one.run(p) ? 1 : 0;
      REQUIRE(in_time == i + 1);
    }
    const tine::counters done = p.counters();
    // B was busy until after the fork, so nothing but a signal can have promoted the branch
    if (before != prelude::asleep) CHECK(done.signal_promotions >= tries);
    CHECK(done.signal_promotions <= done.promotions);
  }
}

}  // namespace

TEST_CASE("a pending branch begins while its owner's leaf never polls: lazy pool" * doctest::skip(TINE_TSAN != 0)) {
  try_all({.workers = 2});
}

TEST_CASE("a pending branch begins while its owner's leaf never polls: busy pool" * doctest::skip(TINE_TSAN != 0)) {
  try_all({.workers = 2, .idle = tine::idle_policy::busy});
}

TEST_CASE("a pending branch begins while its owner's leaf never polls: heartbeat" * doctest::skip(TINE_TSAN != 0)) {
  for (const prelude before : {prelude::none, prelude::forks_20000}) {
    tine::pool p{{.workers = 2, .promote = tine::promotion::heartbeat()}};
    for (int i = 0; i < tries; ++i) REQUIRE(tine::test::starvation{before, give_up_us, 50}.run(p));
  }
}

TEST_CASE("without interrupts the same branch would wait for its owner" * doctest::skip(TINE_TSAN != 0)) {
  tine::pool p{{.workers = 2, .interrupt = false}};
  std::atomic<bool> stolen{false};
  p.run([&] {
    const auto origin = gettid();
    tine::par(
        [&] {
          const tine::base::ticks from = tine::base::now();
          while (!stolen.load() && tine::base::now() - from < tine::base::to_ticks(20'000)) tine::base::pause();
        },
        [&] { stolen.store(gettid() != origin); });
  });
  CHECK(p.counters().signals == 0);
}
