// The paths of races and where they part, the races of pairs of lines, and suppressions.
#include "report/races.hpp"
#include "report/race_paths.hpp"
#include "report/suppressions.hpp"

#include <rapidcheck.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace tine;
using report::parting_kind;
using report::race_paths;
using trace::construct;
using trace::nothing;
using trace::race_step;

race_step forked(std::uint32_t parent, std::uint64_t branch, std::uint64_t address = 0x10, bool is_cut = false) {
  return {parent, address, construct::fork, branch, is_cut};
}

race_step looped(std::uint32_t parent, std::uint64_t iteration) { return {parent, 0x20, construct::loop, iteration}; }

report::place at_line(std::uint32_t line, const std::string& function = "f") {
  report::place p;
  p.at = {function, "/src/a.cpp", line};
  p.chain = {
      {"std::plus<>::operator()", "/usr/include/c++/12/bits/stl_function.h", 200}, p.at, {"outer", "/src/b.cpp", 1}};
  p.fallback = "a+0x" + std::to_string(line);
  return p;
}

trace::race race_of(std::uint64_t earlier, std::uint64_t later, std::uint32_t earlier_step, std::uint32_t later_step,
                    std::uint64_t count = 1) {
  trace::race r;
  r.earlier = earlier, r.later = later, r.earlier_step = earlier_step, r.later_step = later_step, r.count = count;
  return r;
}

// A profile with these steps and a race between two of them, in the lines 1 and 2.
report::found_race found(const std::vector<race_step>& steps, std::uint32_t earlier, std::uint32_t later) {
  trace::profile p;
  p.race_steps = steps;
  p.races = {race_of(1, 2, earlier, later)};
  const report::race_sources sources{{{1, at_line(1)}, {2, at_line(2)}, {0x10, at_line(10)}, {0x20, at_line(20)}}, {}};
  const report::race_summary all = report::find_races(p, sources);
  REQUIRE(all.races.size() == 1);
  return all.races.front();
}

std::vector<report::suppression> list(const std::string& text) { return report::parse_suppressions(text, "list"); }

std::string complaint_about(const std::string& text) {
  try {
    list(text);
    return "";
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
}

std::vector<std::uint32_t> way_up(const std::vector<race_step>& steps, std::uint32_t at) {
  std::vector<std::uint32_t> way;
  for (; at != nothing; at = steps[at].parent) way.push_back(at);
  std::ranges::reverse(way);
  return way;
}

}  // namespace

TEST_CASE("a path may end where the other one continues, and may be unknown") {
  const race_paths paths{{forked(nothing, 0), looped(0, 3)}};
  CHECK(paths.part(0, 1).common == 0);
  CHECK(paths.part(0, 1).earlier == nothing);
  CHECK(paths.part(0, 1).later == 1);
  CHECK(paths.part(nothing, 1).common == nothing);
  CHECK(paths.part(nothing, 1).later == 0);
  CHECK(!paths.is_complete(nothing));
  CHECK(paths.is_complete(1));
}

TEST_CASE("equal steps with equal parents are one step, unless what is above them is not known") {
  const std::vector<race_step> twins{forked(nothing, 0), forked(nothing, 0), forked(0, 0), forked(1, 1)};
  CHECK(race_paths{twins}.part(2, 3).common == 0);
  for (const race_step& unlike :
       {forked(nothing, 1), forked(nothing, 0, 0x11), forked(nothing, 0, 0x10, true), looped(nothing, 0)}) {
    const std::vector<race_step> steps{forked(nothing, 0), unlike, forked(0, 0), forked(1, 1)};
    CHECK(race_paths{steps}.part(2, 3).common == nothing);
  }
  const std::vector<race_step> cut{forked(nothing, 0, 0x10, true), forked(nothing, 0, 0x10, true)};
  CHECK(race_paths{cut}.part(0, 1).common == nothing);
  const std::vector<race_step> roots{forked(nothing, 0, 0), forked(nothing, 0, 0)};
  CHECK(race_paths{roots}.part(0, 1).common == nothing);
}

TEST_CASE("random trees part as a comparison from the top says") {
  REQUIRE(rc::check([] {
    const auto size = *rc::gen::inRange<std::uint32_t>(1, 200);
    std::vector<race_step> steps;
    for (std::uint32_t i = 0; i < size; ++i) {
      const auto parent = *rc::gen::inRange<std::uint32_t>(i > 5 ? i - 5 : 0, i + 1);  // deep trees
      steps.push_back(forked(parent == i ? nothing : parent, i));                      // no two are equal
    }
    const race_paths paths{steps};
    const auto a = *rc::gen::inRange<std::uint32_t>(0, size), b = *rc::gen::inRange<std::uint32_t>(0, size);
    const auto one = way_up(steps, a), other = way_up(steps, b);
    const auto [at_one, at_other] = std::ranges::mismatch(one, other);
    const auto part = paths.part(a, b);
    RC_ASSERT(part.common == (at_one == one.begin() ? nothing : *(at_one - 1)));
    RC_ASSERT(part.earlier == (at_one == one.end() ? nothing : *at_one));
    RC_ASSERT(part.later == (at_other == other.end() ? nothing : *at_other));
    RC_ASSERT(paths.count_below(part.common, a) == static_cast<std::uint64_t>(one.end() - at_one));
    RC_ASSERT(paths.steps_below(nothing, a, size) == one);
  }));
}

TEST_CASE("the construct at which two strands part") {
  CHECK(found({forked(nothing, 0), forked(nothing, 1)}, 0, 1).parting.text() ==
        "the two branches of the fork at a.cpp:10");
  const auto iterations = found({looped(nothing, 17), looped(nothing, 18), forked(0, 1)}, 2, 1);
  CHECK(iterations.parting.text() == "iterations 17 and 18 of the loop at a.cpp:20");
  CHECK(iterations.earlier.path.steps.size() == 2);
  CHECK(iterations.earlier.path.steps[0].text() == "iteration 17 of the loop at a.cpp:20");
  CHECK(iterations.earlier.path.steps[1].text() == "the second branch of the fork at a.cpp:10");
  CHECK(iterations.common.steps.empty());
  race_step child = forked(nothing, 0), behind = forked(nothing, 1);
  child.kind = behind.kind = construct::coroutine_fork;
  CHECK(found({child, behind}, 0, 1).parting.text() ==
        "the coroutine forked at a.cpp:10 and the code behind that fork");
  const auto added = [](std::uint64_t task, std::uint64_t address) {
    return race_step{nothing, address, construct::task, task};
  };
  CHECK(found({added(1, 0x10), added(2, 0x10)}, 0, 1).parting.text() == "two tasks added to groups at a.cpp:10");
  CHECK(found({added(1, 0x10), added(2, 0x20)}, 0, 1).parting.text() ==
        "the tasks added to groups at a.cpp:10 and at a.cpp:20");
  const auto caller = found({added(1, 0x10), looped(nothing, 3)}, 0, 1);
  CHECK(caller.parting.text() == "the task added to a group at a.cpp:10 and the code that does not wait for it");
  CHECK(caller.earlier.path.steps[0].text() == "the task added to a group at a.cpp:10");
  CHECK(found({forked(nothing, 0, 0), forked(nothing, 0, 0)}, 0, 1).parting.text() == "two roots or threads");
  CHECK(found({forked(nothing, 0, 0), forked(nothing, 0, 0), forked(0, 0), looped(1, 3)}, 2, 3).parting.kind ==
        parting_kind::roots);
  CHECK(found({forked(nothing, 0, 0, true), looped(nothing, 3)}, 0, 1).parting.kind == parting_kind::roots);
  const auto directly =
      found({forked(nothing, 0, 0, true)}, 0, nothing);  // the later access is in no branch and no iteration
  CHECK(directly.parting.kind == parting_kind::roots);
  CHECK(directly.is_complete);
}

TEST_CASE("a path that is not complete says so, and may hide the iteration") {
  race_step cut = looped(nothing, 0);
  cut.is_cut = true;
  const auto one = found({cut, looped(nothing, 18), forked(0, 0)}, 2, 1);
  CHECK(one.parting.text() == "iteration 18 and another one of the loop at a.cpp:20");
  CHECK(one.earlier.path.steps[0].text() == "an iteration of the loop at a.cpp:20");
  CHECK(one.earlier.path.steps[0].is_cut);
  CHECK(!one.is_complete);
  CHECK(found({cut, cut}, 0, 1).parting.text() == "two iterations of the loop at a.cpp:20");
  CHECK(found({forked(nothing, 0, 0x10, true), forked(nothing, 1)}, 0, 1).parting.text() ==
        "the two branches of the fork at a.cpp:10");
  CHECK(found({forked(nothing, 0), forked(nothing, 1, 0x11)}, 0, 1).parting.text() == "not known");
  const auto common = found({forked(nothing, 0, 0x10, true), forked(0, 0), forked(0, 1)}, 1, 2);
  CHECK(common.parting.kind == parting_kind::fork);
  CHECK(!common.is_complete);
  CHECK(found({forked(nothing, 0)}, 0, nothing).parting.kind == parting_kind::unknown);
}

TEST_CASE("the innermost steps of a long path are kept") {
  std::vector<race_step> steps{forked(nothing, 0), forked(nothing, 1)};
  for (std::uint32_t i = 0; i < 1000; ++i) steps.push_back(looped(i == 0 ? 0 : i + 1, i));
  const auto race = found(steps, 1001, 1);
  CHECK(race.parting.kind == parting_kind::fork);
  REQUIRE(race.earlier.path.steps.size() == 64);
  CHECK(race.earlier.path.steps.back().branch == 999);
  CHECK(race.earlier.path.left_out == 1001 - 64);
}

TEST_CASE("rows of the same two lines are one race, in either order") {
  trace::profile p;
  p.race_steps = {forked(nothing, 0), forked(nothing, 1)};
  p.races = {race_of(1, 3, 0, 1, 5), race_of(2, 4, 0, 1, 9), race_of(4, 2, 0, 1, 2)};
  p.races[0].earlier_kind = trace::access_kind::read;
  p.races[1].is_locked = true;
  p.races[2].earlier_kind = trace::access_kind::read;
  // The addresses 2 and 5 are instances of one template; 4 has no debug information.
  const report::race_sources sources{
      {{1, at_line(1)}, {2, at_line(2, "g<int>")}, {3, at_line(3)}, {5, at_line(2, "g<long>")}}, {}};
  p.races.push_back(race_of(5, 4, 1, 0, 3));
  const auto all = report::find_races(p, sources);
  REQUIRE(all.races.size() == 2);
  CHECK(all.races[0].count == 14);
  CHECK(all.races[0].pairs == 3);
  CHECK(!all.races[0].is_locked);
  CHECK(all.races[0].earlier.where.at.function == "g<int>");
  CHECK(all.races[0].earlier.kinds == std::vector<std::string>{"write"});
  CHECK(all.races[0].later.where.name() == "0x4");
  CHECK(all.races[0].later.kinds == std::vector<std::string>{"write", "read"});
  CHECK(all.races[1].earlier.kinds == std::vector<std::string>{"read"});
  // The accesses keep their order if the first row has the lines in the other order.
  std::ranges::swap(p.races[0].earlier, p.races[0].later);
  const auto turned = report::find_races(p, sources).races[1];
  CHECK(turned.earlier.where.at.line == 3);
  CHECK(turned.earlier.kinds == std::vector<std::string>{"read"});
  CHECK(turned.later.kinds == std::vector<std::string>{"write"});
}

TEST_CASE("memory is named by its variable or by its allocation") {
  trace::profile p;
  p.races = {race_of(1, 2, nothing, nothing)};
  trace::race& row = p.races[0];
  const auto memory = [&] {
    return report::find_races(p, {{{9, at_line(9)}}, {{0x108, {"total", 8, 16}}, {0x200, {"flag", 0, 4}}}})
        .races[0]
        .memory.text();
  };
  row.address = 0x108;
  CHECK(memory() == "memory at 0x108");
  row.memory = trace::memory_kind::global;
  CHECK(memory() == "the global `total` (offset 8)");
  row.address = 0x200;
  CHECK(memory() == "the global `flag`");
  row.address = 0x300;
  CHECK(memory() == "a global at 0x300");
  row.memory = trace::memory_kind::heap;
  CHECK(memory() == "the heap");
  row.block = 0x2f0, row.block_bytes = 64;
  CHECK(memory() == "64 bytes on the heap (offset 16)");
  row.block_site = 9;
  CHECK(memory() == "64 bytes allocated at a.cpp:9 (offset 16)");
  row.memory = trace::memory_kind::frame;
  CHECK(memory() == "a coroutine frame allocated at a.cpp:9 (offset 16)");
  row.memory = trace::memory_kind::stack;
  CHECK(memory() == "the stack");
}

TEST_CASE("suppressions are read line by line") {
  const auto all = list("# comment\n\nfunction:f*\n  file: a.cpp \r\nvariable:ns::x");
  REQUIRE(all.size() == 3);
  CHECK(all[0].where == "list:3");
  CHECK(all[1].pattern == "a.cpp");
  CHECK(all[1].of == report::suppression::subject::file);
  CHECK(all[2].pattern == "ns::x");
  CHECK(list("").empty());
  for (const char* bad : {"f", "f:x", ":x", "Function:x", "function:", "variable:  "}) {
    CAPTURE(std::string{bad});
    CHECK(complaint_about("\n" + std::string{bad}).starts_with("list:2: "));
  }
}

TEST_CASE("patterns match whole names of any frame, or the variable") {
  const auto suppresses = [](const std::string& line) {
    trace::profile p;
    p.races = {race_of(1, 2, nothing, nothing)};
    p.races[0].address = 0x108, p.races[0].memory = trace::memory_kind::global;
    const report::race_sources sources{{{1, at_line(1, "ns::f<int>(char)")}, {2, at_line(2, "g")}},
                                       {{0x108, {"ns::total", 8, 16}}}};
    auto suppressed = list(line);
    const auto all = report::find_races(p, sources, suppressed);
    CHECK(all.races.size() + all.suppressed == 1);
    CHECK(suppressed[0].used == all.suppressed);
    return all.races.empty();
  };
  for (const char* line : {"function:ns::f", "function:ns::f<int>(char)", "function:*::f", "function:g",
                           "function:outer", "function:?", "function:std::plus", "function:[fg]", "file:a.cpp",
                           "file:/src/a.cpp", "file:b.*", "file:*/bits/*", "variable:ns::total", "variable:*"}) {
    CAPTURE(std::string{line});
    CHECK(suppresses(line));
  }
  for (const char* line : {"function:f", "function:ns", "function:total", "function:\\?", "file:src", "file:a",
                           "file:a.cpp:1", "variable:total", "variable:g", "file:ns::total"}) {
    CAPTURE(std::string{line});
    CHECK(!suppresses(line));
  }
}

TEST_CASE("a name without arguments keeps its operator and unnamed namespaces") {
  for (const auto& [whole, without] : std::vector<std::pair<std::string, std::string>>{
           {"f", "f"},
           {"ns::f<int>(char)", "ns::f"},
           {"main::$_0::operator()(int) const", "main::$_0::operator()"},
           {"add(std::vector<int> const&)::$_0::operator()(int) const", "add"},
           {"(anonymous namespace)::table::operator<(table const&)", "(anonymous namespace)::table::operator<"},
           {"ns::operator<<(int)", "ns::operator<<"},
           {"my_operator()", "my_operator"},
           {"ns::operator->()", "ns::operator->"}}) {
    CHECK(report::without_arguments(whole) == without);
  }
}
