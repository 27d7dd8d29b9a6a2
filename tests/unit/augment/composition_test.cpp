// Tests that the logical graph does not depend on the analyses that are composed. They compare names, random numbers
// and counts of random programs, with and without vertices that see loops in another way, with values that are read off
// the program itself.
#include <tine/augment/labels.hpp>
#include <tine/augment/random.hpp>
#include <tine/tine.hpp>

#include "unit/augment/sp_program.hpp"
#include "unit/augment/tally.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace tine::test;
using tine::augment_into;
using tine::labels::labelled;
using tine::labels::pedigree;

/// A pedigree by its definition: on the way down, for each branch the number of joins before it and the branch's
/// number.
using ranks = std::vector<std::uint64_t>;

/// The right names of a program's events and the right counts of its forks and loops, found by a walk over the program.
class oracle {
 public:
  explicit oracle(const sp_program& p) : names(p.events) { walk(p.root, {}); }

  std::vector<std::string> names;
  long forks = 0, loops = 0, forks_as_tree = 0;

 private:
  void walk(const block& b, const ranks& around) { walk_on(b, around, 0); }

  /// Returns the number of joins of the strand at the block's end.
  std::uint64_t walk_on(const block& b, ranks around, std::uint64_t joins) {
    for (const step& s : b) {
      if (s.is == step::kind::act) {
        names[s.what] = text(around, joins);
      } else if (s.branches.size() == 1) {
        joins = walk_on(s.branches[0].body, around, joins);  // a loop of one iteration is no node
      } else if (!s.branches.empty()) {
        (s.is == step::kind::fork ? forks : loops) += 1;
        forks_as_tree += static_cast<long>(s.branches.size()) - 1;
        for (std::size_t i = 0; i < s.branches.size(); ++i) {
          ranks below = around;
          below.push_back(joins);
          below.push_back(i);
          walk(s.branches[i].body, below);
        }
        ++joins;
      }
    }
    return joins;
  }

  static std::string text(const ranks& around, std::uint64_t joins) {
    std::string all;
    for (const std::uint64_t number : around) all += std::to_string(number) + ".";
    return all + std::to_string(joins);
  }
};

void begin_all(block& b) {
  for (step& s : b) {
    for (branch& one : s.branches) {
      one.begins = true;
      begin_all(one.body);
    }
  }
}

/// Draws a program all of whose branches begin. A branch that would not have begun has loops without iterations instead
/// of events.
sp_program program(std::mt19937_64& random) {
  sp_program p = program_maker{random, 60}.make();
  begin_all(p.root);
  return p;
}

/// Runs a program, and notes the name and a random number at each event.
struct run_of {
  explicit run_of(const sp_program& p) : program{p}, names(p.events), draws(p.events) {}

  void run() { run_block(program.root); }

  const sp_program& program;
  std::vector<std::string> names;
  std::vector<std::uint64_t> draws;

 private:
  void run_block(const block& b) {
    for (const step& s : b) {
      if (s.is == step::kind::act) {
        names[s.what] = to_string(tine::current_vertex<labelled<pedigree>>()->label());
        draws[s.what] = (*tine::current_vertex<tine::random_stream>())();
        spend<loop_tally, tally>(1 + static_cast<long>(s.what % 3));
      } else if (s.is == step::kind::fork) {
        tine::par([&] { run_block(s.branches[0].body); }, [&] { run_block(s.branches[1].body); });
      } else {
        tine::par_for(s.branches, [&](const branch& one) { run_block(one.body); });
      }
    }
  }
};

/// The analyses that `run_in` composes with the names and the random numbers, and their place.
enum class company { none, outside, between, inside, unsplit_loops };

struct found {
  labelled<pedigree> name;
  tine::random_stream random{42};
  loop_tally loops;
  tally forks;
  tine::work_span times;
};

void run_in(company c, run_of& run, found& f) {
  const auto all = [&] { run.run(); };
  switch (c) {
    case company::none:
      return augment_into(all, f.name, f.random, f.loops);
    case company::outside:
      return augment_into(all, f.forks, f.name, f.random, f.loops);
    case company::between:
      return augment_into(all, f.name, f.forks, f.random, f.times, f.loops);
    case company::inside:
      return augment_into(all, f.name, f.random, f.loops, f.forks);
    case company::unsplit_loops:
      return augment_into(all, f.times, f.name, f.random, f.loops);
  }
}

TEST_CASE("names, random numbers and counts do not depend on what is composed") {
  const std::uint64_t seed = 81;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (const unsigned workers : {1U, 2U, 8U}) {
    CAPTURE(workers);
    tine::pool p{{.workers = workers, .promote = tine::promotion::eager()}};
    for (int again = 0; again < 40; ++again) {
      CAPTURE(again);
      const sp_program drawn = program(random);
      const oracle right{drawn};
      run_of alone{drawn};
      found first;
      p.run([&] { run_in(company::none, alone, first); });
      CHECK(alone.names == right.names);
      CHECK(first.loops.forks == right.forks);
      CHECK(first.loops.loops == right.loops);
      for (const company c : {company::outside, company::between, company::inside, company::unsplit_loops}) {
        CAPTURE(static_cast<int>(c));
        run_of together{drawn};
        found f;
        p.run([&] { run_in(c, together, f); });
        CHECK(together.names == right.names);
        CHECK(together.draws == alone.draws);
        CHECK(f.loops == first.loops);
        if (c != company::unsplit_loops) {
          CHECK(f.forks.forks == right.forks_as_tree);
          CHECK(f.forks.work == first.loops.work);
        }
        if (c == company::unsplit_loops || c == company::between) {
          CHECK(f.times.forks == static_cast<std::uint64_t>(right.forks));
          CHECK(f.times.loops == static_cast<std::uint64_t>(right.loops));
        }
      }
    }
  }
}

TEST_CASE("a vertex that sees forks changes nothing in the regions around it, either") {
  tine::pool p{{.workers = 1}};
  loop_tally outer;
  tally inner;
  p.run([&] {
    augment_into(
        [&] {
          tine::par_for(0, 3, [](int) { spend<loop_tally>(1); });
          augment_into([] { tine::par_for(0, 8, [](int) { spend<loop_tally, tally>(10); }); }, inner);
          spend<loop_tally>(1);
        },
        outer);
  });
  CHECK(inner == tally{80, 10, 7});
  CHECK(outer == loop_tally{.work = 84, .span = 12, .forks = 0, .loops = 2});
}

struct oops {};

TEST_CASE("an exception in such a loop leaves it once, and what had run is counted") {
  for (const unsigned workers : {1U, 4U}) {
    CAPTURE(workers);
    tine::pool p{{.workers = workers, .promote = tine::promotion::eager()}};
    loop_tally sees_loops;
    tally sees_forks;
    alternation turns;
    const auto body = [](int i) {
      spend<loop_tally, tally>(1);
      if (i == 5) throw oops{};
    };
    CHECK_THROWS_AS(p.run([&] { augment_into([&] { tine::par_for(0, 16, body); }, sees_loops, turns, sees_forks); }),
                    oops);
    CHECK(sees_loops.loops == 1);
    CHECK(sees_loops.work == sees_forks.work);
    CHECK(sees_loops.work >= 6);
    CHECK(turns.end() == 0);
    // the next region counts as if there had been no exception
    p.run([&] {
      augment_into([] { tine::par_for(0, 4, [](int) { spend<loop_tally, tally>(1); }); }, sees_loops, sees_forks);
    });
    CHECK(sees_loops.loops == 2);
  }
}

TEST_CASE("results of a loop's subranges are combined as usual") {
  tine::pool p{{.workers = 4, .promote = tine::promotion::eager()}};
  labelled<pedigree> name;
  tally sees_forks;
  std::string text;
  p.run([&] {
    augment_into(
        [&] {
          text = tine::par_reduce(
              0, 30, std::string{}, [](int i) { return std::to_string(i % 10); },
              [](std::string a, const std::string& b) { return a + b; });
        },
        name, sees_forks);
  });
  CHECK(text == "012345678901234567890123456789");
  CHECK(sees_forks.forks == 29);
}

}  // namespace
