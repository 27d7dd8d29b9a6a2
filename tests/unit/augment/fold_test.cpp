// Folding a dag: the remaining nodes keep their totals, nodes below the threshold vanish, and a deep dag causes no deep
// recursion.
#include "augment/fold.hpp"

#include "augment/gathered.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using namespace tine::detail;
namespace trace = tine::trace;
using shape = trace::node::shape;

dag_node* leaf(std::uint64_t work) { return new dag_node{{shape::leaf, 0, trace::nothing, work, work, 0}}; }

/// Returns a node of the shape `is` whose children are the list.
dag_node* around(shape is, dag_node* children) {
  auto* n = new dag_node{{is, 0, trace::nothing, 0, 0, is == shape::parallel}, nullptr, children};
  for (const dag_node* c = children; c != nullptr; c = c->next) {
    n->value.work += c->value.work;
    n->value.span = is == shape::series ? n->value.span + c->value.span : std::max(n->value.span, c->value.span);
    n->value.forks += c->value.forks;
  }
  return n;
}

dag_node* random_dag(std::mt19937_64& random, int depth) {
  if (depth == 0 || random() % 4 == 0) return leaf(1 + random() % 100);
  const shape is = std::vector{shape::series, shape::parallel, shape::loop}[random() % 3];
  dag_node* first = nullptr;
  const int n = is == shape::parallel ? 2 : 2 + static_cast<int>(random() % 4);
  for (int i = 0; i < n; ++i) {
    dag_node* c = random_dag(random, depth - 1);
    if (is == shape::series && c->value.is == shape::series) {  // a series is never a child of a series
      drop_nodes(c);
      c = leaf(7);
    }
    c->next = first;
    first = c;
  }
  return around(is, first);
}

std::size_t size_of(const dag_node* n) {
  std::size_t all = 1;
  for (const dag_node* c = n->first_child; c != nullptr; c = c->next) all += size_of(c);
  return all;
}

/// Returns true if a node and all nodes below it are as a folded dag promises.
bool is_folded(const dag_node& n, tine::base::ticks threshold) {
  if (n.value.is == shape::leaf) return n.first_child == nullptr;
  if (n.value.work < threshold) return false;
  std::uint64_t work = 0, sum = 0, longest = 0, forks = 0;
  bool leaf_before = false;
  for (const dag_node* c = n.first_child; c != nullptr; c = c->next) {
    if (!is_folded(*c, threshold)) return false;
    if (n.value.is == shape::series && leaf_before && c->value.is == shape::leaf) return false;
    if (n.value.is == shape::loop && leaf_before) return false;  // the leaf of a loop is its last child
    leaf_before = c->value.is == shape::leaf;
    work += c->value.work;
    sum += c->value.span;
    longest = std::max(longest, c->value.span);
    forks += c->value.forks;
  }
  forks += n.value.is == shape::parallel;
  const std::uint64_t span = n.value.is == shape::series ? sum : longest;
  return work == n.value.work && span == n.value.span && forks == n.value.forks;
}

}  // namespace

TEST_CASE("fold: random dags keep their totals, and only get smaller") {
  const std::uint64_t seed = 20;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (int i = 0; i < 50; ++i) {
    CAPTURE(i);
    dag_node* n = random_dag(random, 7);
    const trace::node before = n->value;
    std::size_t size = size_of(n);
    for (tine::base::ticks threshold = 16; threshold < 100'000; threshold *= 4) {
      CHECK(fold_series(n, threshold) == n);
      REQUIRE(is_folded(*n, threshold));
      CHECK(size_of(n) <= size);
      size = size_of(n);
      CHECK(n->value.work == before.work);
      CHECK(n->value.span == before.span);
      CHECK(n->value.forks == before.forks);
    }
    CHECK(size == 1);
    drop_nodes(n);
  }
}

TEST_CASE("fold: a chain of a million forks needs no stack") {
  dag_node* n = leaf(1);
  for (int i = 0; i < 1'000'000; ++i) {
    n->next = leaf(1);
    n = around(shape::parallel, n);
  }
  fold_series(n, 500'000);
  CHECK(n->value.forks == 1'000'000);
  fold_series(n, 2'000'000);
  CHECK(n->first_child == nullptr);
  drop_nodes(n);
}

TEST_CASE("fold: neighbours in a series become one leaf, and the last node is returned") {
  dag_node* first = leaf(1);
  dag_node* small = around(shape::parallel, leaf(2));
  small->first_child->next = leaf(3);
  small->value.work = 5;
  first->next = small;
  dag_node* large = around(shape::parallel, leaf(50));
  large->first_child->next = leaf(50);
  large->value.work = 100;
  small->next = large;
  CHECK(fold_series(first, 10) == large);
  CHECK(first->next == large);
  CHECK(first->value.work == 6);
  CHECK(first->value.forks == 1);
  drop_nodes(first);
}

TEST_CASE("neighbouring roots in one row: the time outside stays, work adds up, roots beside each other do not chain") {
  trace::root a, b;
  a.begin = 100, a.wall = 50, a.all.work = 80, a.all.span_high = 40;
  b.begin = 200, b.wall = 30, b.all.work = 20, b.all.span_high = 20, b.count = 3;
  const trace::root series = merged(a, b);
  CHECK(series.begin == 100);
  CHECK(series.wall == 80);
  CHECK(series.all.work == 100);
  CHECK(series.all.span_high == 60);
  CHECK(series.count == 4);
  b.begin = 120;
  const trace::root beside = merged(a, b);
  CHECK(beside.wall == 50);
  CHECK(beside.all.work == 100);
  CHECK(beside.all.span_high == 40);
}
