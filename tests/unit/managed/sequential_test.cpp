// tine::sequential keeps forks sequential and the thread the same; tine::poll is never needed and always allowed.
#include <tine/tine.hpp>

#include "unit/fib.hpp"
#include "unit/ways.hpp"

#include <unistd.h>
#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace {

using tine::par;
using tine::promotion;
using tine::sequential;
using tine::test::fib;

/// Forks like fib, and returns true if at every node the thread is still `origin`.
bool stays_at(pid_t origin, int n) {
  if (gettid() != origin) return false;
  if (n < 2) return true;
  return par([=] { return stays_at(origin, n - 1); }, [=] { return stays_at(origin, n - 2); },
             [=](bool a, bool b) { return a && b && gettid() == origin; });
}

}  // namespace

TEST_CASE("sequential returns the result of its function") {
  int x = 1;
  tine::pool p{{.workers = 2}};
  const auto check = [&] {
    decltype(auto) r = sequential([&]() -> int& { return x; });
    static_assert(std::is_same_v<decltype(r), int&>);
    CHECK(&r == &x);
    CHECK(*sequential([] { return std::make_unique<int>(2); }) == 2);
    sequential([&] { x = 3; });
    CHECK(x == 3);
    x = 1;
  };
  p.run(check);
  check();  // outside every pool
}

TEST_CASE("no fork inside sequential is promoted, whatever the policy") {
  for (const auto policy : {promotion::on_demand(0.2, 1000), promotion::heartbeat(20, 5), promotion::eager()}) {
    tine::pool p{{.workers = 2, .promote = policy}};
    CHECK(p.run([] { return sequential([] { return fib(24); }); }) == 46368);
    CHECK(p.counters().promotions == 0);
  }
}

TEST_CASE("the thread stays the same inside sequential") {
  tine::pool p{{.workers = 4, .promote = promotion::eager()}};
  for (int i = 0; i < 20; ++i) {
    const bool stayed = p.run([] {
      auto [a, b] = par([] { return sequential([] { return stays_at(gettid(), 10); }); },
                        [] { return sequential([] { return stays_at(gettid(), 10); }); });
      return a && b;
    });
    CHECK(stayed);
  }
}

TEST_CASE("exceptions leave sequential, and forks after it are promoted again") {
  tine::pool p{{.workers = 1, .promote = promotion::eager()}};
  const std::string what = p.run([]() -> std::string {
    try {
      sequential([] { par([]() -> int { throw std::runtime_error{"inside"}; }, [] {}); });
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "nothing";
  });
  CHECK(what == "inside");
  CHECK(p.counters().promotions == 0);
  p.run([] { par([] {}, [] {}); });
  CHECK(p.counters().promotions == 1);
}

TEST_CASE("sequential nests: the outer one continues after the inner one") {
  tine::pool p{{.workers = 2, .promote = promotion::eager()}};
  const long sum = p.run([] {
    return sequential([] {
      const long before = fib(10);
      const long inner = sequential([] {
        return par([] { return 1L; }, [] { return sequential([] { return fib(9); }); },
                   [](long a, long b) { return a + b; });
      });
      return before + inner + fib(11);
    });
  });
  CHECK(sum == 55 + 1 + 34 + 89);
  CHECK(p.counters().promotions == 0);
  CHECK(p.run([] { return fib(5); }) == 5);
  CHECK(p.counters().promotions == 7);
}

TEST_CASE("forks older than sequential are still stolen while it runs") {
  tine::pool p{{.workers = 2}};
  for (int i = 0; i < 20; ++i) {
    tine::test::meeting m{true};
    p.run([&] { par([&] { sequential([&] { par([&] { m.first(); }, [] {}); }); }, [&] { m.second(); }); });
  }
  CHECK(p.counters().steals == 20);
}

TEST_CASE("sequential outside every pool uses the default pool's rules") {
  const pid_t origin = gettid();
  CHECK(sequential([&] { return stays_at(origin, 12); }));
}

TEST_CASE("poll is allowed anywhere") {
  tine::poll();
  tine::pool p{{.workers = 2}};
  p.run([] {
    for (int i = 0; i < 1000; ++i) tine::poll();
    sequential([] { tine::poll(); });
  });
  tine::poll();
  CHECK(p.counters().promotions == 0);
}

TEST_CASE("a branch that polls gives its pending forks away without being interrupted") {
  tine::pool p{{.workers = 2, .interrupt = false}};
  for (int i = 0; i < 20; ++i) {
    tine::test::meeting m{true};
    p.run([&] { par([&] { m.first(); }, [&] { m.second(); }); });
  }
  const tine::counters done = p.counters();
  CHECK(done.steals == 20);
  CHECK(done.signals == 0);
}
