// The search for cycles in the order of locks: cases by hand, and random orders against all permutations of their
// edges.
#include "augment/lock_edge.hpp"

#include <rapidcheck.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

using namespace tine::detail;
using tine::labels::english_hebrew;

namespace {

constexpr std::size_t plenty = 1'000'000;

/// Returns the label of branch `i` of a loop of 8 iterations below `around`.
english_hebrew iteration_of(const english_hebrew& around, std::uint64_t i) {
  english_hebrew l = around.below();
  l.enter(i, 8);
  return l;
}

lock_edge edge(lock_use from, lock_use to, english_hebrew label, std::vector<lock_use> gates = {}) {
  gates.push_back(from);
  return {from, to, gates, {.root = 1, .root_began = 1, .label = std::move(label)}};
}

std::size_t length_of_cycle(const std::vector<lock_edge>& edges, std::size_t first = 0) {
  bool was_cut = false;
  const std::size_t length = shortest_cycle(edges, first, plenty, was_cut).size();
  CHECK_FALSE(was_cut);
  return length;
}

/// Returns true if these edges, in this order, can deadlock.
bool is_cycle(const std::vector<lock_edge>& edges, const std::vector<std::size_t>& way) {
  for (std::size_t i = 0; i < way.size(); ++i) {
    if (!exclude(edges[way[i]].to, edges[way[(i + 1) % way.size()]].from)) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if (!are_parallel(edges[way[i]].strand, edges[way[j]].strand)) return false;
      for (const lock_use& one : edges[way[i]].held) {
        for (const lock_use& other : edges[way[j]].held) {
          if (exclude(one, other)) return false;
        }
      }
    }
  }
  return true;
}

/// Returns the length of the shortest cycle through edge 0, found by trying all arrangements; 0 if there is none.
std::size_t oracle(const std::vector<lock_edge>& edges) {
  std::size_t best = 0;
  std::vector<std::size_t> all(edges.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  do {
    for (std::size_t n = 2; n <= all.size() && (best == 0 || n < best); ++n) {
      if (is_cycle(edges, {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n)})) best = n;
    }
  } while (std::next_permutation(all.begin() + 1, all.end()));
  return best;
}

/// Random orders of locks.
class random_order {
 public:
  explicit random_order(std::uint64_t seed) : engine_{seed} {}

  std::vector<lock_edge> edges() {
    std::vector<lock_edge> all;
    for (std::uint64_t n = 2 + below(5); n != 0; --n) all.push_back(one());
    return all;
  }

 private:
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  lock_use use() {
    const auto lock = static_cast<lock_number>(below(4));
    return {lock, below(4) == 0};
  }
  lock_edge one() {
    english_hebrew label = iteration_of({}, below(4));
    if (below(2) == 0) label.join();
    if (below(2) == 0) label = iteration_of(label, below(3));
    std::vector<lock_use> gates;
    if (below(4) == 0) gates.push_back({4, below(2) == 0});
    const lock_use from = use(), to = use();
    lock_edge e = edge(from, to, label, gates);
    e.strand.root = 1 + below(8) / 7;
    return e;
  }

  std::mt19937_64 engine_;
};

}  // namespace

TEST_CASE("two parallel strands with opposite orders are a cycle, strands in sequence are not") {
  const english_hebrew root;
  english_hebrew later = iteration_of(root, 0);
  later.join();
  CHECK(length_of_cycle({edge({0}, {1}, iteration_of(root, 0)), edge({1}, {0}, iteration_of(root, 1))}) == 2);
  CHECK(length_of_cycle({edge({0}, {1}, iteration_of(root, 0)), edge({1}, {0}, later)}) == 0);
  CHECK(length_of_cycle({edge({0}, {1}, iteration_of(root, 0)), edge({0}, {1}, iteration_of(root, 1))}) == 0);
}

TEST_CASE("a gate lock prevents a cycle, unless both strands share it") {
  const english_hebrew root;
  const auto length = [&](bool one, bool other) {
    return length_of_cycle(
        {edge({0}, {1}, iteration_of(root, 0), {{9, one}}), edge({1}, {0}, iteration_of(root, 1), {{9, other}})});
  };
  CHECK(length(false, false) == 0);
  CHECK(length(true, false) == 0);
  CHECK(length(true, true) == 2);
}

TEST_CASE("a shared lock does not wait for a shared lock") {
  const english_hebrew root;
  CHECK(length_of_cycle({edge({0, true}, {1}, iteration_of(root, 0)), edge({1}, {0, true}, iteration_of(root, 1))}) ==
        0);
  CHECK(length_of_cycle({edge({0}, {1}, iteration_of(root, 0)), edge({1}, {0, true}, iteration_of(root, 1))}) == 2);
}

TEST_CASE("strands of two roots are parallel if the roots overlapped") {
  lock_edge first = edge({0}, {1}, {}), second = edge({1}, {0}, {});
  first.strand.root_began = 1, first.strand.root_ended = 2;
  second.strand.root = 2, second.strand.root_began = 3;
  CHECK(length_of_cycle({first, second}) == 0);
  CHECK(length_of_cycle({second, first}) == 0);
  first.strand.root_ended = 4;
  CHECK(length_of_cycle({first, second}) == 2);
}

TEST_CASE("the search says that it was cut") {
  const english_hebrew root;
  std::vector<lock_edge> edges;
  for (lock_number i = 0; i < 4; ++i) edges.push_back(edge({i}, {(i + 1) % 4}, iteration_of(root, i)));
  bool was_cut = false;
  CHECK(shortest_cycle(edges, 0, 1, was_cut).empty());
  CHECK(was_cut);
  CHECK(length_of_cycle(edges) == 4);
}

TEST_CASE("random orders: the search finds a shortest cycle, or none where there is none") {
  std::size_t cycles = 0;
  CHECK(rc::check("a shortest cycle", [&](std::uint64_t seed) {
    const std::vector<lock_edge> edges = random_order{seed}.edges();
    bool was_cut = false;
    const std::vector<std::size_t> found = shortest_cycle(edges, 0, plenty, was_cut);
    RC_ASSERT(!was_cut);
    RC_ASSERT(found.size() == oracle(edges));
    const bool is_right = found.empty() || (found.front() == 0 && is_cycle(edges, found));
    RC_ASSERT(is_right);
    cycles += found.empty() ? 0 : 1;
  }));
  CHECK(cycles > 0);
}

TEST_CASE("a lock that is held over the fork above both strands is no gate") {
  const english_hebrew root;
  const lock_use a{.lock = 1}, b{.lock = 2};
  const auto both_orders = [&](std::uint64_t one, std::uint64_t other) {
    const lock_use outer{.lock = 3, .acquired = one}, same{.lock = 3, .acquired = other};
    return std::vector{edge(a, b, iteration_of(root, 0), {outer}), edge(b, a, iteration_of(root, 1), {same})};
  };
  CHECK(length_of_cycle(both_orders(7, 7)) == 2);
  CHECK(length_of_cycle(both_orders(7, 8)) == 0);
}
