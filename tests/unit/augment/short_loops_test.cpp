// Short loops on strands that only count them: the rates of kinds of loops, and the spans of programs with known
// shapes. A preemption that no clock shows may lengthen any single run. Therefore the tests take the best of several
// runs.
#include <tine/augment.hpp>
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>

namespace {

using tine::base::ticks;
using tine::detail::learned_loop;

constexpr std::uint64_t fractions = tine::sched::short_loops::fractions;

void wait(ticks t) {
  const ticks until = tine::base::now() + t;
  while (tine::base::now() < until) {
  }
}

/// Returns the rate of a kind of loop in ticks per iteration.
double rate_of(const learned_loop& l) {
  return static_cast<double>(l.rate.load(tine::base::relaxed)) / static_cast<double>(fractions);
}

/// A kind of loop that has learned that it is short. Its iterations wait for `each` ticks.
class short_loop {
 public:
  short_loop() { run(1'000'000, 0); }
  void operator()(ticks each) const { run(8, each); }

 private:
  static void run(int n, ticks each) {
    tine::par_for(0, n, [each](int) {
      if (each != 0) wait(each);
    });
  }
};

constexpr int runs = 5;

/// The least and the greatest upper end of the parallelism in several runs of `f`.
struct highest {
  double least = 1e9, greatest = 0;
  template <class F>
  explicit highest(F f) {
    for (int i = 0; i != runs; ++i) {
      const auto v = tine::augment<tine::work_span>(f);
      CHECK(v.span_low() <= v.span_high());
      least = std::min(least, v.parallelism_high());
      greatest = std::max(greatest, v.parallelism_high());
    }
  }
};

}  // namespace

TEST_CASE("the rate of a kind of loop is the time of its loops over their iterations") {
  learned_loop l;
  l.add_timed(1'000'000, 8);  // the first loop, with cold caches
  for (int i = 0; i != 3; ++i) {
    l.add_timed(80, 8);
    CHECK(rate_of(l) == 0);
  }
  l.add_timed(80, 8);
  CHECK(rate_of(l) == doctest::Approx(10).epsilon(0.01));
  for (int i = 0; i != 100; ++i) l.add_timed(i % 2 == 0 ? 20 : 1'000, i % 2 == 0 ? 2 : 100);
  CHECK(rate_of(l) == doctest::Approx(10).epsilon(0.01));
}

TEST_CASE("the rate of a kind of loop rises and falls with it") {
  learned_loop l;
  for (int i = 0; i != 100; ++i) l.add_timed(16, 8);
  CHECK(rate_of(l) == doctest::Approx(2).epsilon(0.01));
  for (int i = 0; i != 48; ++i) l.add_timed(8'000, 8);
  CHECK(rate_of(l) == doctest::Approx(1'000).epsilon(0.01));
  for (int i = 0; i != 100; ++i) l.add_timed(16, 8);
  CHECK(rate_of(l) == doctest::Approx(2).epsilon(0.01));
}

TEST_CASE("an iteration that takes no time has a rate, and one that takes too much has none") {
  learned_loop l;
  for (int i = 0; i != 10; ++i) l.add_timed(0, 1'000);
  CHECK(l.rate.load(tine::base::relaxed) == 1);
  for (int i = 0; i != 10; ++i) l.add_timed(1'000'000'000, 2);
  CHECK(l.rate.load(tine::base::relaxed) == 0);
}

TEST_CASE("serial sections that are much longer than the short loops between them are on the span") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    const short_loop loop;
    const highest h{[&] {
      for (int i = 0; i != 1'000; ++i) {
        wait(8'000);
        loop(0);
      }
    }};
    CHECK(h.least < 1.5);  // would be 8 if all of the strand's time were shared
  });
}

TEST_CASE("short loops with nothing beside them may have run as fast as their iterations allow") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    const short_loop loop;
    const highest h{[&] {
      for (int i = 0; i != 1'000; ++i) loop(1'000);
    }};
    CHECK(h.greatest > 6);
    CHECK(h.greatest < 8.1);
  });
}

TEST_CASE("short loops that are timed are counted as the others are") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    const short_loop loop;
    const auto v = tine::augment<tine::work_span>([&] {
      for (int i = 0; i != 10'000; ++i) loop(0);
    });
    CHECK(v.loops == 10'000);
    CHECK(v.iterations == 80'000);
  });
}
