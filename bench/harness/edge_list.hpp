// The input of the programs over a list of edges.
#pragma once

#include "harness/graph.hpp"
#include "harness/options.hpp"
#include "harness/program.hpp"

namespace bench {

enum class graph_shape { rmat, grid };

/// The edges of an R-MAT graph or of a grid, which the options choose.
class edge_list {
 public:
  explicit edge_list(int usual_scale) : scale{usual_scale} {}

  /// Adds the options of the input. `large_scale` is the value of `scale` for `--large`.
  void add_options(options& o, int large_scale);
  parameters params() const;

  int scale;  ///< the binary logarithm of the number of vertices (rmat), or of a fourth of it (grid)
  graph_shape shape = graph_shape::rmat;
  std::size_t vertices = 0;
  edges all;

 protected:
  /// Makes the edges, and returns true, if a parameter has changed since the last call.
  bool make_edges();

 private:
  int made_scale_ = 0;
  graph_shape made_shape_ = graph_shape::rmat;
};

}  // namespace bench
