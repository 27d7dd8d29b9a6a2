// Promotion policies: the answer is the same under each policy, and the counters obey the bounds that each policy
// promises.
#include <tine/tine.hpp>

#include "unit/fib.hpp"
#include "unit/run_child.hpp"

#include <tine/base/ticks.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>

namespace {

using tine::par;
using tine::pool;
using tine::promotion;
using tine::test::fib;

constexpr std::uint64_t forks_of_fib_18 = 4180;

/// Runs a chain of forks. Every fork has a trivial second branch.
long chain(int n) {
  if (n == 0) return 0;
  return par([=] { return chain(n - 1); }, [] { return 1L; }, [](long a, long b) { return a + b; });
}

/// Runs `n` forks of two leaves, one after another.
long flat(int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += par([] { return 1L; }, [=] { return long{i & 1}; }, [](long a, long b) { return a + b; });
  return sum;
}

/// Runs three shapes of work, and checks their answers.
void work(pool& p) {
  CHECK(p.run([] { return fib(25); }) == 75025);
  CHECK(p.run([] {
    long sum = 0;
    for (int i = 0; i < 50; ++i) sum += chain(2000);
    return sum;
  }) == 100'000);
  CHECK(p.run([] { return flat(300'000); }) == 450'000);
}

/// The child process ends by a signal after 100 seconds if the beats leave no time for anything else.
TINE_IN_CHILD("beats faster than signals") {
  for (const double period_us : {0.01, 1.0, 5.0}) {
    pool p{{.workers = 2, .promote = promotion::heartbeat(period_us, 30)}};
    p.run([] {});
    tine::test::claim(p.run([] { return fib(22); }) == 17'711, "the answer is right");
  }
}

void check_sums(const tine::counters& c) {
  CHECK(c.steals + c.reclaimed == c.promotions);
  CHECK(c.suspensions <= c.steals);
  CHECK(c.signal_promotions <= c.promotions);
}

/// Workers know the length of a beat within a percent (base/rough_rate.hpp).
constexpr double rate_error = 1.01;

/// Checks that promotions <= run time / beat + cap per worker.
void check_token_bound(const pool& p, double beat_us, double cap) {
  const tine::counters c = p.counters();
  const double most = static_cast<double>(c.run_ns) / (beat_us * 1e3) * rate_error + cap * p.workers();
  CAPTURE(c.promotions);
  CAPTURE(c.run_ns);
  CHECK(static_cast<double>(c.promotions) <= most);
  check_sums(c);
}

}  // namespace

TEST_CASE("on demand keeps the token bound") {
  for (const unsigned workers : {1U, 2U, 8U, 32U}) {
    for (const auto idle : {tine::idle_policy::lazy, tine::idle_policy::busy}) {
      if (idle == tine::idle_policy::busy && workers > 8) continue;  // dozens of spinning threads would show nothing
      CAPTURE(workers);
      pool p{{.workers = workers, .idle = idle}};
      work(p);
      check_token_bound(p, promotion::on_demand().period_us(), 30);
      if (workers == 1) CHECK(p.counters().promotions == 0);
      if (idle == tine::idle_policy::busy) CHECK(p.counters().parks == 0);
    }
  }
}

TEST_CASE("on demand keeps the token bound over many small roots") {
  for (const unsigned workers : {2U, 8U}) {
    pool p{{.workers = workers}};
    for (int i = 0; i < 100'000; ++i) {
      if (p.run([] { return fib(4); }) != 3) FAIL("a wrong answer");
    }
    check_token_bound(p, promotion::on_demand().period_us(), 30);
  }
}

TEST_CASE("on demand keeps the bound of other beats and caps") {
  for (const auto& [beat_us, cap] : {std::array{1.0, 1000.0}, {100.0, 1.0}, {1e6, 4.0}}) {
    pool p{{.workers = 2, .promote = promotion::on_demand(beat_us, static_cast<int>(cap))}};
    work(p);
    check_token_bound(p, beat_us, cap);
  }
}

TEST_CASE("eager promotes every fork") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    CAPTURE(workers);
    pool p{{.workers = workers, .promote = promotion::eager()}};
    CHECK(p.counters().promotions == 0);
    CHECK(p.run([] { return fib(18); }) == 2584);
    const tine::counters c = p.counters();
    CHECK(c.promotions == forks_of_fib_18);
    CHECK(c.fibers >= 1);
    check_sums(c);
    if (workers == 1) CHECK(c.reclaimed == c.promotions);
    CHECK(p.run([] { return flat(20'000); }) == 30'000);
    CHECK(p.counters().promotions == forks_of_fib_18 + 20'000);
    CHECK(p.counters().run_ns > c.run_ns);
  }
}

TEST_CASE("heartbeat promotes by the beat, with or without idle workers") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    for (const auto& [period_us, tokens] : {std::array{500.0, 30.0}, {20.0, 5.0}, {50.0, 1.0}}) {
      CAPTURE(workers);
      CAPTURE(period_us);
      pool p{{.workers = workers, .promote = promotion::heartbeat(period_us, static_cast<int>(tokens))}};
      work(p);
      p.run([] {  // one root that lasts many beats
        const tine::base::ticks from = tine::base::now();
        while (tine::base::now() - from < tine::base::to_ticks(10'000)) fib(10);
      });
      const tine::counters c = p.counters();
      const double beats = static_cast<double>(c.run_ns) / (period_us * 1e3) * rate_error;
      CAPTURE(c.promotions);
      CHECK(static_cast<double>(c.promotions) <= beats * tokens + tokens);
      check_sums(c);
      CHECK(c.promotions > 0);
    }
  }
}

TEST_CASE("heartbeat: beats that are faster than signals leave time for the program") {
  tine::test::check_child("beats faster than signals");
}
