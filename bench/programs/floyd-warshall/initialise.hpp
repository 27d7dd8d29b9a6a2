// floyd-warshall in phases over all tiles. A round admits the vertices of one tile, the pivot, on the ways: it updates first the
// pivot itself, then the tiles in its row and column, then all other tiles. Each phase visits all tiles and skips the tiles that
// have no part in it, so that all phases fork alike and a tile is always at the same place of the fork tree.
#pragma once

#include "programs/floyd-warshall/problem.hpp"

#include <algorithm>

namespace bench::floyd_warshall {

/// Shortens the ways in c by ways over a and then b. Out of line, so that all variants run the same machine code. c may be a or b
/// or both. Ways from a vertex to itself have length 0, so the column of a and the row of b do not change while they are read.
/// The row is copied nevertheless, because the processor takes ten times as long if it reads close to its own recent stores.
[[gnu::noinline]] inline void shorten(length* c, const length* a, const length* b) {
  for (std::size_t k = 0; k < tile_size; ++k) {
    length onwards[tile_size];
    std::copy_n(b + k * tile_size, tile_size, onwards);
    for (std::size_t i = 0; i < tile_size; ++i) {
      const length there = a[i * tile_size + k];
      length* row = c + i * tile_size;
      for (std::size_t j = 0; j < tile_size; ++j) row[j] = std::min(row[j], there + onwards[j]);
    }
  }
}

/// The update of the tile (i, j), which is not the pivot, in the round with the pivot (k, k).
struct part {
  std::size_t i, j, k;
  bool is_beside_pivot() const { return (i == k) != (j == k); }
  bool is_apart() const { return i != k && j != k; }
  void shorten_in(problem& p) const { shorten(p.tile(i, j), p.tile(i, k), p.tile(k, j)); }
};

[[gnu::noinline]] inline void start_tile(problem& p, std::size_t number) {
  const std::size_t row = p.row_of(number), column = p.column_of(number);
  const std::size_t top = row * tile_size, left = column * tile_size;
  length* tile = p.tile(row, column);
  for (std::size_t i = 0; i < tile_size; ++i)
    for (std::size_t j = 0; j < tile_size; ++j) tile[i * tile_size + j] = p.edge(top + i, left + j);
}

template <class Over, class Work>
void for_tiles(problem& p, const Over& over, const Work& work) {
  over(0, p.tiles.blocks(), [&p, &work](int b, int e) {
    for (std::size_t number = p.tiles.begin(b); number < p.tiles.begin(e); ++number) work(number);
  });
}

template <class Over>
void initialise(problem& p, const Over& over) {
  for_tiles(p, over, [&p](std::size_t number) { start_tile(p, number); });
}

template <class Over>
void shorten_beside(problem& p, std::size_t k, const Over& over) {
  for_tiles(p, over, [&p, k](std::size_t number) {
    const part here{p.row_of(number), p.column_of(number), k};
    if (here.is_beside_pivot()) here.shorten_in(p);
  });
}

template <class Over>
void shorten_apart(problem& p, std::size_t k, const Over& over) {
  for_tiles(p, over, [&p, k](std::size_t number) {
    const part here{p.row_of(number), p.column_of(number), k};
    if (here.is_apart()) here.shorten_in(p);
  });
}

template <class Over>
void rehearse(problem& p, const Over& over) {
  shorten_apart(p, 0, over);
}

template <class Over>
void solve(problem& p, const Over& over) {
  for (std::size_t k = 0; k < p.across; ++k) {
    part{k, k, k}.shorten_in(p);
    shorten_beside(p, k, over);
    shorten_apart(p, k, over);
  }
}

}  // namespace bench::floyd_warshall
