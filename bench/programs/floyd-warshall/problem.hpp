// The lengths of the shortest ways between all vertices of a complete graph, by the blocked algorithm of Floyd and
// Warshall.
#pragma once

#include "harness/blocks/partition.hpp"
#include "harness/reference.hpp"
#include "harness/untouched.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

constexpr int default_n = 2048;
constexpr int large_n = 3200;
constexpr int largest_n = 16384;
constexpr int default_block = 4;
constexpr int smallest_block = 1;

using length = std::int32_t;

/// Number of rows and of columns of a tile. A tile takes 16 KiB.
constexpr std::size_t tile_size = 64;
constexpr std::size_t tile_elements = tile_size * tile_size;

/// Longer than all ways; twice this is still a length.
constexpr length infinite = length{1} << 29;

/// The matrix of lengths in square tiles, each of which is contiguous. Vertices beyond n, which fill up the last tiles,
/// have no edges.
class problem : public problem_of_phases {
 public:
  static constexpr bool forks_in_halves = true;
  /// Blocks take as much work to initialise as to compute in proportion, but the initialisation takes a few
  /// milliseconds only, so the wake-up of the other workers would be part of its recorded schedule.
  static constexpr bool starts_as_it_goes_on = false;

  /// Forgets the lengths. Makes the reference if the size has changed since the last call.
  void reset();
  void allocate() { lengths.renew(across * across * tile_elements); }
  void use_smallest_blocks() { tiles.grain = smallest_block; }

  /// Tiles are numbered along the diagonals, wrapped around. Each diagonal has one tile of each row and of each column,
  /// so a range of successive numbers has its share of all rows and columns, and a worker with such a range has equal
  /// work in every round.
  std::size_t row_of(std::size_t number) const { return number % across; }
  std::size_t column_of(std::size_t number) const { return (number / across + row_of(number)) % across; }
  /// Returns the tile in a row and column of tiles.
  length* tile(std::size_t row, std::size_t column) { return lengths.data() + first_element(row, column); }
  /// Returns the length of the edge from one vertex to another: from 1 to 1000.
  length edge(std::size_t from, std::size_t to) const;

  std::uint64_t answer() const;
  /// Returns a description of the mistake in the lengths; empty if they are right. They must equal those of the serial
  /// variant, and the lengths from some vertices must equal those that Dijkstra's algorithm finds.
  std::string mistake() const;

  int n = default_n;
  int block = default_block;
  std::size_t across = 0;  // tiles in a row
  partition tiles;
  untouched<length> lengths;

 private:
  std::size_t vertices() const { return static_cast<std::size_t>(n); }
  std::size_t first_element(std::size_t row, std::size_t column) const {
    return ((column + across - row) % across * across + row) * tile_elements;
  }
  length found(std::size_t from, std::size_t to) const;
  std::vector<length> by_dijkstra(std::size_t from) const;

  reference right_;
};

// floyd-warshall in phases over all tiles. A round admits the vertices of one tile, the pivot, on the ways: it updates
// first the pivot itself, then the tiles in its row and column, then all other tiles. Each phase visits all tiles and
// skips the tiles that have no part in it, so that all phases fork alike and a tile is always at the same place of the
// fork tree.

/// Shortens the ways in c by ways over a and then b. Out of line, so that all variants run the same machine code. c may
/// be a or b or both. Ways from a vertex to itself have length 0, so the column of a and the row of b do not change
/// while they are read. The row is copied nevertheless, because the processor takes ten times as long if it reads close
/// to its own recent stores.
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
  over(p.tiles.blocks(), [&p, &work](int b, int e) {
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

}  // namespace bench
