// Files with right checksums but wrong sizes, indices or counts. The reader refuses each file at the row that is wrong.
#include "trace/read_profile.hpp"
#include "trace/write.hpp"
#include "unit/trace/example.hpp"
#include "unit/trace/section.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

namespace {

using namespace tine::trace;
using namespace tine::test;

constexpr std::uint64_t none = 0;  // an index counts from 1 in the file
const std::size_t first_section = 16 + empty_run().size();
const std::size_t first_row = first_section + 16;

// Returns the message for a file with an ordinary run and this section; "" if the reader accepts the file.
std::string refused(const std::string& section, std::uint64_t offset) {
  try {
    parse_profile(file({empty_run(), section}), "it");
    return "";
  } catch (const bad_file& bad) {
    CHECK(bad.offset() == offset);
    return bad.what();
  }
}

void refuses(const std::string& section, const std::string& problem, std::uint64_t offset = first_row) {
  CHECK(refused(section, offset) == "it: byte " + std::to_string(offset) + ": " + problem);
}

std::string node_row(node::shape shape, std::uint64_t children, std::uint64_t site = none, std::uint64_t work = 1,
                     std::uint64_t span = 1) {
  return message({static_cast<std::uint64_t>(shape), children, site, work, span, 0});
}

}  // namespace

TEST_CASE("claimed sizes beyond the file are refused before anything is allocated") {
  const std::string huge_section = u32(number_of("paths")) + u32(0) + u64(~0ull) + "x";
  CHECK(refused(huge_section, first_section).find("'paths' says it has 18446744073709551615 bytes") !=
        std::string::npos);
  const auto with_content = [](const std::string& content) { return section(number_of("paths"), content); };
  refuses(with_content("\x2A\xFF\xFF\xFF\xFF\x0F"), "the rows cannot be decoded: end of buffer exception");
  CHECK(refused(with_content("\x2A"), first_row) != "");
  refuses(with_content(std::string(11, '\xFF')), "the rows cannot be decoded: varint too long exception");
  CHECK(refused(with_content(std::string(1, '\0')), first_row) != "");
  CHECK(refused(with_content("\x2B"), first_row) != "");  // a group, which protocol buffers no longer have
  refuses(with_content("\x28\x01"), "a row that is no message");
}

TEST_CASE("a row lacks no field, so that a small file cannot ask for much memory") {
  refuses(table("paths", {""}), "row 0 of 'paths': parent is missing");
  refuses(table("paths", {message({0, 0, 0, 0, 0}), message({0, 0, 0, 0})}), "row 1 of 'paths': iterations is missing",
          first_row + 12);
  refuses(table("paths", {message({0, 0, 0, 0, 0}) + message({0})}), "row 0 of 'paths': parent stands there twice");
  refuses(table("phases", {""}), "row 0 of 'phases': name is missing");
}

TEST_CASE("texts beyond their row, and fields of another type, are refused") {
  CHECK(refused(table("phases", {text_field(1, "a phase")}), 0) == "");
  refuses(table("phases", {"\x0A\x64x"}), "row 0 of 'phases': it cannot be decoded: end of buffer exception");
  refuses(table("phases", {message({7})}), "row 0 of 'phases': name has the encoding of another type");
  refuses(table("paths", {text_field(1, "")}), "row 0 of 'paths': parent has the encoding of another type");
}

TEST_CASE("unknown values are refused") {
  refuses(table("sites", {message({1, 4, 0, 0, 0, 0, 0})}),
          "row 0 of 'sites': kind: the value 4 where at most 3 is known; use the tine that the program was built with");
  CHECK(refused(table("nodes", {message({4, 0, none, 0, 0, 0})}), first_row) != "");
  refuses(
      table("roots", {message({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0})}),
      "row 0 of 'roots': threw: the value 2 where at most 1 is known; use the tine that the program was built with");
  CHECK(refused(table("nodes", {message({0, 1ull << 32, none, 0, 0, 0})}), first_row) != "");
  const auto with_cost = [](double cost) {
    std::string changed;
    put_field(changed, 10, cost);
    return file({table("run", {run_row(10, changed)})});
  };
  CHECK_NOTHROW(parse_profile(with_cost(1.5), "it"));
  for (const double cost : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1.0})
    CHECK_THROWS_AS(parse_profile(with_cost(cost), "it"), bad_file);
}

TEST_CASE("samples: a way of sampling that is unknown, rows that are short") {
  std::string changed;
  put_field(changed, 16, std::uint64_t{6});
  CHECK_THROWS_AS(parse_profile(file({table("run", {run_row(16, changed)})}), "it"), bad_file);
  refuses(table("samples", {message({1, 0, 0, 0})}), "row 0 of 'samples': count is missing");
}

TEST_CASE("paths: parents stand before, indices are in range") {
  const auto paths = [](const std::vector<std::vector<std::uint64_t>>& values) {
    std::vector<std::string> rows;
    for (const auto& each : values) rows.push_back(message(each));
    return table("paths", rows);
  };
  CHECK(refused(paths({{none, none, 0, 0, 0}}), 0) == "");
  refuses(paths({{none, 1, 0, 0, 0}}), "row 0 of 'paths': site 0, but there are 0");
  refuses(paths({{1, none, 0, 0, 0}}), "row 0 of 'paths': its parent does not stand before it");
  refuses(paths({{none, none, 0, 0, 0}, {8, none, 0, 0, 0}}), "row 1 of 'paths': parent 7, but there are 2",
          first_row + 12);
  refuses(paths({{none, none, 0, 0, 0}, {1, none, 0, 0, 0}}), "row 1 of 'paths': it has a parent, but no site",
          first_row + 12);
  refuses(table("callers", {message({none, 5})}), "row 0 of 'callers': it is of no site");
}

TEST_CASE("points, space and modules") {
  refuses(table("points", {message({none, 1, 0, 0, 0, 0})}), "row 0 of 'points': phase 0, but there are 0");
  CHECK(refused(table("points", {message({6, none, 0, 0, 0, 0})}), first_row) != "");
  const std::string space = message({0, 0, 0, 0, 0, 0});
  refuses(table("space", {space, space}), "'space' has 2 rows, but a profile has at most one", first_section);
  const std::string module = text_field(1, "") + text_field(2, "") + message({0, 0, 2, 1, 0}).substr(4);
  refuses(table("modules", {module}), "row 0 of 'modules': a module that ends before it begins");
  CHECK_THROWS_AS(parse_profile(file({table("run", {})}), "it"), bad_file);
  CHECK_THROWS_AS(parse_profile(file({table("run", {run_row(), run_row()})}), "it"), bad_file);
}

TEST_CASE("the children of nodes add up") {
  using enum node::shape;
  CHECK(refused(table("nodes", {node_row(series, 2, none, 2, 2), node_row(leaf, 0), node_row(parallel, 1),
                                node_row(leaf, 0), node_row(leaf, 0)}),
                0) == "");
  refuses(table("nodes", {node_row(leaf, 1), node_row(leaf, 0)}), "row 0 of 'nodes': a leaf with children");
  refuses(table("nodes", {node_row(series, 0xFFFFFFFF), node_row(leaf, 0)}),
          "row 0 of 'nodes': 4294967295 children, but only 1 nodes follow");
  refuses(table("nodes", {node_row(series, 2), node_row(series, 1), node_row(leaf, 0)}),
          "row 2 of 'nodes': the last node, but others still lack children", first_row + 28);
  CHECK(refused(table("nodes", {node_row(parallel, 0, 4)}), first_row) != "");
}

TEST_CASE("work and span of nodes are those of their children") {
  using enum node::shape;
  const auto nodes = [](const std::vector<std::string>& rows) { return table("nodes", rows); };
  const std::string two = node_row(leaf, 0, none, 2, 2), three = node_row(leaf, 0, none, 3, 3);
  for (const node::shape shape : {parallel, loop}) {
    CHECK(refused(nodes({node_row(shape, 2, none, 5, 3), two, three}), 0) == "");
    refuses(nodes({node_row(shape, 2, none, 5, 2), two, three}),
            "row 0 of 'nodes': the span of its children is 3, but it is 2");
  }
  CHECK(refused(nodes({node_row(series, 2, none, 5, 5), two, three}), 0) == "");
  refuses(nodes({two, node_row(series, 2, none, 5, 3), two, three}),
          "row 1 of 'nodes': the span of its children is 5, but it is 3", first_row + 14);
  refuses(nodes({node_row(series, 2, none, 4, 5), two, three}),
          "row 0 of 'nodes': the work of its children is 5, but it is 4");
}

TEST_CASE("values that do not add up to the whole are refused") {
  const profile good = example();
  const auto refused_if = [&](auto change, const std::string& problem) {
    profile p = good;
    change(p);
    const scratch_file file{"tine-sums"};
    REQUIRE(write(p, file.path()) == "");
    try {
      parse_profile(file.bytes(), "it");
      CHECK(problem == "");
    } catch (const bad_file& bad) {
      CAPTURE(bad.what());
      CHECK(problem != "");
      CHECK(std::string{bad.what()}.find(problem) != std::string::npos);
    }
  };
  refused_if([](profile&) {}, "");
  refused_if([](profile& p) { p.nodes.pop_back(); }, "there are trees for 1, but it is 2 roots");
  refused_if([](profile& p) { ++p.roots[1].all.work; }, "row 5 of 'nodes': its root's work is 74, but it is 73");
  refused_if([](profile& p) { --p.roots[0].all.span_high; }, "row 0 of 'nodes': its root's span is 94, but it is 95");
  refused_if([](profile& p) { ++p.sites[0].count; }, "row 0 of 'sites': its paths count 43, but it is 44");
  refused_if([](profile& p) { ++p.paths[2].iterations; },
             "row 1 of 'sites': the iterations of its paths are 231, but it is 230");
  refused_if([](profile& p) { p.roots[0].all.forks += 1; }, "forks of all sites: 90, but it is 91 in the roots");
  refused_if([](profile& p) { p.roots[0].all.forks -= 1; }, "forks of all sites: 90, but it is 89 in the roots");
  refused_if([](profile& p) { p.roots[0].all.loops += 1; }, "loops of all sites: 45, but it is 46 in the roots");
  refused_if([](profile& p) { p.roots[0].all.iterations -= 1; }, "iterations of all sites: 230, but it is 229");
  refused_if([](profile& p) { p.paths[0].work += 100; }, "the work of all paths is 272, but it is 172 in the roots");
  refused_if([](profile& p) { ++p.samples[1].count; },
             "row 0 of 'samples': the samples of all places are 22, but it is 21");
  refused_if([](profile& p) { --p.run.unlocated; }, "the samples of all places are 20, but it is 21 in the run");
  refused_if([](profile& p) { p.samples.clear(); }, "row 0 of 'run': the samples of all places are 8, but it is 21");
  refused_if([](profile& p) { p.samples[0].count = ~0ull; }, "are 18446744073709551615, but it is 21 in the run");
  refused_if([](profile& p) { p.samples.push_back({1, 0, 0, 0, 0}); }, "row 2 of 'samples': a place without a sample");
  refused_if([](profile& p) { p.rank[0].rank = 5; }, "row 0 of 'rank': rank 5 of 5");
  refused_if([](profile& p) { p.rank[0].without_work = 131; }, "row 0 of 'rank': more time without work than in calls");
  refused_if([](profile& p) { p.rank.push_back(p.rank[0]); }, "'rank' has 2 rows");
  refused_if([](profile& p) { p.idle_periods[1].begin = 151; },
             "row 1 of 'idle_periods': it begins before the end of the period before it");
  refused_if([](profile& p) { p.idle_periods[0].wall = ~0ull; }, "row 1 of 'idle_periods': it begins before the end");
  refused_if([](profile& p) { p.idle_periods[1].without_work = 23; },
             "row 1 of 'idle_periods': more time without work than time");
  // the row of a root that had not ended includes what ran in the root
  refused_if([](profile& p) { p.roots[1].all.forks -= 1; }, "forks of all sites: 90, but it is 89 in the roots");
  refused_if([](profile& p) { p.roots.pop_back(), p.nodes.pop_back(); }, "forks of all sites: 90, but it is 57");
}

TEST_CASE("a dag of a million levels is checked without recursion") {
  constexpr std::size_t levels = 1'000'000;
  std::vector<std::string> rows(levels, node_row(node::shape::series, 1));
  rows.back() = node_row(node::shape::leaf, 0);
  CHECK(refused(table("nodes", rows), 0) == "");
}
