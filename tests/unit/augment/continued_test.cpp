// Vertices that continue in the branches of their forks: they have the values that a vertex for each branch has.
#include "unit/augment/sp_program.hpp"
#include "unit/augment/tally.hpp"
#include "unit/ways.hpp"

#include <tine/augment/work_span.hpp>
#include <tine/coro.hpp>
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <type_traits>

namespace {

using namespace tine::test;
using tine::augment;
using tine::par;
using tine::work_span;
using tine::base::ticks;
using tine::sched::branch_end;

struct oops {};

/// A tally that continues. The base class is the tally for strands with several vertices, and for coroutines.
struct running : tally {
  struct open_fork {
    using vertex = running;
    long before, first;
  };
  void join(running& left, running& right, running& after) { tally::join(left, right, after); }
  void continue_in_first(open_fork& f) const { f.before = span; }
  void continue_in_second(open_fork& f) {
    f.first = span;
    span = f.before;
  }
  void continue_after(open_fork& f, branch_end) {
    span = std::max(span, f.first);
    ++forks;
  }
  void continue_after(open_fork& f, const running& second, branch_end) {
    span = std::max(span, f.before + second.span);
    work += second.work;
    forks += second.forks + 1;
  }
};
static_assert(tine::detail::continues_in_branches<running> && tine::detail::continues_in_branches<work_span>);

/// A derived vertex has members of its own, so it doesn't continue.
struct derived : work_span {};
static_assert(!tine::detail::continues_in_branches<derived> && !tine::detail::continues_in_branches<tally>);

void spend(long units) { tine::test::spend<running, tally>(units); }

/// Returns the tally of `f`: the same from one vertex that continues, and from a vertex for each branch.
template <class F>
tally tally_of(F f) {
  const running v = augment<running>(f);
  CHECK(static_cast<const tally&>(v) == augment<tally>(f));
  running inner;
  tally outer;
  tine::augment_into(f, outer, inner);
  CHECK(static_cast<const tally&>(inner) == outer);
  CHECK(static_cast<const tally&>(v) == outer);
  return v;
}

void play(const block& b);

struct tasks {
  static tine::task<> child(const block* b) {
    play(*b);
    co_return;
  }
  /// Runs a block as the first branch of a coroutine's fork.
  static tine::task<> parent(const block* b) {
    co_await tine::fork(child, b);
    co_await tine::join;
  }
};

/// Runs a random program in which each event spends its number, and a coroutine stands for a loop.
void play(const block& b) {
  for (const step& s : b) {
    if (s.is == step::kind::act) {
      spend(static_cast<long>(s.what));
    } else if (s.is == step::kind::fork) {
      const auto branch = [&s](std::size_t i) {
        if (s.branches[i].begins) play(s.branches[i].body);
      };
      par([&] { branch(0); }, [&] { branch(1); });
    } else if (!s.branches.empty()) {
      tine::run(tasks::parent, &s.branches[0].body);
    }
  }
}

/// Adds what the program spends: by its text, without any vertex.
tally right_tally(const block& b) {
  tally all;
  for (const step& s : b) {
    if (s.is == step::kind::act) {
      all.work += static_cast<long>(s.what);
      all.span += static_cast<long>(s.what);
    } else if (!s.branches.empty()) {
      tally sides[2];
      for (std::size_t i = 0; i != (s.is == step::kind::fork ? 2 : 1); ++i) {
        if (s.branches[i].begins) sides[i] = right_tally(s.branches[i].body);
      }
      all.work += sides[0].work + sides[1].work;
      all.span += std::max(sides[0].span, sides[1].span);
      all.forks += sides[0].forks + sides[1].forks + 1;
    }
  }
  return all;
}

// --- work_span by a clock of the test ----------------------------------------------------------------------------

/// Plays a program on vertices, as the runtime does, at times that follow from the program. Loops stand for short loops
/// around the first of their branches.
class driver {
 public:
  /// `continues`: which forks continue, in per cent.
  driver(std::uint64_t seed, unsigned continues) : seed_{seed}, continues_{continues} {}

  work_span play_all(const block& b) {
    work_span v;
    v.start(now_);
    play(v, b);
    v.stop(now_);
    return v;
  }

 private:
  std::uint64_t draw(event e, std::uint64_t below) const {
    std::mt19937_64 random{seed_ ^ (e * 0x9E3779B97F4A7C15U)};
    return random() % below;
  }

  void play(work_span& v, const block& b) {
    for (const step& s : b) {
      if (s.is == step::kind::act) {
        now_ += draw(s.what, 1'000);
      } else if (s.is == step::kind::fork) {
        fork(v, s);
      } else if (!s.branches.empty()) {
        const std::uint64_t n = 2 + draw(++number_, 9);
        v.begin(n, 100 * work_span::fractions);
        play(v, s.branches[0].body);
        if (draw(number_, 5) != 0) v.end(n);  // otherwise an exception has left the loop
      }
    }
  }

  void branch(work_span& v, const struct branch& b) {
    v.start(now_);
    play(v, b.body);
    v.stop(now_);
  }

  void fork(work_span& v, const step& s) {
    ++number_;
    const bool begins = s.branches[1].begins;
    const auto how = static_cast<branch_end>(begins ? draw(number_, 3) : 0);
    v.stop(now_);
    if (chosen_() % 100 >= continues_) {
      work_span left, right;
      branch(left, s.branches[0]);
      if (begins) branch(right, s.branches[1]);
      v.join(left, right, how);
    } else {
      work_span::open_fork f;
      v.continue_in_first(f);
      branch(v, s.branches[0]);
      if (begins && how != branch_end::stolen) {
        v.continue_in_second(f);
        branch(v, s.branches[1]);
        v.continue_after(f, how);
      } else {
        work_span other;
        if (begins) branch(other, s.branches[1]);
        v.continue_after(f, other, how);
      }
    }
    v.start(now_);
  }

  std::uint64_t seed_;
  unsigned continues_;
  std::mt19937_64 chosen_{seed_};
  ticks now_ = 1'000;
  std::uint64_t number_ = 0;
};

void check_same(const work_span& a, const work_span& b) {
  CHECK(a.work == b.work);
  CHECK(a.span_low() == b.span_low());
  CHECK(a.span_high() == b.span_high());
  CHECK(a.burdened_span() == b.burdened_span());
  CHECK(a.forks == b.forks);
  CHECK(a.promoted == b.promoted);
  CHECK(a.stolen == b.stolen);
  CHECK(a.loops == b.loops);
  CHECK(a.iterations == b.iterations);
}

}  // namespace

TEST_CASE("a vertex that continues has the values of one for each branch, in every way of a fork") {
  in_every_way([](meeting& m) {
    const auto f = [&] {
      m.again();
      spend(1);
      par(m.first([] { spend(10); }), m.second([] {
        spend(100);
        par([] { spend(7); }, [] { spend(5); });
      }));
      spend(1000);
    };
    CHECK(tally_of(f) == tally{1123, 1108, 2});
  });
}

TEST_CASE("an exception of either branch joins the fork of a vertex that continues") {
  in_every_way([](meeting& m) {
    for (const bool in_first : {true, false}) {
      const auto f = [&] {
        m.again();
        spend(1);
        try {
          par(m.first([&] {
            spend(10);
            if (in_first) throw oops{};
          }),
              m.second([&] {
                spend(100);
                if (!in_first) throw oops{};
              }));
        } catch (const oops&) {
          spend(1000);
        }
        par([] { spend(2); }, [] { spend(1); });
      };
      const running v = augment<running>(f);
      const bool has_second = !in_first || v.work > 1100;  // dropped, if no thief has started it
      CHECK(static_cast<const tally&>(v) == tally{1014 + (has_second ? 100 : 0), 1003 + (has_second ? 100 : 10), 2});
      if (m.is_wanted()) CHECK(has_second);
    }
  });
}

TEST_CASE("random programs on vertices that continue, with thieves and coroutines") {
  for (const unsigned workers : {1U, 3U}) {
    tine::pool p{{.workers = workers, .promote = tine::promotion::eager()}};
    p.run([] {
      for (std::uint64_t seed = 1; seed != 40; ++seed) {
        std::mt19937_64 random{seed};
        const sp_program program = program_maker{random, 200}.make();
        CAPTURE(seed);
        CHECK(tally_of([&] { play(program.root); }) == right_tally(program.root));
      }
    });
  }
}

TEST_CASE("work and span are the same whether vertices continue or not") {
  for (std::uint64_t seed = 1; seed != 300; ++seed) {
    std::mt19937_64 random{seed};
    const sp_program program = program_maker{random, 150}.make();
    CAPTURE(seed);
    const work_span apart = driver{seed, 0}.play_all(program.root);
    check_same(apart, driver{seed, 100}.play_all(program.root));
    check_same(apart, driver{seed, 50}.play_all(program.root));
  }
}
