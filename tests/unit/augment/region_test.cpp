// Regions: the vertices of managed code have the values computed by hand, in every way that a fork can go.
#include "unit/augment/tally.hpp"
#include "unit/ways.hpp"

#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
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

TEST_CASE("a region without a fork has its own work") {
  CHECK(augment<tally>([] { spend(3); }) == tally{3, 3, 0});
  CHECK(augment<tally>([] { tine::run([] { spend(3); }); }) == tally{3, 3, 0});
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

TEST_CASE("a recursion's vertices add up") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    for (const auto policy : {tine::promotion::on_demand(), tine::promotion::eager()}) {
      tine::pool p{{.workers = workers, .promote = policy}};
      const tally v = p.run([] { return augment<tally>([] { CHECK(fib(15) == 610); }); });
      CHECK(v == tally{calls(15), 15, calls(15) / 2});
    }
  }
}

TEST_CASE("many branches are a chain of forks") {
  const tally v = augment<tally>([] { par([] { spend(1); }, [] { spend(2); }, [] { spend(3); }, [] { spend(4); }); });
  CHECK(v == tally{10, 4, 3});
}

TEST_CASE("a throw in the left branch joins once, and the right branch counts if it ran") {
  in_every_way([](meeting& m) {
    tally v;
    CHECK_THROWS_AS(augment_into(
                        [&] {
                          spend(1);
                          par(
                              [&] {
                                spend(10);
                                m.first();
                                throw oops{};
                              },
                              m.second([&] { spend(100); }));
                        },
                        v),
                    oops);
    CHECK(v.forks == 1);
    // with two workers the right branch may run although it need not
    const bool ran = m.is_wanted() || v.work > 11;
    CHECK(v.work == (ran ? 111 : 11));
    CHECK(v.span == (ran ? 101 : 11));
  });
}

TEST_CASE("a throw in the right branch joins once") {
  in_every_way([](meeting& m) {
    tally v;
    CHECK_THROWS_AS(augment_into(
                        [&] {
                          par([&] { m.first(), spend(10); }, m.second([&] {
                            spend(100);
                            throw oops{};
                          }));
                        },
                        v),
                    oops);
    CHECK(v == tally{110, 100, 1});
  });
}

TEST_CASE("nested regions: the outer one includes the inner one") {
  in_every_way([](meeting& m) {
    tally inner;
    const tally outer = augment<tally>([&] {
      spend(1);
      inner = augment<tally>([&] {
        CHECK(current_vertex<tally>() != nullptr);
        par([&] { m.first(); }, [&] { m.second(); });
      });
      spend(1);
    });
    CHECK(inner.forks == 1);
    CHECK(outer.forks == 1);
    CHECK(outer.work == 2);
  });
}

TEST_CASE("several analyses follow together, and each finds its own vertex") {
  in_every_way([](meeting& m) {
    tally a;
    loop_tally b;
    tine::work_span c;
    augment_into(
        [&] {
          spend(5);
          par([&] { m.first(), spend(1); }, [&] { m.second(), spend(2); });
        },
        a, b, c);
    CHECK(a == tally{8, 7, 1});
    CHECK(b.work == 8);
    CHECK(b.span == 7);
    CHECK(c.forks == 1);
    CHECK(c.work >= c.span_high());
  });
}

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

TEST_CASE("a type that says nothing of loops sees a balanced tree of forks") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    tine::pool p{{.workers = workers, .promote = tine::promotion::eager()}};
    p.run([] {
      const tally v = augment<tally>([] { par_for(0, 1000, [](int i) { spend(i % 7); }); });
      long work = 0;
      for (int i = 0; i < 1000; ++i) work += i % 7;
      CHECK(v == tally{work, 6, 999});
    });
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

TEST_CASE("loops in loops, and loops that throw") {
  tine::pool p{{.workers = 2, .promote = tine::promotion::eager()}};
  p.run([] {
    const loop_tally v = augment<loop_tally>(
        [] { par_for(0, 20, [](int i) { par_for(0, 10, [i](int j) { spend(i == 3 && j == 4 ? 100 : 1); }); }); });
    CHECK(v == loop_tally{.work = 299, .span = 100, .loops = 21});

    loop_tally thrown;
    CHECK_THROWS_AS(augment_into(
                        [] {
                          par_for(0, 1000, [](int i) {
                            spend(1);
                            if (i == 500) throw oops{};
                          });
                        },
                        thrown),
                    oops);
    CHECK(thrown.loops == 1);
    CHECK(thrown.work >= 501);
    CHECK(thrown.work <= 1000);
    CHECK(thrown.span == 1);
  });
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
    CHECK(thrown.iterations == 8);
    CHECK(x[0] == 5 + 2);

    const loop_tally told = augment<loop_tally>([&] { loop(8); });
    CHECK(told.loops == 1);
  });
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

TEST_CASE("a nest 10^4 deep") {
  struct nest {
    static void left(int depth) {
      spend(1);
      if (depth > 0) par([depth] { left(depth - 1); }, [] { spend(1); });
    }
    static void right(int depth) {
      spend(1);
      if (depth > 0) par([] { spend(1); }, [depth] { right(depth - 1); });
    }
  };
  for (const auto policy : {tine::promotion::on_demand(), tine::promotion::eager()}) {
    tine::options o{.workers = 2, .promote = policy};
    if (TINE_ASAN) o.stack_bytes = std::size_t{16} << 20;  // AddressSanitizer's frames are larger
    tine::pool p{o};
    p.run([] {
      const tally expected{20'001, 10'001, 10'000};
      CHECK(augment<tally>([] { nest::left(10'000); }) == expected);
      CHECK(augment<tally>([] { nest::right(10'000); }) == expected);
    });
  }
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
