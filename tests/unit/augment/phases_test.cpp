// Phases: their numbers, and what paths and dags record of them.
#include "augment/phases.hpp"

#include "augment/dag.hpp"
#include "augment/fold.hpp"
#include "augment/profiled.hpp"

#include "unit/augment/closed_dag.hpp"

#include <tine/augment/phase.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

namespace {

using namespace tine::detail;
namespace trace = tine::trace;
using shape = trace::node::shape;
using tine::base::ticks;
using tine::base::to_nanoseconds;
using tine::sched::branch_end;
using tine::test::children_of;
using tine::test::closed_dag;

const ticks enough = dag_vertex::threshold();

std::uint32_t phase(const std::string& name, std::uint32_t around = trace::nothing) {
  return number_of_phase(name.c_str(), around);
}

trace::profile merged() {
  trace::profile p;
  merge_paths(p);
  merge_phases(p);
  return p;
}

template <class Vertex>
void run(Vertex& v, ticks t) {
  v.start(1);
  v.stop(1 + t);
}

/// Runs `t` ticks in a phase, between two readings of the clock.
template <class Vertex>
void run_in(Vertex& v, std::uint32_t number, ticks t, std::uint32_t around = trace::nothing) {
  v.start(1);
  v.enter(number, 1);
  v.enter(around, 1 + t);
  v.stop(1 + t);
}

/// Returns the work and the count of all paths of a phase with the site as their last fork; 0: of roots.
trace::path sum_of(const trace::profile& p, std::uint32_t number, tine::sched::site where) {
  trace::path all;
  for (const trace::path& row : p.paths) {
    const std::uint64_t site = row.site == trace::nothing ? 0 : p.sites[row.site].address;
    if (row.phase != number || site != where) continue;
    all.work += row.work;
    all.count += row.count;
  }
  return all;
}

void fork(dag_vertex& v, ticks left, ticks right, std::uint32_t phase_on_the_right = trace::nothing) {
  dag_vertex l, r, after;
  v.fork(l, r, 0x100);
  run(l, left);
  phase_on_the_right == trace::nothing ? run(r, right) : run_in(r, phase_on_the_right, right);
  v.join(l, r, after);
  v = after;
}

}  // namespace

TEST_CASE("phases of one name are one phase, but not those around which are others") {
  const std::uint32_t build = phase("build 1"), query = phase("query 1");
  CHECK(build != several_phases);
  CHECK(build != query);
  CHECK(phase("build 1") == build);
  const std::uint32_t inner = phase("sort 1", build);
  CHECK(inner != phase("sort 1", query));
  CHECK(inner != phase("sort 1"));
  const trace::profile p = merged();
  CHECK(p.phases[several_phases].name.empty());
  CHECK(p.phases[build].name == "build 1");
  CHECK(p.phases[build].count == 2);
  CHECK(p.phases[inner].parent == build);
}

TEST_CASE("a phase inside of itself is no new one, and an empty name is none") {
  const std::uint32_t build = phase("build 2"), inner = phase("sort 2", build);
  CHECK(phase("build 2", build) == build);
  CHECK(phase("build 2", inner) == inner);
  CHECK(phase("", build) == build);
  CHECK(phase("") == trace::nothing);
}

TEST_CASE("work and forks count for the phase that is open, on the paths of the same forks") {
  const std::uint32_t query = phase("query 3");
  profiled v;
  run(v, 100);
  run_in(v, query, 1000);
  profiled l, r;
  v.start(1);
  v.enter(query, 1);
  v.stop(1);
  v.fork(l, r, 0x9100);
  CHECK(l.phase == query);
  run(l, 20);
  run_in(r, trace::nothing, 30000, query);
  v.join(l, r, branch_end::unpromoted);
  v.start(1);
  v.enter(trace::nothing, 1);
  v.stop(1);
  profiled a, b;
  v.fork(a, b, 0x9100);
  run(a, 7000);
  run(b, 5000);
  v.join(a, b, branch_end::unpromoted);
  const trace::profile p = merged();
  CHECK(sum_of(p, query, 0).work == to_nanoseconds(1000));
  CHECK(sum_of(p, query, 0x9100).count == 1);
  CHECK(sum_of(p, query, 0x9100).work == to_nanoseconds(20));
  CHECK(sum_of(p, trace::nothing, 0x9100).count == 1);
  CHECK(sum_of(p, trace::nothing, 0x9100).work == to_nanoseconds(30000) + to_nanoseconds(12000));
  CHECK(v.work == 43120);
}

TEST_CASE("a root in a phase starts on the path of that phase") {
  const std::uint32_t query = phase("query 4");
  profiled v;
  v.begin_in(query);
  run(v, 123);
  CHECK(sum_of(merged(), query, 0).work == to_nanoseconds(123));
}

TEST_CASE("a leaf of the dag ends where the strand enters another phase") {
  const std::uint32_t query = phase("query 5");
  dag_vertex v;
  run(v, 3 * enough);
  run_in(v, query, 2 * enough);
  run(v, 4 * enough);
  const closed_dag dag{v};
  CHECK(dag.root().value.is == shape::series);
  CHECK(dag.root().value.work == 9 * enough);
  const auto parts = children_of(dag.root());
  REQUIRE(parts.size() == 3);
  CHECK(parts[0]->value.phase == trace::nothing);
  CHECK(parts[1]->value.phase == query);
  CHECK(parts[1]->value.work == 2 * enough);
  CHECK(parts[2]->value.phase == trace::nothing);
}

TEST_CASE("the branches of a fork are in its phase") {
  const std::uint32_t query = phase("query 6");
  dag_vertex v;
  v.begin_in(query);
  fork(v, enough, enough);
  const closed_dag dag{v};
  const auto branches = children_of(dag.root());
  REQUIRE(branches.size() == 2);
  CHECK(branches[0]->value.phase == query);
  CHECK(branches[1]->value.phase == query);
}

TEST_CASE("many short phases are one leaf of several phases") {
  const std::uint32_t a = phase("a 7"), b = phase("b 7");
  dag_vertex v;
  for (int i = 0; i < 10; ++i) {
    run_in(v, a, enough / 100);
    run_in(v, b, enough / 100);
  }
  const closed_dag dag{v};
  CHECK(dag.root().value.is == shape::leaf);
  CHECK(dag.root().value.phase == several_phases);
}

TEST_CASE("a small fork with a phase in it makes its leaf one of several phases") {
  const std::uint32_t a = phase("a 8");
  dag_vertex v;
  fork(v, 1, 1, a);
  const closed_dag dag{v};
  CHECK(dag.root().value.is == shape::leaf);
  CHECK(dag.root().value.phase == several_phases);
}

TEST_CASE("the other chunks of a loop are one leaf, of their phase or of several") {
  const std::uint32_t a = phase("a 9");
  for (const bool all_alike : {true, false}) {
    dag_vertex v, subrange, after;
    v.begin_in(a);
    run(v, 1);
    v.loop(subrange, 2, 0x200);
    subrange.start(0);
    subrange.chunk(1, enough);
    if (!all_alike) subrange.enter(trace::nothing, enough);
    subrange.chunk(1, 2 * enough);
    subrange.stop(2 * enough);
    v.join_loop(subrange, after);
    v = after;
    const closed_dag dag{v};
    const auto parts = children_of(dag.root());
    REQUIRE(parts.size() == 2);
    const auto chunks = children_of(*parts[1]);
    REQUIRE(chunks.size() == 1);
    CHECK(chunks[0]->value.phase == (all_alike ? a : several_phases));
  }
}

TEST_CASE("folding keeps long leaves of different phases apart, and totals") {
  const std::uint32_t a = phase("a 10"), b = phase("b 10");
  dag_vertex v;
  run_in(v, a, 5 * enough);
  run_in(v, b, 3 * enough);
  fork(v, enough, enough);
  dag_node* const whole = v.close();
  fold_series(whole, 4 * enough);
  REQUIRE(whole->value.is == shape::series);
  CHECK(whole->value.work == 10 * enough);
  const auto parts = children_of(*whole);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0]->value.phase == a);
  CHECK(parts[0]->value.work == 5 * enough);
  CHECK(parts[1]->value.phase == several_phases);
  fold_series(whole, 20 * enough);
  CHECK(whole->value.is == shape::leaf);
  CHECK(whole->value.phase == several_phases);
  drop_nodes(whole);
}

TEST_CASE("an unprofiled program opens phases for nothing") {
  const std::size_t before = merged().phases.size();
  const tine::phase first{"unprofiled"};
  CHECK(tine::sched::registered_phase_hooks.load(tine::base::relaxed) == nullptr);
  const tine::phase second{"unprofiled, too"};
  CHECK(merged().phases.size() == before);
}
