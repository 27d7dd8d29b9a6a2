// The problem maximal-matching: choose edges of an undirected graph so that no two share an end and every other edge shares an end with one of them.
#pragma once

#include "harness/edge_list.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::maximal_matching {

constexpr int usual_scale = 20;
constexpr int large_scale = 22;

constexpr std::uint32_t no_edge = ~std::uint32_t{0};

/// A list of edges, and the matching that the loop over all edges in their order would choose. An edge from a vertex to itself is never chosen.
class problem : public edge_list {
 public:
  problem() : edge_list{usual_scale} {}

  /// Makes the edges if a parameter has changed since the last call, and forgets all choices.
  void reset();
  /// Returns the number of chosen edges: the answer that is reported.
  std::size_t answer() const;
  /// Returns a description of the mistake in `chosen`; empty if it is right.
  std::string mistake() const;

  std::vector<std::uint32_t> chosen;  ///< for each vertex the number of its chosen edge, or `no_edge`
};

}  // namespace bench::maximal_matching

namespace bench {
using maximal_matching::problem;
}
