// The problem spanning-forest: choose edges of an undirected graph that connect the same vertices as all edges, and form no cycle.
#pragma once

#include "harness/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::spanning_forest {

constexpr int usual_scale = 20;
constexpr int large_scale = 22;
constexpr int largest_scale = 23;

enum class shape { rmat, grid };

/// A list of edges, and the numbers of the edges of a spanning forest in any order.
class problem {
 public:
  /// Makes the edges if a parameter has changed since the last call, and forgets the forest.
  void reset();
  /// Returns the number of edges of the forest: the answer that is reported. It is the same for all spanning forests.
  std::size_t answer() const { return forest.size(); }
  /// Returns a description of the mistake in `forest`; empty if it is a spanning forest.
  std::string mistake() const;

  int scale = usual_scale;  ///< the binary logarithm of the number of vertices (rmat), or of a fourth of it (grid)
  shape of = shape::rmat;
  std::size_t vertices = 0;
  edges all;
  std::vector<std::uint32_t> forest;

 private:
  int made_scale_ = 0;
  shape made_ = shape::rmat;
};

}  // namespace bench::spanning_forest

namespace bench {
using spanning_forest::problem;
}
