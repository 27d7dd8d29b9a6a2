// Schedules as values: the parts that the constructor refuses, one rule after the other, and the properties of a
// schedule.
#include "unit/replay/example.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

namespace {

using namespace tine::test;
using tine::schedule;

// Returns the reason for which the example is refused after `change`; empty if it is accepted.
template <class F>
std::string refusal(F change) {
  parts p = example();
  change(p);
  try {
    p.make();
    return {};
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

#define CHECK_REFUSED(why, ...)                                                           \
  do {                                                                                    \
    const std::string said = refusal([](parts& p) { __VA_ARGS__; });                      \
    CHECK_MESSAGE(has(said, "not a schedule: "), "'" #__VA_ARGS__ "': '" << said << "'"); \
    CHECK_MESSAGE(has(said, why), "'" #__VA_ARGS__ "': '" << said << "'");                \
  } while (false)

TEST_CASE("workers and owners") {
  CHECK_REFUSED("it is for 0 workers", p.workers = 0);
  CHECK_REFUSED("it is for 65537 workers", p.workers = (1U << 16) + 1);
  CHECK_REFUSED("the root has no owner", p.root = {});
  CHECK_REFUSED("the root is worker 3's, and there are 3", p.root.owner = 3);
  CHECK_REFUSED("the root is worker -2's", p.root.owner = -2);
  CHECK_REFUSED("piece 4 is worker 7's, and there are 3", p.pieces[4].run.owner = 7);
  CHECK_REFUSED("what follows step 1 is worker 3's", p.steps[1].after.owner = 3);
  CHECK_REFUSED("what follows step 3 has times or a stamp, but no owner", p.steps[3].after.end_ns = 7);
  CHECK_REFUSED("piece 0 has times or a stamp, but no owner", p.pieces[0].run.stamp = 20);
  CHECK_REFUSED("piece 3 ends before it begins", p.pieces[3].run.end_ns = 139);
}

TEST_CASE("stamps") {
  CHECK_REFUSED("two strands begin at stamp 4", p.pieces[3].run.stamp = 4);
  CHECK_REFUSED("two strands begin at stamp 0", p.steps[0].after.stamp = 0);
}

TEST_CASE("nodes") {
  CHECK_REFUSED("it has no node", p.nodes.clear(), p.steps.clear(), p.pieces.clear());
  CHECK_REFUSED("node 1 has other steps than those from 2 on", p.nodes[1].first_step = 1);
  CHECK_REFUSED("node 3 has other steps than those from 4 on", p.nodes[3].steps = 2);
  CHECK_REFUSED("node 3 has other steps", p.nodes[3].steps = ~0U);
  CHECK_REFUSED("node 2 is in no piece", p.pieces[1].node = nothing);
  CHECK_REFUSED("node 1 is in two pieces", p.pieces[2].node = 1);
  CHECK_REFUSED("piece 5 has node 1, which does not come after its own", p.pieces[5].node = 1);
  CHECK_REFUSED("piece 7 has node 0, which does not come after its own", p.pieces[7].node = 0);
  CHECK_REFUSED("piece 7 has node 4, and there are 4", p.pieces[7].node = 4);
}

TEST_CASE("steps") {
  CHECK_REFUSED("step 1 does not come after the one before it", p.steps[1].number = 2);
  CHECK_REFUSED("step 4 is in no node", p.nodes[3].steps = 0);
  CHECK_REFUSED("step 1 has other pieces than those from 2 on", p.steps[1].first_piece = 1);
  CHECK_REFUSED("step 1 has no pieces", p.steps[1].pieces = 0);
  CHECK_REFUSED("step 4 has other pieces", p.steps[4].pieces = ~0U);
  CHECK_REFUSED("step 0 is a fork of other than two branches", p.steps[0].count = 3);
  CHECK_REFUSED("nothing of step 3 was stolen, yet its join was", p.steps[3].after = {1, 20, 1, 2});
}

TEST_CASE("pieces") {
  CHECK_REFUSED("piece 8 is in no step", p.pieces.push_back({}));
  CHECK_REFUSED("piece 4 begins behind the end of its step", p.pieces[4].begin = 1000);
  CHECK_REFUSED("piece 4 does not come after the one before it", p.pieces[4].begin = 500);
  CHECK_REFUSED("the first branch of step 0 waits, and its second branch has no owner", p.pieces[0].run = {1, 20, 1, 2},
                p.pieces[1].run = {}, p.steps[0].after = {});
  CHECK_REFUSED("something is stolen in the first branch of step 0, and its second branch is not", p.pieces[1].run = {},
                p.steps[0].after = {});
}

TEST_CASE("a schedule without steals is one of one worker") {
  const schedule none;
  CHECK(none.workers() == 1);
  CHECK(none.steals() == 0);
  CHECK(none.root().owner == 0);
  CHECK(none.nodes().size() == 1);
  CHECK(none.busy_ns() == std::vector<std::uint64_t>{0});
  CHECK(none.duration_ns() == 0);
  CHECK(none == schedule{1, {0, 0, 0, 0}, {{}}, {}, {}});
}

TEST_CASE("steals, times and size") {
  const schedule s = example().make();
  CHECK(s.workers() == 3);
  CHECK(s.steals() == 5);
  CHECK(s.duration_ns() == 400);
  CHECK(s.busy_ns() == std::vector<std::uint64_t>{50 + 70 + 25 + 50, 60 + 40, 160 + 100 + 40 + 40});
  CHECK(s.size_bytes() ==
        sizeof s + 4 * sizeof(schedule::node) + 5 * sizeof(schedule::step) + 8 * sizeof(schedule::piece));
  CHECK(schedule{}.size_bytes() == sizeof s + sizeof(schedule::node));
}
