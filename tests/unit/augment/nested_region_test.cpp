// Regions inside regions, and roots beside them: the values of both are exact.
#include "unit/augment/tally.hpp"
#include "unit/ways.hpp"

#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <thread>

namespace {

using namespace tine::test;
using tine::augment;
using tine::augment_into;
using tine::current_vertex;
using tine::par;

void spend(long units) { tine::test::spend<tally, loop_tally>(units); }

struct oops {};

TEST_CASE("a region of another type: both count the forks inside") {
  in_every_way([](meeting& m) {
    loop_tally inner;
    const tally outer = augment<tally>([&] {
      spend(1);
      const auto fork = [&] {
        spend(10);
        par([&] { m.first(), spend(20); }, [&] { m.second(), spend(300); });
        spend(4000);
      };
      augment_into(fork, inner);
      spend(50'000);
    });
    CHECK(inner == loop_tally{.work = 4330, .span = 4310, .forks = 1});
    CHECK(outer == tally{54'331, 54'311, 1});
  });
}

TEST_CASE("work that a strand runs in another pool belongs to the strand") {
  for (const unsigned workers : {1U, 2U}) {
    CAPTURE(workers);
    tine::pool p{{.workers = workers}}, q{{.workers = workers, .promote = tine::promotion::eager()}};
    const auto in_other = [&] {
      q.run([] {
        spend(10);
        par([] { spend(20); }, [] { spend(300); });
        tine::par_for(0, 4, [](int) { spend(1); });
      });
    };
    loop_tally all;
    p.run([&] {
      augment_into(
          [&] {
            spend(1);
            in_other();
            par(in_other, [] { spend(5); });
            CHECK_THROWS_AS(q.run([] { par([] { spend(7); }, [] { throw oops{}; }); }), oops);
            spend(1000);
          },
          all);
    });
    const long once = 10 + 20 + 300 + 4, chain = 10 + 300 + 1;
    CHECK(all ==
          loop_tally{.work = 1 + 2 * once + 5 + 7 + 1000, .span = 1 + 2 * chain + 7 + 1000, .forks = 4, .loops = 2});
  }
}

TEST_CASE("a strand is paused while another thread continues the work that it runs in another pool") {
  tine::pool p{{.workers = 2}}, q{{.workers = 2, .promote = tine::promotion::eager()}};
  alternation turns;
  tine::work_span times;
  p.run([&] {
    augment_into(
        [&] {
          for (int i = 0; i < 50; ++i) {
            q.run([] { tine::par_for(0, 8, [](int) { par([] { spend(1); }, [] { spend(1); }); }); });
          }
        },
        turns, times);
  });
  CHECK(turns.end() == 0);
  CHECK(times.forks == 50 * 8);
  CHECK(times.loops == 50);
}

TEST_CASE("another thread's root in the same pool is not followed, and has regions of its own") {
  tine::pool p{{.workers = 2}};
  tally second;
  const auto second_root = [&] {
    CHECK(current_vertex<tally>() == nullptr);
    par([] { spend(7); }, [] { spend(7); });
    second = augment<tally>([] { par([] { spend(1); }, [] { spend(20); }); });
    CHECK(current_vertex<tally>() == nullptr);
  };
  p.run([&] {
    const tally first = augment<tally>([&] {
      spend(1);
      par([] { spend(2); }, [] { spend(3); });
      std::thread{[&] { p.run(second_root); }}.join();
      spend(100);
    });
    CHECK(first == tally{106, 104, 1});
  });
  CHECK(second == tally{21, 20, 1});
}

}  // namespace
