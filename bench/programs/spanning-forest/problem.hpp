// The problem spanning-forest: choose edges of an undirected graph that connect the same vertices as all edges, and form no cycle.
#pragma once

#include "harness/edge_list.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::spanning_forest {

constexpr int usual_scale = 20;
constexpr int large_scale = 22;

/// A list of edges, and the numbers of the edges of a spanning forest in any order.
class problem : public edge_list {
 public:
  problem() : edge_list{usual_scale} {}

  /// Makes the edges if a parameter has changed since the last call, and forgets the forest.
  void reset();
  /// Returns the number of edges of the forest: the answer that is reported. It is the same for all spanning forests.
  std::size_t answer() const { return forest.size(); }
  /// Returns a description of the mistake in `forest`; empty if it is a spanning forest.
  std::string mistake() const;

  std::vector<std::uint32_t> forest;
};

}  // namespace bench::spanning_forest

namespace bench {
using spanning_forest::problem;
}
