// par_for: the iterations that run, their order on one worker, their threads on several workers, and the ranges that it
// accepts.
#include <tine/tine.hpp>

#include "unit/ways.hpp"

#include <tine/base/ticks.hpp>

#include <pthread.h>
#include <sched.h>
#include <atomic>
#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using tine::par_for;
using tine::pool;
using tine::promotion;

std::vector<tine::options> every_pool() {
  std::vector<tine::options> all;
  for (const unsigned workers : {1U, 2U, 5U}) {
    for (const auto policy : {promotion::on_demand(), promotion::heartbeat(50, 4), promotion::eager()}) {
      all.push_back({.workers = workers, .promote = policy});
    }
  }
  return all;
}

/// Runs `body` in every kind of pool, and outside all of them.
template <class Body>
void everywhere(Body body) {
  for (const tine::options& o : every_pool()) {
    CAPTURE(o.workers);
    CAPTURE(static_cast<int>(o.promote.which()));
    pool p{o};
    p.run(body);
  }
  body();
}

/// Counts how often each of `n` iterations ran.
class tally {
 public:
  explicit tally(std::size_t n) : counts_(n) {}
  void visit(std::size_t i) { counts_[i].fetch_add(1, std::memory_order_relaxed); }
  bool all_once() const {
    for (const auto& c : counts_) {
      if (c.load(std::memory_order_relaxed) != 1) return false;
    }
    return true;
  }

 private:
  std::vector<std::atomic<int>> counts_;
};

void spin_for(tine::base::ticks span) {
  const tine::base::ticks begun = tine::base::now();
  while (tine::base::now() - begun < span) {
  }
}

TEST_CASE("every iteration runs once") {
  everywhere([] {
    for (const int n : {0, 1, 2, 3, 7, 64, 1000, 30'000}) {
      tally seen{static_cast<std::size_t>(n)};
      par_for(0, n, [&](int i) { seen.visit(static_cast<std::size_t>(i)); });
      CHECK(seen.all_once());
    }
  });
}

TEST_CASE("an empty loop calls nothing") {
  int calls = 0;
  par_for(5, 5, [&](int) { ++calls; });
  par_for(5, -5, [&](int) { ++calls; });
  par_for(std::uint64_t{7}, std::uint64_t{3}, [&](std::uint64_t) { ++calls; });
  par_for(std::vector<int>{}, [&](int) { ++calls; });
  CHECK(calls == 0);
}

TEST_CASE("on one worker the order is the serial one, however often subranges are promoted and reclaimed") {
  for (const auto policy : {promotion::on_demand(), promotion::heartbeat(50, 4), promotion::eager()}) {
    pool p{{.workers = 1, .promote = policy}};
    std::vector<int> order;
    p.run([&] {
      par_for(0, 5000, [&](int i) {
        if (i % 100 == 0) spin_for(30'000);
        order.push_back(i);
      });
    });
    std::vector<int> serial(5000);
    std::iota(serial.begin(), serial.end(), 0);
    CHECK(order == serial);
    CHECK((policy.which() == promotion::kind::on_demand) == (p.counters().promotions == 0));
  }
}

template <class Index>
bool visits_all(Index lo, Index hi) {
  const auto n = static_cast<std::size_t>(static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo));
  tally seen{n};
  par_for(lo, hi, [&](Index i) {
    seen.visit(static_cast<std::size_t>(static_cast<std::uint64_t>(i) - static_cast<std::uint64_t>(lo)));
  });
  return seen.all_once();
}

TEST_CASE("any integer type counts, to its very ends") {
  pool p{{.workers = 2, .promote = promotion::eager()}};
  p.run([] {
    CHECK(visits_all<std::int8_t>(-128, 127));
    CHECK(visits_all<std::uint8_t>(0, 255));
    CHECK(visits_all<std::int16_t>(-32'768, 32'767));
    CHECK(visits_all<char>('a', 'z'));
    CHECK(visits_all<std::int32_t>(std::numeric_limits<std::int32_t>::max() - 1000,
                                   std::numeric_limits<std::int32_t>::max()));
    CHECK(visits_all<std::int64_t>(std::numeric_limits<std::int64_t>::min(),
                                   std::numeric_limits<std::int64_t>::min() + 1000));
    CHECK(visits_all<std::uint64_t>(~std::uint64_t{0} - 1000, ~std::uint64_t{0}));
  });
}

TEST_CASE("two integer types have a common one") {
  std::vector<int> x(100, 1);
  par_for(0, x.size(), [&](auto i) {
    static_assert(std::is_same_v<decltype(i), std::size_t>);
    x[i] = 2;
  });
  CHECK(std::accumulate(x.begin(), x.end(), 0) == 200);
}

TEST_CASE("iterators and ranges: items are references") {
  everywhere([] {
    std::vector<int> x(4000, 1);
    par_for(x.begin(), x.end(), [](int& item) { item += 1; });
    par_for(x, [](int& item) { item *= 3; });
    CHECK(std::accumulate(x.begin(), x.end(), 0L) == 4000 * 6);

    std::deque<std::string> words(300, "a");
    par_for(words, [](std::string& w) { w += 'b'; });
    CHECK(words.front() == "ab");
    CHECK(words.back() == "ab");

    int plain[50] = {};
    par_for(plain, [](int& item) { item = 1; });
    CHECK(std::accumulate(std::begin(plain), std::end(plain), 0) == 50);

    const std::array<int, 3> fixed{1, 2, 3};
    std::atomic<int> sum{0};
    par_for(fixed, [&](const int& item) { sum.fetch_add(item); });
    CHECK(sum.load() == 6);
  });
}

TEST_CASE("bodies that own things are neither copied nor moved into workers") {
  everywhere([] {
    auto owned = std::make_unique<std::vector<int>>(2000, 0);
    std::vector<int>& x = *owned;
    par_for(0, 2000, [mine = std::move(owned)](int i) { (*mine)[static_cast<std::size_t>(i)] = i; });
    static_cast<void>(x);  // the vector ended with the body
    struct pinned {
      std::vector<int> seen = std::vector<int>(2000, 0);
      pinned() = default;
      pinned(const pinned&) = delete;
      pinned(pinned&&) = default;
      void operator()(int i) const { const_cast<int&>(seen[static_cast<std::size_t>(i)]) += 1; }
    };
    par_for(0, 2000, pinned{});
  });
}

/// Runs a loop of two iterations. If `wanted`, the first waits a limited time for the second to begin. Returns true if
/// it did.
bool meet(bool wanted) {
  std::atomic<int> here{0};
  std::atomic<bool> met{false};
  par_for(0, 2, [&](int i) {
    here.fetch_add(1);
    if (i == 1 || !wanted) return;
    for (int patience = 1000; here.load() < 2 && patience > 0; --patience) {
      tine::poll();
      spin_for(10'000);
    }
    met.store(here.load() == 2);
  });
  return met.load();
}

// A loop of two short iterations has no record. When the iterations become long, one loop may be lost because of that.
// More loops, a hundred in a second, are lost if the machine has no processor for the other worker.
TEST_CASE("a loop that was short and becomes long is promoted again") {
  for (const auto idle : {tine::idle_policy::lazy, tine::idle_policy::busy}) {
    pool p{{.workers = 2, .idle = idle}};
    p.run([] {
      for (int i = 0; i < 1000; ++i) meet(false);
      int lost = 0;
      constexpr int too_many = 2000;
      while (lost < too_many && !meet(true)) ++lost;
      MESSAGE("loops lost: ", lost);
      CHECK(lost < too_many);
    });
  }
}

// The test posts a work request before the loop begins. Then not even the first loop with long iterations is lost.
TEST_CASE("a short loop has a record if a work request is pending") {
  pool p{{.workers = 2, .idle = tine::idle_policy::busy}};
  p.run([] {
    int met = 0;
    for (int i = 0; i < 20; ++i) {
      for (int k = 0; k < 100; ++k) meet(false);
      spin_for(1'000'000);  // afterwards the other worker has nothing to do
      tine::sched::post_request(tine::sched::hot::words());
      if (meet(true)) ++met;
    }
    MESSAGE("loops helped: ", met);
    CHECK(met > 5);  // less than 20, because the other worker may not have a processor
  });
}

// The first iteration never looks for requests, so the second begins beside it only if the run began with a request.
TEST_CASE("a run that begins while the other worker sleeps promotes its first loop") {
  pool p{{.workers = 2}};
  int met = 0;
  for (int i = 0; i < 200 && met < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
    p.run([&] {
      std::atomic<bool> is_second_here{false};
      par_for(0, 2, [&](int k) {
        if (k == 1) is_second_here = true;
        for (int patience = 1000; !is_second_here && patience > 0; --patience) spin_for(10'000);
        if (k == 0 && is_second_here) ++met;
      });
    });
  }
  CHECK(met == 5);  // not in the first five runs if the other worker has no processor
}

// A stolen half of 30 us is worth its promotion: were it too short, tokens would become so rare that at most one loop in
// eight gets one. The other worker may lack a processor for most of the rounds, but hardly for all of them.
TEST_CASE("short loops, one after the other, are divided between two workers") {
  pool p{{.workers = 2}};
  const tine::base::ticks half = tine::base::to_ticks(30);
  int divided = 0;
  for (int round = 0; round < 50 && divided < 500; ++round) {
    divided = p.run([half] {
      int loops = 0;
      for (int i = 0; i < 1000; ++i) {
        std::array<pthread_t, 2> by{};
        par_for(0, 2, [&](std::size_t k) {
          by[k] = pthread_self();
          spin_for(half);
        });
        if (pthread_equal(by[0], by[1]) == 0) ++loops;
      }
      return loops;
    });
  }
  MESSAGE("loops divided: ", divided);
  CHECK(divided >= 500);
}

// The iterations take no time, so chunks become long. Then one iteration waits for the last one, which the other worker
// must run.
TEST_CASE("an iteration that waits does not hold up the rest, which is promoted") {
  pool p{{.workers = 2}};
  p.run([] {
    constexpr int n = 1 << 20;
    std::atomic<bool> later{false};
    par_for(0, n, [&](int i) {
      if (i == n - 1) later.store(true);
      while (i == n / 2 - 1 && !later.load()) {
        tine::poll();  // builds with sanitizers do without signals
        sched_yield();
      }
    });
  });
}

TEST_CASE("loops inside tine::sequential stay on their thread") {
  pool p{{.workers = 2, .promote = promotion::eager()}};
  p.run([&] {
    const auto before = p.counters().promotions;
    tine::sequential([] { par_for(0, 10'000, [](int) {}); });
    CHECK(p.counters().promotions == before);
  });
}

// Workers promote at most as often as they have earned tokens: one for each 2 µs of a worker's run time, and thirty
// once.
TEST_CASE("tokens bound the promotions of loops") {
  pool p{{.workers = 4}};
  p.run([] {
    for (int round = 0; round < 50; ++round) par_for(0, 2000, [](int) { spin_for(500); });
  });
  const tine::counters c = p.counters();
  CHECK(static_cast<double>(c.promotions) <= static_cast<double>(c.run_ns) / 2e3 + 4 * 30);
}

TEST_CASE("a loop between a negative bound and an unsigned one is refused before anything runs") {
  const int begin = -1;
  const std::size_t end = 10;
  int runs = 0;
  const auto body = [&](auto) { ++runs; };
  const auto from = [&](auto lo, auto hi) { tine::par_for(lo, hi, body); };
  CHECK_THROWS_AS(from(begin, end), std::invalid_argument);
  CHECK_THROWS_AS(from(0U, begin), std::invalid_argument);
  const auto sum = [](auto lo, auto hi) {
    return tine::par_reduce(lo, hi, 0, [](auto) { return 1; }, [](int a, int b) { return a + b; });
  };
  CHECK_THROWS_AS(sum(begin, end), std::invalid_argument);
  CHECK(runs == 0);
  pool p{{.workers = 1}};
  p.run([&] {
    from(-1, 3);
    from(0, end);
    from(static_cast<short>(-3), static_cast<unsigned char>(2));
  });
  CHECK(runs == 4 + 10 + 5);
}

}  // namespace
