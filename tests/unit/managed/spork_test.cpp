// spork: each of its ways out, its exceptions, and loops built from it.
#include <tine/tine.hpp>

#include "unit/ways.hpp"

#include <tine/base/ticks.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

using tine::spork;
using tine::token_sharing;
using tine::test::in_every_way;
using tine::test::meeting;

TEST_CASE("each way out is taken where it should be") {
  std::string taken;
  in_every_way([&](meeting& m) {
    bool spawned = false;
    taken = spork(
        m.first([&] { return 1; }),
        [&] {
          spawned = true;
          m.second();
          return 2;
        },
        [](int a) { return "unpromoted " + std::to_string(a); },
        [](int a, int b) { return "promoted " + std::to_string(a) + std::to_string(b); },
        [](int a) { return "unstolen " + std::to_string(a); });
    CHECK(spawned == taken.starts_with("promoted"));
    if (m.is_wanted()) CHECK(taken == "promoted 12");
  });
  tine::pool one{{.workers = 1}}, eager{{.workers = 1, .promote = tine::promotion::eager()}};
  const auto ways = [] {
    return spork([] {}, [] {}, [](tine::void_result) { return 0; },
                 [](tine::void_result, tine::void_result) { return 1; }, [](tine::void_result) { return 2; });
  };
  CHECK(one.run(ways) == 0);
  CHECK(eager.run(ways) == 2);
}

TEST_CASE("ways out that return nothing") {
  in_every_way([](meeting& m) {
    int sum = 0;
    spork(
        m.first([&] { return 1; }), m.second([&] { return 2; }), [&](int a) { sum = a + 2; },
        [&](int a, int b) { sum = a + b; }, [&](int a) { sum = a + 2; });
    CHECK(sum == 3);
  });
}

TEST_CASE("results that can only be moved") {
  in_every_way([](meeting& m) {
    const auto five = spork(
        m.first([&] { return std::make_unique<int>(2); }), m.second([&] { return std::make_unique<int>(3); }),
        [](std::unique_ptr<int> a) { return *a + 3; },
        [](std::unique_ptr<int> a, std::unique_ptr<int> b) { return *a + *b; },
        [](std::unique_ptr<int> a) { return *a + 3; });
    CHECK(five == 5);
  });
}

TEST_CASE("an exception of the body wins, one of the spawn comes instead of promoted") {
  in_every_way([](meeting& m) {
    const auto text = [&](bool body_throws) -> std::string {
      m.again();  // before a thief can begin with the spawn
      try {
        return spork(
            m.first([&]() -> int {
              if (body_throws) throw std::runtime_error{"body"};
              return 1;
            }),
            m.second([&]() -> int { throw std::runtime_error{"spawn"}; }),
            [](int) { return std::string{"unpromoted"}; }, [](int, int) { return std::string{"promoted"}; },
            [](int) { return std::string{"unstolen"}; });
      } catch (const std::runtime_error& e) {
        return e.what();
      }
    };
    CHECK(text(true) == "body");
    const std::string other = text(false);
    CHECK(other != "promoted");
    if (m.is_wanted()) CHECK(other == "spawn");
  });
}

/// The paper's reduction: runs one iteration, and offers all following iterations to an idle worker.
long sum_by_sporks(long from, long to) {
  long sum = 0;
  while (from < to) {
    const long i = from++;
    bool finished = false;
    sum = spork<token_sharing::all>([&] { return sum + i; }, [=] { return sum_by_sporks(i + 1, to); },
                                    [](long s) { return s; },
                                    [&](long s, long rest) {
                                      finished = true;
                                      return s + rest;
                                    },
                                    [](long s) { return s; });
    if (finished) break;
  }
  return sum;
}

TEST_CASE("a loop out of sporks, in every policy") {
  for (const auto policy :
       {tine::promotion::on_demand(), tine::promotion::heartbeat(20, 10), tine::promotion::eager()}) {
    for (const unsigned workers : {1U, 2U, 4U}) {
      tine::pool p{{.workers = workers, .promote = policy}};
      CHECK(p.run([] { return sum_by_sporks(0, 20'000); }) == 20'000L * 19'999 / 2);
    }
  }
}

}  // namespace
