// The model of the scheduler: each simulated run is checked as a schedule, strand by strand, against an explicit graph.
#include "simulate/stealing.hpp"

#include "unit/simulate/written_program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace tine::test;
using namespace tine::simulate;

struct interval {
  std::uint64_t begin, end;
};

/// A simulated run, and when each strand of its program ran.
struct checked_run {
  outcome result;
  std::vector<stretch> stretches;
  std::vector<interval> strands;
};

checked_run run(const program& p, const machine& m, stealing_options o, const graph& g) {
  checked_run r;
  o.on_stretch = [&](const stretch& s) { r.stretches.push_back(s); };
  r.result = stealing(p, m, o);
  // By position: each position of the program runs once.
  std::ranges::sort(r.stretches, {}, &stretch::from);
  std::uint64_t position = 0;
  for (const stretch& s : r.stretches) {
    REQUIRE(s.from == position);
    REQUIRE(s.to > s.from);
    position = s.to;
  }
  REQUIRE(position == p.work);
  const auto time_at = [&](std::uint64_t at, bool is_end) {
    auto s = std::ranges::upper_bound(r.stretches, at, {}, &stretch::from) - 1;
    if (is_end && s->from == at) --s;  // the end of what runs before that position
    return s->begin + (at - s->from);
  };
  std::uint64_t before = 0;
  for (const graph_strand& each : g) {
    r.strands.push_back(each.work == 0 ? interval{0, 0}
                                       : interval{time_at(before, false), time_at(before + each.work, true)});
    before += each.work;
  }
  return r;
}

/// Checks that the run is a schedule of the graph, and returns its lost time: that in which a worker does not work
/// although a strand is ready.
std::uint64_t lost_time(const checked_run& r, const graph& g, unsigned workers) {
  std::vector<std::uint64_t> ready(g.size());
  for (std::size_t i = 0; i < g.size(); ++i) {
    for (const std::size_t b : g[i].after) ready[i] = std::max(ready[i], g[b].work == 0 ? ready[b] : r.strands[b].end);
    if (g[i].work > 0) REQUIRE(r.strands[i].begin >= ready[i]);
  }
  std::map<std::uint32_t, std::vector<interval>> by_worker;
  std::map<std::uint64_t, std::pair<int, int>>
      changes;  // by time: of the workers that work, and of the strands that wait although they are ready
  for (const stretch& s : r.stretches) by_worker[s.worker].push_back({s.begin, s.begin + (s.to - s.from)});
  for (auto& [worker, all] : by_worker) {
    REQUIRE(worker < workers);
    std::ranges::sort(all, {}, &interval::begin);
    for (std::size_t i = 1; i < all.size(); ++i) REQUIRE(all[i - 1].end <= all[i].begin);
    for (const interval& i : all) ++changes[i.begin].first, --changes[i.end].first;
  }
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (g[i].work == 0) continue;
    ++changes[ready[i]].second, --changes[r.strands[i].begin].second;
    // A strand that was interrupted by steps of the scheduler counts as one that waits.
    ++changes[r.strands[i].begin].second, --changes[r.strands[i].end].second;
  }
  std::uint64_t lost = 0, last = 0;
  int works = 0, unfinished = 0;
  for (const auto& [time, change] : changes) {
    if (works < static_cast<int>(workers) && unfinished > works) lost += time - last;
    works += change.first, unfinished += change.second, last = time;
  }
  return lost + r.result.in_roots - last;  // behind the last strand there may be a join
}

void check(const written_program& w, unsigned workers, stealing_options o = {}, const std::string& topology = "") {
  CAPTURE(workers);
  const program p = program_of(profile_of({w}));
  const graph g = graph_of(w);
  const figures f = figures_of(g);
  const machine m{workers, topology};
  const checked_run r = run(p, m, o, g);
  const outcome& result = r.result;
  CHECK(result.in_roots * workers == result.work + result.overhead + result.idle);
  CHECK(result.work == f.work);
  CHECK(result.in_roots * workers >= f.work);
  CHECK(result.in_roots >= f.span);
  CHECK(result.promotions == result.steals + result.reclaimed);
  const std::uint64_t lost = lost_time(r, g, workers);
  CHECK(result.in_roots <= f.work / workers + 1 + f.span + lost);
  if (workers == 1) {
    CHECK(result.in_roots == f.work);
    CHECK(result.promotions == 0);
  }
  const outcome again = stealing(p, m, o);
  CHECK(again.in_roots == result.in_roots);
  CHECK(again.steals == result.steals);
}

written_program balanced(unsigned depth, std::uint64_t work) {
  if (depth == 0) return strand(work);
  return group(shape::parallel, {balanced(depth - 1, work), balanced(depth - 1, work)});
}

TEST_CASE("a run of the model is a schedule of the program") {
  const unsigned seed = std::random_device{}();
  MESSAGE("seed " << seed);
  std::mt19937 random{seed};
  for (int i = 0; i < 200; ++i) {
    const written_program w = random_program(random, 2 + random() % 7, random() % 2 == 0 ? 3000 : 300'000);
    stealing_options o;
    o.seed = random();
    o.resume = static_cast<resumes>(random() % 3);
    for (const unsigned workers : {1U, 2U, 3U, 8U, 70U}) check(w, workers, o, random() % 2 == 0 ? "node:2 core:4" : "");
  }
}

TEST_CASE("a wide fork of long strands keeps all workers busy") {
  const written_program wide = balanced(8, 10'000'000);
  check(wide, 16);
  const program p = program_of(profile_of({wide}));
  for (const unsigned workers : {2U, 4U, 8U, 16U}) {
    const outcome o = stealing(p, machine{workers});
    CHECK(o.in_roots < p.work / workers + p.work / 50);
    CHECK(o.steals >= workers - 1);
  }
}

TEST_CASE("divisible leaves and iterations are shared") {
  for (const written_program& w :
       {divisible(100'000'000, 100'000, 100'000), group(shape::loop, {divisible(100'000'000, 5000, 0)})}) {
    tine::trace::profile profile = profile_of({w});
    const program p = program_of(profile);
    for (const unsigned workers : {2U, 8U}) {
      const outcome o = stealing(p, machine{workers});
      CHECK(o.in_roots >= p.work / workers);
      CHECK(o.in_roots < p.work / workers * 21 / 20 + p.span);
    }
  }
  // Blocks follow one another: a leaf of many small forks has no more parallelism than each of them.
  tine::trace::profile profile = profile_of({divisible(10'000'000, 5'000'000, 2000)});
  profile.run.threshold = 10'000;
  const program p = program_of(profile);
  const outcome o = stealing(p, machine{8});
  CHECK(o.in_roots >= p.span);
  CHECK(o.promotions <= 10'000'000 / 16'000 + 30);
}

TEST_CASE("tokens bound the promotions") {
  // Two strands of a microsecond, again and again: not worth a promotion.
  written_program pairs = group(shape::series, {});
  for (int i = 0; i < 20'000; ++i) pairs.children.push_back(group(shape::parallel, {strand(1000), strand(1000)}));
  const program p = program_of(profile_of({pairs}));
  for (const unsigned workers : {2U, 8U}) {
    const outcome o = stealing(p, machine{workers});
    CHECK(o.promotions > 0);
    CHECK(o.promotions <= p.work / 16'000 + 30 * workers);
  }
}

TEST_CASE("idle workers sleep, and wake up for work") {
  const written_program w = group(shape::series, {strand(1'000'000), balanced(4, 1'000'000), strand(1'000'000)});
  const program p = program_of(profile_of({w}));
  stealing_options slow;
  slow.what.wake_up = 400'000;
  const outcome quick = stealing(p, machine{4}), late = stealing(p, machine{4}, slow);
  CHECK(quick.sleeps > 0);
  CHECK(quick.wakes > 0);
  CHECK(late.in_roots > quick.in_roots);
}

TEST_CASE("transfer by distance costs time") {
  const program p = program_of(profile_of({balanced(10, 100'000)}));
  stealing_options far;
  far.what.transfer = {0, 200'000};
  const std::string topology = "node:2 core:4";
  CHECK(stealing(p, machine{8, topology}, far).in_roots > stealing(p, machine{8, topology}).in_roots);
  CHECK(stealing(p, machine{8}, far).in_roots == stealing(p, machine{8}).in_roots);
}

TEST_CASE("a continuation that returns to its thread may wait for it") {
  // The second branch of the outer fork is stolen first, and is long; its thief's join then waits.
  const written_program w = balanced(9, 50'000);
  const program p = program_of(profile_of({w}));
  for (const auto how : {resumes::same_thread, resumes::origin, resumes::finisher}) {
    stealing_options o;
    o.resume = how;
    const outcome result = stealing(p, machine{8}, o);
    CHECK(result.suspensions > 0);
    CHECK(result.in_roots < 2 * p.work / 8);
  }
}

TEST_CASE("roots") {
  const program p = program_of(profile_of({balanced(5, 100'000), strand(5000), balanced(5, 100'000)}, 300'000));
  const outcome one = stealing(p, machine{1}), four = stealing(p, machine{4});
  CHECK(one.time() == p.work + 900'000);
  CHECK(four.outside == 900'000);
  CHECK(four.in_roots > p.work / 4);
  CHECK(four.in_roots < p.work / 2);
  CHECK(stealing(program_of({}), machine{4}).time() == 0);
  CHECK(stealing(program_of(profile_of({strand(0)})), machine{4}).time() == 0);
}

TEST_CASE("profiling is taken out of the work") {
  tine::trace::profile profile = profile_of({group(shape::series, {divisible(1'000'000, 10'000, 999), strand(1000)})});
  profile.roots[0].all.forks = 1000;
  profile.run.profiled_fork_cost = 100;
  const program p = program_of(profile);
  CHECK(p.profiling == doctest::Approx(100'000));
  CHECK(p.work == 901'000);
  profile.run.profiled_fork_cost = 1e6;  // more than there is
  CHECK(program_of(profile).work >= 1'001'000 / 16);
}

TEST_CASE("machines") {
  const machine m{200, "node:2 core:32"};
  CHECK(m.levels() == 3);
  CHECK(m.distance(0) == 1);
  CHECK(m.distance(1) == 2);
  CHECK(m.distance(2) == 3);
  CHECK(m.within(70, 0).from == 64);
  CHECK(m.within(70, 0).to == 96);
  CHECK(m.within(70, 1).to == 128);
  CHECK(m.within(70, 2).to == 200);
  CHECK(m.node(70) == 2);
  CHECK(m.nodes() == 7);
  CHECK(machine{3}.within(1, 0).to == 3);
  const machine threads{4, "core:2 pu:2"};  // the first threads of both cores come first
  CHECK(threads.workers() == 4);
}

TEST_CASE("sets of workers") {
  std::mt19937 random{5};
  for (const std::size_t n : {1U, 63U, 64U, 65U, 300U}) {
    worker_set s{n};
    std::vector<bool> plain(n);
    for (std::size_t i = 0; i < 2 * n; ++i) {
      const std::size_t w = random() % n;
      plain[w] = random() % 3 != 0;
      plain[w] ? s.add(w) : s.remove(w);
      const std::size_t from = random() % n, to = from + random() % (n - from + 1);
      CHECK(s.count(from, to) ==
            static_cast<std::size_t>(std::count(plain.begin() + static_cast<std::ptrdiff_t>(from),
                                                plain.begin() + static_cast<std::ptrdiff_t>(to), true)));
      for (std::size_t k = 0; k < s.count(from, n); ++k) CHECK(s.count(from, s.member(from, k)) == k);
    }
    CHECK(s.size() == static_cast<std::size_t>(std::count(plain.begin(), plain.end(), true)));
  }
}

}  // namespace
