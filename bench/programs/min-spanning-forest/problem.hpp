// The problem min-spanning-forest: choose edges of an undirected graph that connect the same vertices as all edges, and have the least weight.
#pragma once

#include "harness/edge_list.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::min_spanning_forest {

constexpr int usual_scale = 19;
constexpr int large_scale = 21;

/// A list of edges with random weights, and the numbers of the edges of the minimal spanning forest in any order. If two edges
/// have the same weight, the one with the smaller number counts as lighter, so there is only one minimal spanning forest.
class problem : public edge_list {
 public:
  problem() : edge_list{usual_scale} {}

  /// Makes the edges if a parameter has changed since the last call, and forgets the forest.
  void reset();
  /// Returns the weight of the forest: the answer that is reported.
  std::uint64_t answer() const;
  /// Returns a description of the mistake in `forest`; empty if it is the minimal spanning forest.
  std::string mistake() const;

  /// Returns a number that is less for lighter edges.
  std::uint64_t rank(std::size_t i) const { return std::uint64_t{weights[i]} << 32 | i; }

  std::vector<std::uint32_t> weights;
  std::vector<std::uint32_t> forest;
};

}  // namespace bench::min_spanning_forest

namespace bench {
using min_spanning_forest::problem;
}
