// Greedy schedules against a list scheduler on explicit graphs, which steps from one moment to the next.
#include "simulate/greedy.hpp"

#include "unit/simulate/written_program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace {

using namespace tine::test;
using tine::simulate::greedy;
using tine::simulate::program;
using tine::simulate::program_of;

/// The list scheduler: at each moment it looks through all strands, in the serial order.
std::uint64_t list_schedule(const graph& g, unsigned workers) {
  constexpr auto never = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> end(g.size(), never);  // once the strand has begun
  for (std::uint64_t now = 0;;) {
    unsigned busy = 0;
    for (std::size_t i = 0; i < g.size(); ++i) busy += end[i] != never && end[i] > now;
    for (std::size_t i = 0; i < g.size(); ++i) {
      const bool is_ready = std::ranges::all_of(g[i].after, [&](std::size_t b) { return end[b] <= now; });
      if (end[i] != never || !is_ready || (g[i].work > 0 && busy == workers)) continue;
      end[i] = now + g[i].work;
      busy += g[i].work > 0;
    }
    std::uint64_t next = never;
    for (const std::uint64_t e : end) {
      if (e > now && e != never) next = std::min(next, e);
    }
    if (next == never) return now;
    now = next;
  }
}

constexpr unsigned numbers[] = {1, 2, 3, 4, 7, 16, 64};

void check(const written_program& w) {
  const program p = program_of(profile_of({w}));
  const graph g = graph_of(w);
  const figures f = figures_of(g);
  REQUIRE(p.work == f.work);
  REQUIRE(p.span == f.span);
  for (const unsigned workers : numbers) {
    const std::uint64_t time = greedy(p, workers).in_roots;
    CAPTURE(workers);
    CHECK(time == list_schedule(g, workers));
    CHECK(time * workers >= f.work);
    CHECK(time >= f.span);
    CHECK(time * workers <= f.work + f.span * workers);
  }
}

/// Checks that a loop takes as long as the pieces into which its leaf is to be divided.
void check_pieces(const written_program& loop, const written_program& pieces) {
  const program p = program_of(profile_of({loop}));
  for (const unsigned workers : numbers) CHECK(greedy(p, workers).in_roots == list_schedule(graph_of(pieces), workers));
}

/// The strands of a leaf, by the words of part.hpp: blocks in a series, each a strand and two halves.
written_program halves(std::uint64_t work, std::uint64_t span) {
  if (work <= span) return strand(work);
  const std::uint64_t first = 2 * span > work ? 2 * span - work : 0, rest = work - first;
  written_program both =
      group(shape::parallel, {halves(rest - rest / 2, span - first), halves(rest / 2, span - first)});
  if (first == 0) return both;
  return group(shape::series, {strand(first), std::move(both)});
}

TEST_CASE("wide forks") {
  for (const std::uint64_t n : {2, 3, 64, 200}) {
    written_program wide = group(shape::loop, {});
    for (std::uint64_t i = 0; i < n; ++i) wide.children.push_back(strand(1 + (i * 37) % 19));
    check(wide);
    written_program last_is_long = wide;
    last_is_long.children.push_back(strand(500));
    check(last_is_long);
    wide.is = shape::parallel;
    check(wide);
  }
}

TEST_CASE("random trees") {
  const unsigned seed = std::random_device{}();
  MESSAGE("seed " << seed);
  std::mt19937 random{seed};
  for (int i = 0; i < 300; ++i) check(random_program(random, 1 + random() % 6, random() % 2 == 0 ? 3 : 1000));
}

TEST_CASE("divisible leaves are blocks of halves") {
  std::mt19937 random{17};
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t work = 1 + random() % 2000, span = 1 + random() % work, forks = 1 + random() % 100;
    const std::uint64_t block = random() % 3 == 0 ? 0 : 1 + random() % 500;
    tine::trace::profile profile = profile_of({divisible(work, span, forks)});
    profile.run.threshold = block;
    const program p = program_of(profile);
    const std::uint64_t blocks =
        block == 0 ? 1 : std::max<std::uint64_t>(1, std::min({(work + block - 1) / block, forks, span}));
    written_program series = group(shape::series, {});
    for (std::uint64_t b = 0; b < blocks; ++b)
      series.children.push_back(halves(work / blocks + (b < work % blocks), span / blocks + (b < span % blocks)));
    const graph g = graph_of(series);
    REQUIRE(figures_of(g).work == work);
    REQUIRE(figures_of(g).span == span);
    for (const unsigned workers : numbers) CHECK(greedy(p, workers).in_roots == list_schedule(g, workers));
  }
}

TEST_CASE("a leaf of iterations is pieces as long as its span") {
  const written_program loop = group(shape::loop, {strand(30), divisible(1005, 10, 0)});
  written_program pieces = group(shape::loop, {strand(30)});
  for (int i = 0; i < 100; ++i) pieces.children.push_back(strand(10));
  pieces.children.push_back(strand(5));
  check_pieces(loop, pieces);
}

TEST_CASE("the longest chunk of a loop is the first piece, and the others are shorter") {
  written_program loop = group(shape::loop, {divisible(106'000, 20'000, 0)});
  loop.forks = 999;  // a thousand iterations of 106 ns: a chunk takes 5 us
  written_program pieces = group(shape::loop, {strand(20'000)});
  for (int i = 0; i < 17; ++i) pieces.children.push_back(strand(5000));
  pieces.children.push_back(strand(1000));
  check_pieces(loop, pieces);
  loop.forks = 9;  // ten iterations
  pieces = group(shape::loop, {strand(20'000)});
  for (int i = 0; i < 8; ++i) pieces.children.push_back(strand(10'600));
  pieces.children.push_back(strand(1200));
  check_pieces(loop, pieces);
}

TEST_CASE("roots run one after the other, and those that overlap at once") {
  tine::trace::profile profile = profile_of({strand(100), strand(50)}, 7);
  CHECK(greedy(program_of(profile), 4).time() == 164);
  profile.roots[1].begin = profile.roots[0].begin + 1;
  CHECK(greedy(program_of(profile), 4).in_roots == 100);
  CHECK(greedy(program_of(profile), 1).in_roots == 150);
}

TEST_CASE("deep programs") {
  // Built as nodes, because the recursion of the test's own types would be as deep.
  tine::trace::profile p;
  constexpr std::uint32_t depth = 200'000;
  for (std::uint32_t i = 0; i < depth; ++i) {
    p.nodes.push_back({.is = shape::series, .children = 2, .work = 2 * (depth - i) + 1, .span = depth - i + 1});
    p.nodes.push_back({.work = 1, .span = 1});
    p.nodes.push_back({.is = shape::parallel, .children = 2, .work = 2 * (depth - i), .span = depth - i, .forks = 1});
    p.nodes.push_back({.work = 1, .span = 1});
  }
  p.nodes.push_back({.work = 1, .span = 1});
  p.roots.emplace_back().wall = 1;
  const program deep = program_of(p);
  CHECK(deep.work == 2 * depth + 1);
  CHECK(greedy(deep, 1).in_roots == deep.work);
  CHECK(greedy(deep, 1000).in_roots == deep.span);
}

}  // namespace
