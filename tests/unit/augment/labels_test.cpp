// Tests of labels: they agree with the graph on precedence and parallelism; they depend neither on the schedule nor on
// how a loop is cut; depth is no limit; and their text is right.
#include <tine/augment/labels.hpp>

#include "unit/augment/right_answers.hpp"
#include "unit/augment/serial_driver.hpp"
#include "unit/augment/sp_graph.hpp"

#include <doctest/doctest.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace tine::labels;
using tine::test::event;
using tine::test::play;
using tine::test::right_answers;
using tine::test::sp_graph;
using tine::test::sp_program;

#define EVERY_SCHEME offset_span, english_hebrew, depa, pedigree

/// Returns the label at each event, under a schedule drawn from `seed`.
template <class Label>
std::vector<Label> labels_of(const sp_program& p, std::uint64_t seed) {
  std::vector<Label> all(p.events);
  play<labelled<Label>>(p, seed, [&](labelled<Label>& v, event e) { all[e] = v.label(); });
  return all;
}

/// Forks `depth` times in the left branch, then joins all. Keeps the label of each depth; the last one is after all
/// joins.
template <class Label>
std::vector<Label> nest(std::size_t depth) {
  std::vector<labelled<Label>> left(depth + 1), right(depth + 1);
  std::vector<Label> all;
  for (std::size_t i = 0; i < depth; ++i) {
    all.push_back(left[i].label());
    left[i].fork(left[i + 1], right[i + 1]);
  }
  all.push_back(left[depth].label());
  for (std::size_t i = depth; i-- != 0;) {
    labelled<Label> after;
    left[i].join(left[i + 1], right[i + 1], after);
    left[i] = std::move(after);
  }
  all.push_back(left[0].label());
  return all;
}

/// Returns the text of a label with a part of every kind: root; fork; in the right branch a loop of 3; in its iteration
/// 2 a fork; in the right branch of that fork, the strand after a join.
template <class Label>
std::string written() {
  using V = labelled<Label>;
  V root, left, right, subrange, l, r, after;
  root.fork(left, right);
  right.loop(subrange, 3);
  subrange.iteration(2, 3);
  subrange.fork(l, r);
  V rl, rr, r_after;
  r.fork(rl, rr);
  r.join(rl, rr, r_after);
  return to_string(r_after.label());
}

}  // namespace

TEST_CASE_TEMPLATE("labels give the relations of the graph", Label, EVERY_SCHEME) {
  const std::uint64_t seed = 20261121;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  std::size_t wrong = 0, pairs = 0;
  for (int i = 0; i < 100; ++i) {
    const sp_program p = tine::test::program_maker{random, 60}.make();
    const sp_graph g{p};
    const std::vector<Label> labels = labels_of<Label>(p, random());
    for (event x = 0; x < p.events; ++x) {
      for (event y = 0; y < p.events; ++y) wrong += !right_answers(labels[x], labels[y], x, y, g);
    }
    pairs += p.events * p.events;
  }
  CHECK(wrong == 0);
  CHECK(pairs > 25'000);
}

TEST_CASE("a DePa label's depth is the longest way in the graph") {
  const std::uint64_t seed = 99;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (int i = 0; i < 60; ++i) {
    const sp_program p = tine::test::program_maker{random, 60}.make();
    const sp_graph g{p};
    const std::vector<depa> labels = labels_of<depa>(p, random());
    for (event e = 0; e < p.events; ++e) REQUIRE(labels[e].depth() == g.depths()[g.strand_of(e)]);
  }
}

TEST_CASE_TEMPLATE("ten thousand forks in each other, and many more", Label, EVERY_SCHEME) {
  const std::size_t depth = 10'000;
  std::vector<Label> one = nest<Label>(depth), other = nest<Label>(depth);
  CHECK(one[depth] == other[depth]);  // two labels that share no level
  CHECK(one[depth] != other[depth - 1]);
  CHECK(precedes(one[0], one[depth]));
  CHECK(precedes(one[depth], one[depth + 1]));
  CHECK(precedes(one[0], other[depth + 1]));
  CHECK_FALSE(parallel(one[5'000], other[depth]));
  Label deepest = nest<Label>(300'000)[300'000];
  CHECK(precedes(one[0], deepest));
  deepest = Label{};  // frees all levels; a recursive destructor would overflow the stack
  CHECK(deepest == one[0]);
}

TEST_CASE("labels as text") {
  CHECK(to_string(offset_span{}) == "[0,1]");
  CHECK(to_string(english_hebrew{}) == "English 0 | Hebrew 0");
  CHECK(to_string(depa{}) == "0");
  CHECK(to_string(pedigree{}) == "0");
  CHECK(written<offset_span>() == "[0,1][1,2][2,3][3,2]");
  CHECK(written<english_hebrew>() == "English 0.1.2.1+1 | Hebrew 0.0.0.0+1");
  CHECK(written<depa>() == "5 in 0:1 1:2 2:1");
  CHECK(written<pedigree>() == "0.1.0.2.0.1.1");
}

TEST_CASE("offsets that outgrow a word") {
  labelled<offset_span> root, subrange, a, b, after;
  const std::uint64_t n = ~std::uint64_t{0};
  root.loop(subrange, n);
  subrange.iteration(n - 1, n);
  const offset_span first = subrange.label();
  for (int i = 0; i < 3; ++i) {
    subrange.fork(a, b);
    subrange.join(a, b, after);
    subrange = std::move(after);
  }
  CHECK(precedes(first, subrange.label()));
  CHECK(to_string(subrange.label()) == "[0,1][3*18446744073709551615+18446744073709551614,18446744073709551615]");
  const offset_span last = subrange.label();
  subrange.iteration(0, n);
  CHECK(parallel(subrange.label(), last));
}

TEST_CASE("labels are kept, compared and dropped on other threads") {
  std::vector<pedigree> all = nest<pedigree>(1'000);
  const auto look = [copy = all]() mutable {
    for (std::size_t i = 1; i < copy.size(); ++i) REQUIRE(precedes(copy[i - 1], copy[i]));
    copy.clear();
  };
  std::thread one{look}, two{look};
  all.clear();
  one.join();
  two.join();
}
