// Deep recursions that are observed: the native stack that they need, and that the default stack suffices for 10^5
// levels.
#include <tine/augment.hpp>
#include <tine/augment/labels/pedigree.hpp>
#include <tine/augment/random.hpp>
#include <tine/augment/space.hpp>
#include <tine/replay.hpp>
#include <tine/tine.hpp>

#include "unit/descents.hpp"

#include <doctest/doctest.h>

namespace {

using namespace tine::test;
using tine::augment;
using tine::par;

using pedigrees = tine::labels::labelled<tine::labels::pedigree>;

template <class F>
void in_many(F f) {
  tine::work_span work;
  tine::random_stream draws;
  tine::space memory;
  pedigrees labels;
  tine::augment_into([&] { tine::record([&] { tine::augment_into(f, memory, labels); }); }, work, draws);
}

[[gnu::noinline]] long in_turns(long n) {
  if (n == 0) return ground();
  if (n % 3 == 0) return par([n] { return in_turns(n - 1); }, [] { return 1L; }, sum);
  if (n % 3 == 1) return par([] { return 1L; }, [n] { return in_turns(n - 1); }, sum);
  return n % 300 == 2 ? tine::run([](long m) -> tine::task<long> { co_return in_turns(m); }, n - 1) + 1
                      : in_spork(1) + in_turns(n - 1);
}

/// Returns the bytes of native stack that a level takes inside a region: the average of `levels` levels.
template <class Region>
std::uintptr_t native_bytes(long (*descend)(long), Region region, long levels = 1) {
  std::uintptr_t at[2];
  for (const long i : {0L, 1L}) {
    const long depth = 10 + i * levels;
    region([&] { CHECK(descend(depth) == depth); });
    at[i] = deepest;
  }
  return (at[0] - at[1]) / static_cast<std::uintptr_t>(levels);
}

template <class Region>
void descend_all(Region region) {
  for (const unsigned workers : {1U, 2U}) {
    tine::pool p{{.workers = workers}};
    const auto check = [&](const descent& d) {
      CAPTURE(std::string{d.name});
      long got = 0;
      p.run([&] { region([&] { got = d.descend(d.levels); }); });
      CHECK(got == d.levels);
    };
    for (const descent& d : descents) check(d);
    check({"mixed", in_turns, deep / 2});
  }
}

// A level of loops takes more if its loops have not been short, which a busy machine decides: 1,104 bytes instead of
// 416 by g++ for x86-64, 1,056 instead of 432 by g++ for 64-bit ARM.
#ifdef __clang__
constexpr std::uintptr_t most_native_bytes = 1024;
#else
constexpr std::uintptr_t most_native_bytes = 1280;
#endif

}  // namespace

TEST_CASE("storage of observed forks and loops is not on the native stack") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    for (const auto descend : {in_first, in_second, in_spork, in_loop}) {
      const auto narrow = [](auto f) { augment<tine::work_span>(f); };
      const auto labelled = [](auto f) { augment<pedigrees>(f); };
      CHECK(native_bytes(descend, [](auto f) { in_many(f); }) == native_bytes(descend, labelled));
      if (!TINE_ASAN && !TINE_TSAN)
        CHECK(native_bytes(descend, narrow, 100) <= most_native_bytes);  // a sanitizer widens each native frame
    }
  });
}

TEST_CASE("an analysis of a recursion 10^5 deep") {
  descend_all([](auto f) { augment<tine::work_span>(f); });
}

TEST_CASE("many analyses of a recursion 10^5 deep, while it is recorded") {
  descend_all([](auto f) { in_many(f); });
}

TEST_CASE("an exception leaves an observed recursion from the depth") {
  struct fails {
    static long first(long n) {
      if (n == 0) throw n;
      return par([n] { return first(n - 1); }, [] { return 1L; }, sum);
    }
    static long second(long n) {
      if (n == 0) throw n;
      return par([] { return 1L; }, [n] { return second(n - 1); }, sum);
    }
    static long loop(long n) {
      if (n == 0) throw n;
      return tine::par_reduce(0, 3, 0L, [n](int i) { return i == 1 ? loop(n - 1) : 0; }, sum);
    }
  };
  for (const auto policy : {tine::promotion::on_demand(), tine::promotion::eager()}) {
    tine::pool p{{.workers = 2, .promote = policy}};
    p.run([] {
      for (const auto descend : {&fails::first, &fails::second, &fails::loop}) {
        CHECK_THROWS_AS(augment<tine::work_span>([&] { descend(300); }), long);
        const tine::sched::address top = tine::sched::hot::top();
        CHECK_THROWS_AS(tine::record([&] { descend(300); }), long);
        CHECK(tine::sched::hot::top() == top);
        augment<tine::work_span>([] { CHECK(in_first(100) == 100); });
      }
    });
  }
}
