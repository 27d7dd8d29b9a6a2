// Regions: the vertices of managed code have the values computed by hand, in every way that a fork can go.
#include "unit/augment/tally.hpp"
#include "unit/ways.hpp"

#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace tine::test;
using tine::augment;
using tine::augment_into;
using tine::current_vertex;
using tine::par;
using tine::par_for;
using tine::par_reduce;

void spend(long units) { tine::test::spend<tally, loop_tally>(units); }

struct oops {};

/// A type of the program's own that asks the runtime to only count short loops.
struct short_or_reported : tine::sched::short_loops {
  static constexpr bool only_counts_short_loops = true;
  std::uint64_t told = 0;  ///< iterations of loops that are not short

  void join(short_or_reported& left, short_or_reported& right, short_or_reported& after) {
    after.told = told + left.told + right.told;
    after.begun = begun + left.begun + right.begun;
    after.short_loops::iterations = iterations + left.iterations + right.iterations;
  }
  void loop(short_or_reported&, std::uint64_t) const {}
  void chunk(std::uint64_t n, tine::base::ticks) { told += n; }
  void append(short_or_reported& next) { told += next.told; }
  void join_loop(short_or_reported& subrange) { told += subrange.told; }
};

TEST_CASE("outside a region there is no vertex, and nothing is followed") {
  CHECK(current_vertex<tally>() == nullptr);
  par([] { CHECK(current_vertex<tally>() == nullptr); }, [] { CHECK(current_vertex<tally>() == nullptr); });
}

TEST_CASE("work before, in and after a fork") {
  in_every_way([](meeting& m) {
    const tally v = augment<tally>([&] {
      spend(1);
      par(
          [&] {
            spend(10);
            m.first();
            spend(10);
          },
          m.second([&] { spend(100); }));
      spend(1000);
    });
    CHECK(v == tally{1121, 1101, 1});
  });
}

TEST_CASE("the work after the last join counts, also if it is the caller's combine") {
  in_every_way([](meeting& m) {
    const tally v = augment<tally>([&] {
      par([&] { return m.first(), 1; }, [&] { return m.second(), 2; },
          [](int a, int b) {
            spend(7);
            return a + b;
          });
    });
    CHECK(v == tally{7, 7, 1});
  });
}

long fib(int n) {
  spend(1);
  if (n < 2) return n;
  return par([n] { return fib(n - 1); }, [n] { return fib(n - 2); }, [](long a, long b) { return a + b; });
}

/// Returns the number of calls in fib(n). Half of them, rounded down, fork.
long calls(int n) { return n < 2 ? 1 : 1 + calls(n - 1) + calls(n - 2); }

TEST_CASE("a region continues from a given vertex") {
  tally v{100, 100, 5};
  augment_into([] { par([] { spend(1); }, [] { spend(2); }); }, v);
  CHECK(v == tally{103, 102, 6});
}

TEST_CASE("regions on several threads are independent") {
  std::vector<std::thread> threads;
  std::vector<tally> found(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] { found[static_cast<std::size_t>(i)] = augment<tally>([i] { fib(10 + i); }); });
  }
  for (auto& t : threads) t.join();
  for (int i = 0; i < 4; ++i) {
    CHECK(found[static_cast<std::size_t>(i)] == tally{calls(10 + i), 10 + i, calls(10 + i) / 2});
  }
}

TEST_CASE("a loop is one node for a type that knows loops, however it is cut") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    for (const auto policy : {tine::promotion::on_demand(), tine::promotion::eager()}) {
      tine::pool p{{.workers = workers, .promote = policy}};
      p.run([] {
        std::string text, serial;
        const loop_tally v = augment<loop_tally>([&] {
          spend(1);
          text = par_reduce(
              0, 300, std::string{},
              [](int i) {
                spend(2);
                if (i % 10 == 0) par([] { spend(5); }, [i] { spend(i); });
                return std::to_string(i) + ",";
              },
              [](std::string a, std::string b) { return std::move(a) + b; });
          spend(1);
        });
        for (int i = 0; i < 300; ++i) serial += std::to_string(i) + ",";
        CHECK(text == serial);
        CHECK(v == loop_tally{.work = 2 + 600 + 150 + 4350, .span = 2 + 2 + 290, .forks = 30, .loops = 1});
      });
    }
  }
}

TEST_CASE("work_span counts loops and iterations, and its span interval is one") {
  for (const unsigned workers : {1U, 2U}) {
    tine::pool p{{.workers = workers}};
    p.run([] {
      std::vector<double> x(100'000);
      const auto v = augment<tine::work_span>([&] { par_for(x, [](double& y) { y += 1; }); });
      CHECK(v.loops == 1);
      CHECK(v.iterations == 100'000);
      CHECK(v.forks == 0);
      CHECK(v.span_low() <= v.span_high());
      CHECK(v.span_high() <= v.burdened_span());
      CHECK(v.span_high() <= v.work);
      CHECK(v.stolen <= v.promoted);
    });
  }
}

TEST_CASE("work_span only counts a loop that ends before a thief could help") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    std::vector<int> x(1'000'000);
    int forking = 0, throwing = -1;
    const auto loop = [&](std::size_t n) {
      par_for(std::size_t{0}, n, [&, at = x.data()](std::size_t i) {
        if (forking != 0) par([&] { ++at[i]; }, [&] { ++at[i]; });
        if (static_cast<int>(i) == throwing) throw oops{};
        ++at[i];
      });
    };
    loop(x.size());  // the runtime learns how short the iterations are

    const auto plain = augment<tine::work_span>([&] { loop(8); });
    CHECK(plain.loops == 1);
    CHECK(plain.iterations == 8);
    CHECK(plain.span_low() >= plain.work >> 3);
    CHECK(plain.span_high() == plain.work);

    forking = 1;
    const auto forks = augment<tine::work_span>([&] { loop(8); });
    CHECK(forks.loops == 1);
    CHECK(forks.forks == 8);
    CHECK(forks.span_low() <= forks.span_high() >> 3);
    forking = 0;

    const auto thrown = augment<tine::work_span>([&] {
      throwing = 5;
      CHECK_THROWS_AS(loop(8), oops);
      throwing = -1;
      loop(8);
    });
    CHECK(thrown.loops == 2);
    CHECK(thrown.iterations == 16);
    CHECK(x[0] == 5 + 2);

    const loop_tally told = augment<loop_tally>([&] { loop(8); });
    CHECK(told.loops == 1);
  });
}

TEST_CASE("a loop that an exception leaves counts with all of its iterations, on any number of workers") {
  for (const unsigned workers : {1U, 4U}) {
    tine::pool p{{.workers = workers, .promote = tine::promotion::eager()}};
    p.run([] {
      for (const std::size_t thrower : {0U, 1U, 3U, 99U}) {
        CAPTURE(thrower);
        const std::size_t n = thrower < 4 ? 4 : 100;
        const auto loop = [&] {
          const auto body = [&](std::size_t i) {
            spend(1);
            if (i == thrower) throw oops{};
          };
          CHECK_THROWS_AS(par_for(std::size_t{0}, n, body), oops);
        };
        const auto alone = augment<tine::work_span>(loop);
        CHECK(alone.loops == 1);
        CHECK(alone.iterations == n);
        loop_tally seen;  // with a vertex that sees forks the loop runs as a tree
        tally forks;
        tine::work_span beside;
        augment_into(loop, seen, forks, beside);
        CHECK(beside.loops == 1);
        CHECK(beside.iterations == n);
      }
    });
  }
}

TEST_CASE(
    "short loops are counted for any type that requests it, and reported as events if two analyses follow a strand") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    std::vector<int> x(1'000'000);
    const auto loop = [&](std::size_t n) { par_for(std::size_t{0}, n, [at = x.data()](std::size_t i) { ++at[i]; }); };
    loop(x.size());  // the runtime learns how short the iterations are

    const auto alone = augment<short_or_reported>([&] { par([&] { loop(8); }, [&] { loop(5), loop(7); }); });
    CHECK(alone.begun == 3);
    CHECK(alone.iterations == 20);
    CHECK(alone.told == 0);

    short_or_reported first;
    tine::work_span second;
    augment_into([&] { loop(8); }, first, second);
    CHECK(first.begun == 0);
    CHECK(first.told == 8);
  });
}

TEST_CASE("sequential code in a region is followed, and stays sequential") {
  tine::pool p{{.workers = 2, .promote = tine::promotion::eager()}};
  p.run([] {
    const tally v = augment<tally>([] {
      tine::sequential([] {
        const auto me = std::this_thread::get_id();
        for (int i = 0; i < 100; ++i) {
          const auto here = [me] {
            CHECK(std::this_thread::get_id() == me);
            spend(1);
          };
          par(here, here);
        }
      });
    });
    CHECK(v == tally{200, 100, 100});
  });
  CHECK(p.counters().promotions == 0);
}

TEST_CASE("forks begun before a region may be stolen while it lasts") {
  tine::pool p{{.workers = 2, .promote = tine::promotion::eager()}};
  p.run([] {
    std::atomic<bool> begun{false};
    par(
        [&] {
          augment<tally>([&] {
            while (!begun.load()) tine::poll();
          });
        },
        [&] {
          CHECK(current_vertex<tally>() == nullptr);
          begun.store(true);
        });
  });
}

TEST_CASE("spork is a fork of its body and of the function that runs for its spawn") {
  in_every_way([](meeting& m) {
    long sum = 0;
    const tally v = augment<tally>([&] {
      sum = tine::spork([&] { return m.first(), spend(10), 1L; }, [&] { return m.second(), spend(100), 2L; },
                        [](long a) { return spend(100), a + 2; }, [](long a, long b) { return a + b; },
                        [](long a) { return spend(100), a + 2; });
    });
    CHECK(sum == 3);
    CHECK(v == tally{110, 100, 1});
  });
}

}  // namespace
