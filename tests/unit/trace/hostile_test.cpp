// Files with right checksums but wrong sizes, indices or counts. The reader refuses each file at the row that is wrong.
#include "trace/reader.hpp"
#include "trace/writer.hpp"
#include "unit/trace/example.hpp"
#include "unit/trace/forge.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace tine::trace;
using namespace tine::test;

constexpr std::uint64_t none = nothing;
const std::size_t first_section = 16 + empty_run().size();
const std::size_t first_row = first_section + 32;

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

std::string says(std::uint64_t offset, const std::string& problem) {
  return "it: byte " + std::to_string(offset) + ": " + problem;
}

std::string node_row(node::shape shape, std::uint64_t children, std::uint64_t site = none, std::uint64_t work = 1,
                     std::uint64_t span = 1) {
  return words({static_cast<std::uint64_t>(shape), children, site, work, 0, span, 0, 0, 0});
}

}  // namespace

TEST_CASE("claimed sizes beyond the file are refused before anything is allocated") {
  const std::string huge_section = "path" + u32(0) + u64(~0ull) + "x";
  CHECK(refused(huge_section, first_section).find("says it has 18446744073709551615 bytes") != std::string::npos);
  CHECK(refused(table("path", 32, 1ull << 60, ""), first_section + 24) ==
        says(first_section + 24, "1152921504606846976 rows of 32 bytes, but the section has 0 bytes for them"));
  CHECK(refused(table("path", 0xFFFFFFFF, 2, ""), first_section + 24) != "");
  CHECK(refused(table("path", 0, 1ull << 40, ""), first_section + 16) ==
        says(first_section + 16, "rows of 0 bytes, but at least 32 are needed"));
  CHECK(refused(section("path", "abc"), first_section + 16) != "");
}

TEST_CASE("texts outside of their table, or shared to need much memory, are refused") {
  const std::string text(100, 'x');
  CHECK(refused(table("phas", 8, 1, words({0, 100}) + text), 0) == "");
  CHECK(refused(table("phas", 8, 1, words({1, 100}) + text), first_row) ==
        says(first_row, "a text from 1 of length 100, but the table has 100 bytes of text"));
  CHECK(refused(table("phas", 8, 1, words({0xFFFFFFFF, 0xFFFFFFFF}) + text), first_row) != "");
  CHECK(refused(table("phas", 8, 2, words({0, 60, 0, 60}) + text), first_row + 8) ==
        says(first_row + 8, "strings that share their text"));
}

TEST_CASE("unknown values are refused") {
  CHECK(refused(table("site", 52, 1, words({1, 0, 3}) + std::string(40, '\0')), first_row + 8) != "");
  CHECK(refused(table("node", 36, 1, words({4, 0, none}) + std::string(24, '\0')), first_row) != "");
  const std::string threw = std::string(80, '\0') + u32(2) + std::string(12, '\0');
  CHECK(refused(table("root", 96, 1, threw), first_row + 80) != "");
  std::string nan_cost(100, '\0');
  nan_cost.replace(56 + 6, 2, "\xF8\x7F");
  CHECK_THROWS_AS(parse_profile(file({table("run ", 100, 1, nan_cost)}), "it"), bad_file);
}

TEST_CASE("samples: a way of sampling that is unknown, rows that are short") {
  const std::string run = std::string(100, '\0') + u32(5) + std::string(24, '\0');
  CHECK_THROWS_AS(parse_profile(file({table("run ", 128, 1, run)}), "it"), bad_file);
  CHECK(refused(table("samp", 32, 1, std::string(32, '\0')), first_section + 16) ==
        says(first_section + 16, "rows of 32 bytes, but at least 40 are needed"));
}

TEST_CASE("a profile of a tine that did not sample is read") {
  const profile p = parse_profile(file({empty_run()}), "it");
  CHECK(p.samples.empty());
  CHECK(p.run.sampled == sampling::none);
}

TEST_CASE("paths: parents stand before, indices are in range") {
  const auto paths = [](std::uint64_t rows, const std::vector<std::uint64_t>& values) {
    return table("path", 32, rows, words(values));
  };
  CHECK(refused(paths(1, {none, none, 0, 0, 0, 0, 0, 0}), 0) == "");
  CHECK(refused(paths(1, {none, 0, 0, 0, 0, 0, 0, 0}), first_row) ==
        says(first_row, "row 0 of 'path': site 0, but there are 0"));
  CHECK(refused(paths(1, {0, none, 0, 0, 0, 0, 0, 0}), first_row) ==
        says(first_row, "row 0 of 'path': its parent does not stand before it"));
  CHECK(refused(paths(2, {none, none, 0, 0, 0, 0, 0, 0, 7, none, 0, 0, 0, 0, 0, 0}), first_row + 32) != "");
  CHECK(refused(paths(2, {none, none, 0, 0, 0, 0, 0, 0, 0, none, 0, 0, 0, 0, 0, 0}), first_row + 32) ==
        says(first_row + 32, "row 1 of 'path': it has a parent, but no site"));
}

TEST_CASE("points, space and modules") {
  CHECK(refused(table("poin", 40, 1, words({none, 0, 0, 0, 0, 0, 0, 0, 0, 0})), first_row) ==
        says(first_row, "row 0 of 'poin': phase 0, but there are 0"));
  CHECK(refused(table("poin", 40, 1, words({5, none, 0, 0, 0, 0, 0, 0, 0, 0})), first_row) != "");
  CHECK(refused(table("spac", 48, 2, std::string(96, '\0')), first_row + 48) != "");
  CHECK(refused(table("modu", 40, 1, std::string(16, '\0') + u64(2) + u64(1) + u64(0)), first_row) != "");
  CHECK_THROWS_AS(parse_profile(file({table("run ", 100, 0, "")}), "it"), bad_file);
  CHECK_THROWS_AS(parse_profile(file({table("run ", 100, 2, std::string(200, '\0'))}), "it"), bad_file);
}

TEST_CASE("the children of nodes add up") {
  using enum node::shape;
  const auto nodes = [](const std::vector<std::string>& rows) {
    std::string all;
    for (const auto& row : rows) all += row;
    return table("node", 36, rows.size(), all);
  };
  CHECK(refused(nodes({node_row(series, 2, none, 2, 2), node_row(leaf, 0), node_row(parallel, 1), node_row(leaf, 0),
                       node_row(leaf, 0)}),
                0) == "");
  CHECK(refused(nodes({node_row(leaf, 1), node_row(leaf, 0)}), first_row) ==
        says(first_row, "row 0 of 'node': a leaf with children"));
  CHECK(refused(nodes({node_row(series, 0xFFFFFFFF), node_row(leaf, 0)}), first_row) ==
        says(first_row, "row 0 of 'node': 4294967295 children, but only 1 nodes follow"));
  CHECK(refused(nodes({node_row(series, 2), node_row(series, 1), node_row(leaf, 0)}), first_row + 72) ==
        says(first_row + 72, "row 2 of 'node': the last node, but others still lack children"));
  CHECK(refused(nodes({node_row(parallel, 0, 3)}), first_row) != "");
}

TEST_CASE("work and span of nodes are those of their children") {
  using enum node::shape;
  const auto nodes = [](const std::vector<std::string>& rows) {
    std::string all;
    for (const auto& row : rows) all += row;
    return table("node", 36, rows.size(), all);
  };
  const std::string two = node_row(leaf, 0, none, 2, 2), three = node_row(leaf, 0, none, 3, 3);
  for (const node::shape shape : {parallel, loop}) {
    CHECK(refused(nodes({node_row(shape, 2, none, 5, 3), two, three}), 0) == "");
    CHECK(refused(nodes({node_row(shape, 2, none, 5, 2), two, three}), first_row) ==
          says(first_row, "row 0 of 'node': the span of its children is 3, but it is 2"));
  }
  CHECK(refused(nodes({node_row(series, 2, none, 5, 5), two, three}), 0) == "");
  CHECK(refused(nodes({two, node_row(series, 2, none, 5, 3), two, three}), first_row + 36) ==
        says(first_row + 36, "row 1 of 'node': the span of its children is 5, but it is 3"));
  CHECK(refused(nodes({node_row(series, 2, none, 4, 5), two, three}), first_row) ==
        says(first_row, "row 0 of 'node': the work of its children is 5, but it is 4"));
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
  refused_if([](profile& p) { ++p.roots[1].all.work; }, "row 5 of 'node': its root's work is 74, but it is 73");
  refused_if([](profile& p) { --p.roots[0].all.span_high; }, "row 0 of 'node': its root's span is 94, but it is 95");
  refused_if([](profile& p) { ++p.sites[0].count; }, "row 0 of 'site': its paths count 43, but it is 44");
  refused_if([](profile& p) { ++p.paths[2].iterations; },
             "row 1 of 'site': the iterations of its paths are 231, but it is 230");
  refused_if([](profile& p) { p.roots[0].all.forks += 1; }, "forks of all sites: 90, but it is 91 in the roots");
  refused_if([](profile& p) { p.roots[0].all.forks -= 1; }, "forks of all sites: 90, but it is 89 in the roots");
  refused_if([](profile& p) { p.roots[0].all.loops += 1; }, "loops of all sites: 45, but it is 46 in the roots");
  refused_if([](profile& p) { p.roots[0].all.iterations -= 1; }, "iterations of all sites: 230, but it is 229");
  refused_if([](profile& p) { p.paths[0].work += 100; }, "the work of all paths is 272, but it is 172 in the roots");
  refused_if([](profile& p) { ++p.samples[1].count; },
             "row 0 of 'samp': the samples of all places are 22, but it is 21");
  refused_if([](profile& p) { --p.run.unlocated; }, "the samples of all places are 20, but it is 21 in the run");
  refused_if([](profile& p) { p.samples.clear(); }, "row 0 of 'run ': the samples of all places are 8, but it is 21");
  refused_if([](profile& p) { p.samples[0].count = ~0ull; }, "are 18446744073709551615, but it is 21 in the run");
  refused_if([](profile& p) { p.samples.push_back({1, 0, 0, 0, 0}); }, "row 2 of 'samp': a place without a sample");
  // the row of a root that had not ended includes what ran in the root
  refused_if([](profile& p) { p.roots[1].all.forks -= 1; }, "forks of all sites: 90, but it is 89 in the roots");
  refused_if([](profile& p) { p.roots.pop_back(), p.nodes.pop_back(); }, "forks of all sites: 90, but it is 57");
}

TEST_CASE("a dag of a million levels is checked without recursion") {
  std::string all;
  constexpr std::uint64_t levels = 1'000'000;
  for (std::uint64_t i = 0; i + 1 < levels; ++i) all += node_row(node::shape::series, 1);
  all += node_row(node::shape::leaf, 0);
  CHECK(refused(table("node", 36, levels, all), 0) == "");
}
