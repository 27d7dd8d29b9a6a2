// The series-parallel dag: the parts below the threshold are folded into leaves, and all totals stay.
#include "augment/dag.hpp"

#include "augment/paths.hpp"
#include "trace/check.hpp"

#include "unit/augment/closed_dag.hpp"
#include "unit/augment/serial_driver.hpp"
#include "unit/augment/tally.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using namespace tine::detail;
namespace trace = tine::trace;
using tine::test::children_of;
using tine::test::closed_dag;
using shape = trace::node::shape;
using tine::base::ticks;
using tine::test::sp_program;

const ticks enough = dag_vertex::threshold();

/// Runs one more strand, of `t` ticks.
void run(dag_vertex& v, ticks t) {
  v.start(0);
  v.stop(t);
}

/// Forks; the branches have strands of `left` and `right` ticks.
void fork(dag_vertex& v, ticks left, ticks right, tine::sched::site where = 0x100) {
  dag_vertex l, r, after;
  v.fork(l, r, where);
  run(l, left);
  run(r, right);
  v.join(l, r, after);
  v = after;
}

/// A vertex that magnifies time: a strand of one tick has a little more than 1/`parts` of the threshold.
struct magnified : dag_vertex {
  static constexpr ticks parts = 4;
  static ticks one() { return enough / parts + 1; }
  void start(ticks now) noexcept { dag_vertex::start(now * one()); }
  void stop(ticks now) noexcept { dag_vertex::stop(now * one()); }
  void chunk(std::uint64_t count, ticks now) noexcept { dag_vertex::chunk(count, now * one()); }
};

/// Returns true if a node and all nodes below it are sound.
bool is_sound(const dag_node& n) {
  const std::vector<const dag_node*> children = children_of(n);
  if (n.value.is == shape::leaf) return children.empty() && n.value.span <= n.value.work;
  std::uint64_t work = 0, sum = 0, longest = 0;
  bool good = true;
  for (const dag_node* c : children) {
    good = good && is_sound(*c);
    work += c->value.work;
    sum += c->value.span;
    longest = std::max(longest, c->value.span);
  }
  if (n.value.is == shape::series) return good && children.size() > 1 && work == n.value.work && sum == n.value.span;
  good = good && work == n.value.work && work >= enough && n.where != 0 && n.value.span == longest;
  return good && (n.value.is == shape::loop ? !children.empty() : children.size() == 2);
}

/// Counts the strands of a program, and its forks, where a loop counts as a tree of forks.
struct census {
  std::uint64_t forks = 0, strands = 1;

  void add(const tine::test::block& b) {
    for (const tine::test::step& s : b) {
      if (s.branches.empty()) continue;
      ++strands;  // the strand after the join
      forks += s.branches.size() - 1;
      for (const tine::test::branch& one : s.branches) {
        strands += one.begins;
        add(one.body);
      }
    }
  }
};

/// Makes all branches begin, because a loop counts only the iterations that have run.
void begin_all(tine::test::block& b) {
  for (tine::test::step& s : b) {
    for (tine::test::branch& one : s.branches) {
      one.begins = true;
      begin_all(one.body);
    }
  }
}

}  // namespace

TEST_CASE("a fork with the threshold is a node") {
  dag_vertex v;
  run(v, 5);
  fork(v, enough - 1, 1, 0x123);
  run(v, 6);
  const closed_dag whole{v};
  const dag_node& n = whole.root();
  REQUIRE(n.value.is == shape::series);
  const auto parts = children_of(n);
  REQUIRE(parts.size() == 3);
  CHECK(parts[0]->value.work == 5);
  CHECK(parts[1]->value.is == shape::parallel);
  CHECK(parts[1]->where == 0x123);
  CHECK(parts[1]->value.work == enough);
  CHECK(parts[1]->value.span == enough - 1);
  CHECK(parts[1]->value.forks == 1);
  CHECK(parts[2]->value.work == 6);
  const auto branches = children_of(*parts[1]);
  REQUIRE(branches.size() == 2);
  CHECK(branches[0]->value.work == enough - 1);  // the left branch comes first
  CHECK(branches[1]->value.work == 1);
}

TEST_CASE("chunks without nodes are one child of their loop, as long as the longest of them") {
  dag_vertex v, first, second, third, after;
  for (dag_vertex* subrange : {&first, &second, &third}) v.loop(*subrange, 12, 0x200);
  ticks work = enough;
  for (dag_vertex* subrange : {&first, &second, &third}) {
    subrange->start(0);
    subrange->chunk(2, 3);
    subrange->chunk(2, work);
    subrange->stop(work);
    work += 10;
  }
  first.append(second);
  first.append(third);
  v.join_loop(first, after);
  const closed_dag whole{after};
  const dag_node& n = whole.root();
  REQUIRE(n.value.is == shape::loop);
  CHECK(n.value.work == 3 * enough + 30);
  CHECK(n.value.span == enough + 20 - 3);
  CHECK(n.value.forks == 11);
  const auto chunks = children_of(n);
  REQUIRE(chunks.size() == 1);
  CHECK(chunks[0]->value.work == n.value.work);
  CHECK(chunks[0]->value.span == n.value.span);
}

TEST_CASE("a chunk with nodes of its own is a child, in the order of the iterations, and all others are the last one") {
  dag_vertex v, first, second, after;
  for (dag_vertex* subrange : {&first, &second}) v.loop(*subrange, 5, 0x200);
  first.start(0);
  first.chunk(2, 7);
  first.stop(7);
  fork(first, enough, enough + 3);
  first.start(7);
  first.chunk(1, 10);
  first.stop(10);
  second.start(0);
  fork(second, 5, 6);
  second.stop(2);
  fork(second, enough + 100, 1);
  second.start(2);
  second.chunk(2, 4);
  second.stop(4);
  first.append(second);
  v.join_loop(first, after);
  const closed_dag whole{after};
  const dag_node& n = whole.root();
  REQUIRE(is_sound(n));
  REQUIRE(n.value.is == shape::loop);
  const auto chunks = children_of(n);
  REQUIRE(chunks.size() == 3);
  CHECK(chunks[0]->value.span == enough + 3 + 3);
  CHECK(chunks[1]->value.span == enough + 100 + 6 + 4);
  CHECK(chunks[2]->value.is == shape::leaf);
  CHECK(chunks[2]->value.span == 7);
  CHECK(n.value.span == enough + 110);
}

TEST_CASE("a loop below the threshold is part of the leaf around it") {
  dag_vertex v, first, second, third, after;
  for (dag_vertex* subrange : {&first, &second, &third}) v.loop(*subrange, 6, 0x200);
  for (dag_vertex* subrange : {&first, &second, &third}) {
    subrange->start(0);
    subrange->chunk(2, 1);
    subrange->stop(1);
  }
  second.append(third);
  first.append(second);
  v.join_loop(first, after);
  const closed_dag whole{after};
  const dag_node& n = whole.root();
  CHECK(n.value.is == shape::leaf);
  CHECK(n.value.work == 3);
  CHECK(n.value.forks == 5);
}

TEST_CASE("nothing is lost: work, span and forks of random programs") {
  const std::uint64_t seed = 61;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  int nodes = 0;
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    sp_program p = tine::test::program_maker{random, 80}.make();
    begin_all(p.root);
    census c;
    c.add(p.root);
    magnified v = tine::test::play<magnified>(p, random(), [](magnified&, tine::test::event) {});
    const closed_dag whole{v};
    const dag_node& n = whole.root();
    REQUIRE(is_sound(n));
    REQUIRE(n.value.forks == c.forks);
    REQUIRE(n.value.work >= (c.forks + 1) * magnified::one());
    nodes += n.value.is != shape::leaf;
  }
  CHECK(nodes > 25);
}

TEST_CASE("in nanoseconds, too, nodes add up exactly") {
  const std::uint64_t seed = 62;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (int i = 0; i < 25; ++i) {
    CAPTURE(i);
    sp_program program = tine::test::program_maker{random, 80}.make();
    begin_all(program.root);
    magnified v = tine::test::play<magnified>(program, random(), [](magnified&, tine::test::event) {});
    trace::profile p;
    p.run.analyses = trace::dag;
    const closed_dag whole{v};
    add_nodes(p, whole.root());
    const trace::node& n = p.nodes.front();
    CHECK(n.work == tine::base::to_nanoseconds(whole.root().value.work));
    CHECK(n.span == tine::base::to_nanoseconds(whole.root().value.span));
    p.roots = {{.all = {.work = n.work, .span_high = n.span}}};
    CHECK_NOTHROW(trace::check(p, {}, "it"));
  }
}

TEST_CASE("in the profile, nodes are in preorder and know their site") {
  path_below(path_here(nullptr), 0x6100, trace::construct::fork);
  trace::profile p;
  merge_paths(p);
  dag_vertex v;
  run(v, 1000);
  fork(v, enough, enough, 0x6100);
  add_nodes(p, closed_dag{v}.root());
  REQUIRE(p.nodes.size() == 5);
  CHECK(p.nodes[0].is == shape::series);
  CHECK(p.nodes[0].children == 2);
  CHECK(p.nodes[1].is == shape::leaf);
  CHECK(p.nodes[2].is == shape::parallel);
  CHECK(p.nodes[2].children == 2);
  CHECK(p.sites[p.nodes[2].site].address == 0x6100);
  CHECK(p.nodes[3].children + p.nodes[4].children == 0);
  CHECK(p.nodes[0].work == tine::base::to_nanoseconds(1000 + 2 * enough));
}
