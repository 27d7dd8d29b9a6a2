// tine::isolate: strands fork in parallel, and while one waits its thread runs nothing else.
#include <tine/augment.hpp>
#include <tine/coro.hpp>
#include <tine/replay.hpp>
#include <tine/stop.hpp>
#include <tine/sync.hpp>
#include <tine/tine.hpp>

#include "unit/fib.hpp"
#include "unit/ways.hpp"

#include <unistd.h>
#include <atomic>
#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <type_traits>

namespace {

using tine::isolate;
using tine::par;
using tine::par_for;
using tine::test::fib;

/// The number of functions with `guarded` that the calling thread is inside of.
[[gnu::noinline]] int& open_here() {
  static thread_local int open;
  asm volatile("" ::: "memory");
  return open;
}

/// Counts of what guarded code found out about its thread.
struct findings {
  std::atomic<long> nested{0}, moved{0};

  /// Runs `f` as code that must have the thread to itself.
  template <class F>
  void guarded(F f) {
    const pid_t here = gettid();
    if (open_here()++ != 0) nested.fetch_add(1);
    f();
    if (gettid() != here) moved.fetch_add(1);
    --open_here();
  }
  bool is_clean() const { return nested == 0 && moved == 0; }
};

void spin(int turns) {
  for (int i = 0; i < turns; ++i) {
    tine::base::pause();
    if (i % 64 == 0) tine::poll();
  }
}

/// Forks so that the second branch is likely to run elsewhere, and for longer than the first one.
void uneven_fork() {
  par([] { spin(400); },
      [] {
        spin(1500);
        par_for(0, 4, [](int) { spin(100); });
      });
}

}  // namespace

TEST_CASE("isolate returns the result of its function") {
  const auto check = [] {
    int x = 1;
    decltype(auto) r = isolate([&]() -> int& { return x; });
    static_assert(std::is_same_v<decltype(r), int&>);
    CHECK(&r == &x);
    CHECK(*isolate([] { return std::make_unique<int>(2); }) == 2);
    isolate([&] { x = 3; });
    CHECK(x == 3);
    CHECK(isolate([] { return fib(15); }) == 610);
    CHECK(isolate([] { return tine::par_reduce(0, 1000, 0L, [](int i) { return long{i}; }, std::plus<>{}); }) ==
          499'500);
  };
  check();  // outside every pool
  for (const unsigned workers : {1U, 2U, 8U}) tine::pool{{.workers = workers}}.run(check);
}

namespace another {

struct seven {
  int operator()() const { return 7; }
};
/// Functions that argument-dependent lookup finds beside those of tine.
template <class F>
[[maybe_unused]] void isolate(F&&) {}
template <class F>
[[maybe_unused]] void sequential(F&&) {}

}  // namespace another

TEST_CASE("the namespace of the function may have functions of the same names") {
  CHECK(tine::isolate(another::seven{}) == 7);
}

TEST_CASE("forks inside isolate run in parallel, and their branches are isolated, too") {
  tine::pool p{{.workers = 2}};
  for (int i = 0; i < 50; ++i) {
    tine::test::meeting m{true};
    p.run([&] {
      CHECK_FALSE(tine::is_isolated());
      isolate([&] {
        CHECK(tine::is_isolated());
        par([&] { m.first(); },
            [&] {
              m.second();
              CHECK(tine::is_isolated());
              isolate([] { CHECK(tine::is_isolated()); });
              CHECK(tine::is_isolated());
            });
      });
      CHECK_FALSE(tine::is_isolated());
      par([] { CHECK_FALSE(tine::is_isolated()); }, [] { CHECK_FALSE(tine::is_isolated()); });
    });
  }
  CHECK(p.counters().steals >= 50);
  CHECK_FALSE(tine::is_isolated());
}

TEST_CASE("a thread that waits inside isolate leaves other work pending, under every policy") {
  for (const auto resume :
       {tine::resume_policy::same_thread, tine::resume_policy::origin, tine::resume_policy::finisher}) {
    tine::pool p{{.workers = 2, .resume = resume}};
    for (int i = 0; i < 10; ++i) {
      tine::test::meeting m{true};
      std::atomic<bool> is_taken{false};
      p.run([&] {
        isolate([&] {
          const pid_t waits = gettid();
          par([&] { m.first(); },
              [&] {  // on the other worker, with a pending branch that this one could take
                m.second();
                par(
                    [&] {
                      for (int k = 0; k < 100 && !is_taken; ++k) spin(1000);
                    },
                    [&] { is_taken = gettid() == waits; });
              });
          CHECK(gettid() == waits);
        });
      });
      CHECK_FALSE(is_taken);
    }
  }
}

TEST_CASE("a thread that waits inside isolate runs nothing else, under every policy") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    for (const auto resume :
         {tine::resume_policy::same_thread, tine::resume_policy::origin, tine::resume_policy::finisher}) {
      CAPTURE(workers);
      tine::pool p{
          {.workers = workers, .resume = resume, .promote = tine::promotion::eager(), .pin = tine::affinity::none}};
      findings found;
      p.run([&] {
        par_for(0, 300, [&](int) {
          found.guarded([&] {
            isolate([&] {
              uneven_fork();
              par_for(0, 6, [](int) { spin(200); });
            });
          });
        });
      });
      CHECK(found.is_clean());
    }
  }
}

TEST_CASE("a branch of isolate that runs elsewhere keeps that thread to itself, too") {
  tine::pool p{{.workers = 8, .promote = tine::promotion::eager(), .pin = tine::affinity::none}};
  findings found;
  p.run([&] {
    par_for(0, 100, [&](int) {
      isolate(
          [&] { par([&] { found.guarded([&] { uneven_fork(); }); }, [&] { found.guarded([&] { uneven_fork(); }); }); });
    });
  });
  CHECK(found.is_clean());
}

TEST_CASE("code holds native locks over forks, and every thread gets them") {
  for (const unsigned workers : {2U, 8U}) {
    tine::pool p{{.workers = workers, .promote = tine::promotion::eager(), .pin = tine::affinity::none}};
    std::mutex locks[3];
    std::atomic<long> sum{0};
    p.run([&] {
      par_for(0, 600, [&](int i) {
        if (i % 2 == 0) return spin(500);  // workers that look for work while others hold locks
        const std::lock_guard held{locks[i % 3]};
        isolate([&] { par_for(0, 8, [&](int k) { spin(50), sum += k; }); });
      });
    });
    CHECK(sum == 300 * 28);
  }
}

TEST_CASE("exceptions leave isolate, and forks after it suspend again") {
  tine::test::in_every_way([](tine::test::meeting& m) {
    std::string caught;
    try {
      isolate([&] {
        m.again();
        par(
            [&]() -> int {
              m.first();
              throw std::runtime_error{"first"};
            },
            [&] {
              m.second();
              throw std::logic_error{"second"};
            });
      });
    } catch (const std::exception& e) {
      caught = e.what();
    }
    CHECK(caught == "first");
    CHECK_FALSE(tine::is_isolated());
    CHECK(fib(10) == 55);
  });
}

TEST_CASE("a stop reaches the code inside") {
  tine::pool p{{.workers = 2}};
  std::stop_source source;
  int after = 0;
  CHECK_THROWS_AS(p.run([&] {
    tine::run_stoppable(source.get_token(), [&] {
      isolate([&] {
        source.request_stop();
        par([] {}, [] {});
        ++after;
      });
    });
  }),
                  tine::stopped);
  CHECK(after == 0);
  std::string caught;
  tine::test::meeting m{true};
  try {
    p.run([&] {
      isolate([&] {
        par(
            [&]() -> int {
              m.first();
              throw std::runtime_error{"first"};
            },
            [&] {
              m.second();
              for (;;) fib(5);  // until it is stopped
            });
      });
    });
  } catch (const std::runtime_error& e) {
    caught = e.what();
  }
  CHECK(caught == "first");
}

TEST_CASE("waits for locks and groups block the thread") {
  tine::pool p{{.workers = 4, .promote = tine::promotion::eager(), .pin = tine::affinity::none}};
  findings found;
  tine::mutex lock;
  std::atomic<int> sum{0};
  p.run([&] {
    par_for(0, 200, [&](int) {
      found.guarded([&] {
        isolate([&] {
          {
            const std::lock_guard held{lock};
            spin(100);
          }
          tine::task_group g;
          for (int k = 0; k < 4; ++k) {
            g.run([&] {
              spin(200);
              ++sum;
            });
          }
          g.wait();
        });
      });
    });
  });
  CHECK(sum == 800);
  CHECK(found.is_clean());
}

TEST_CASE("a call of run of another pool is isolated, too") {
  tine::pool outer{{.workers = 4, .promote = tine::promotion::eager(), .pin = tine::affinity::none}};
  tine::pool inner{{.workers = 4, .promote = tine::promotion::eager(), .pin = tine::affinity::none}};
  findings found;
  outer.run([&] {
    par_for(0, 60, [&](int) {
      found.guarded([&] {
        isolate([&] {
          inner.run([&] {
            CHECK(tine::is_isolated());
            uneven_fork();
          });
        });
      });
    });
  });
  CHECK(found.is_clean());
}

TEST_CASE("a task inside isolate is refused, and one around it is not") {
  tine::pool p{{.workers = 2}};
  const auto one = []() -> tine::task<int> { co_return 1; };
  p.run([&] {
    isolate([&] {
      CHECK_THROWS_WITH_AS(tine::run(one), doctest::Contains("tine: a tine::task is run inside tine::isolate"),
                           std::logic_error);
      CHECK(fib(10) == 55);
    });
    CHECK(tine::run(one) == 1);
  });
  const auto around = [&]() -> tine::task<long> {
    const long inside = isolate([] { return fib(15); });
    co_return inside + co_await tine::call(one);
  };
  CHECK(p.run(around) == 611);
}

TEST_CASE("analyses see the graph that they would see without isolate") {
  const auto work = [] { return fib(12) + tine::par_reduce(0, 500, 0L, [](int i) { return long{i}; }, std::plus<>{}); };
  for (const unsigned workers : {1U, 2U, 8U}) {
    tine::pool p{{.workers = workers, .promote = tine::promotion::eager(), .pin = tine::affinity::none}};
    p.run([&] {
      const auto plain = tine::augment<tine::work_span>(work);
      long value = 0;
      const auto isolated = tine::augment<tine::work_span>([&] { value = isolate(work); });
      CHECK(value == 144 + 124'750);
      CHECK(isolated.forks == plain.forks);
      CHECK(isolated.loops == plain.loops);
      CHECK(isolated.iterations == plain.iterations);
      if (workers == 8) CHECK(isolated.promoted > 0);
    });
  }
}

TEST_CASE("recorded and replayed, isolate is sequential, and the replay does not diverge") {
  tine::pool p{{.workers = 4, .promote = tine::promotion::eager(), .pin = tine::affinity::none}};
  std::atomic<int> right{0};
  const auto work = [&] {
    const long sum = par([] { return isolate([] { return tine::is_sequential() ? fib(14) : -1; }); },
                         [] { return fib(14); }, [](long a, long b) { return a + b; });
    if (sum == 754) ++right;
  };
  p.run([&] {
    CHECK_FALSE(isolate([] { return tine::is_sequential(); }));
    const tine::schedule recorded = tine::record(work);
    for (const auto how :
         {tine::replay_mode::strict_ordered, tine::replay_mode::strict_unordered, tine::replay_mode::relaxed}) {
      for (int i = 0; i < 5; ++i) CHECK(tine::replay(recorded, how, work).diverged == 0);
    }
    CHECK(right == 16);
    long inside = 0;
    isolate([&] {
      const tine::schedule of_fib = tine::record([&] { inside += fib(12); });
      tine::replay(of_fib, tine::replay_mode::strict_ordered, [&] { inside += fib(12); });
    });
    CHECK(inside == 2 * 144);
  });
}
