// The product of two small blocks: the kernel of all variants.
#pragma once

#include "programs/matmul/matrix.hpp"

namespace bench::matmul {

/// Blocks of this size are multiplied without further cuts: three of them fit into the first two caches, and one product takes
/// about ten microseconds.
constexpr int leaf_size = 64;

/// Four doubles in a vector register. `lanes[]` may alias the matrices' elements.
using lanes [[gnu::vector_size(32), gnu::may_alias]] = double;

constexpr int tile_rows = 4;
constexpr int tile_lanes = 2;
constexpr int tile_columns = tile_lanes * static_cast<int>(sizeof(lanes) / sizeof(double));

/// Adds the product of `tile_rows` rows of a and `tile_columns` columns of b to the tile c. The tile stays in eight vector
/// registers, because two multiply-add units with a latency of four cycles need eight independent sums.
[[gnu::always_inline]] inline void multiply_tile(view a, view b, view c) {
  lanes sums[tile_rows][tile_lanes];
  for (int i = 0; i < tile_rows; ++i)
    for (int j = 0; j < tile_lanes; ++j) sums[i][j] = reinterpret_cast<lanes*>(c.row(i))[j];
  for (int k = 0; k < leaf_size; ++k) {
    const lanes* b_row = reinterpret_cast<const lanes*>(b.row(k));
    for (int i = 0; i < tile_rows; ++i)
      for (int j = 0; j < tile_lanes; ++j) sums[i][j] += a.row(i)[k] * b_row[j];
  }
  for (int i = 0; i < tile_rows; ++i)
    for (int j = 0; j < tile_lanes; ++j) reinterpret_cast<lanes*>(c.row(i))[j] = sums[i][j];
}

/// Adds the product of the blocks a and b to c, all of `leaf_size`. Out of line, so that all variants run the same machine code.
[[gnu::noinline]] inline void multiply_leaf(view a, view b, view c) {
  for (int j = 0; j < leaf_size; j += tile_columns)
    for (int i = 0; i < leaf_size; i += tile_rows) multiply_tile(a.at(i, 0), b.at(0, j), c.at(i, j));
}

}  // namespace bench::matmul
