// The lengths of the shortest ways between all vertices of a complete graph, by the blocked algorithm of Floyd and Warshall.
#pragma once

#include "harness/blocks/partition.hpp"
#include "harness/reference.hpp"
#include "harness/untouched.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace bench::floyd_warshall {

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

/// The matrix of lengths in square tiles, each of which is contiguous. Vertices beyond n, which fill up the last tiles, have no
/// edges.
class problem : public problem_of_phases {
 public:
  static constexpr bool forks_in_halves = true;
  /// Blocks take as much work to initialise as to compute in proportion, but the initialisation takes a few milliseconds only, so
  /// the wake-up of the other workers would be part of its recorded schedule.
  static constexpr bool starts_as_it_goes_on = false;

  /// Forgets the lengths. Makes the reference if the size has changed since the last call.
  void reset();
  void allocate() { lengths.renew(across * across * tile_elements); }
  void use_smallest_blocks() { tiles.grain = smallest_block; }

  /// Tiles are numbered along the diagonals, wrapped around. Each diagonal has one tile of each row and of each column, so a range
  /// of successive numbers has its share of all rows and columns, and a worker with such a range has equal work in every round.
  std::size_t row_of(std::size_t number) const { return number % across; }
  std::size_t column_of(std::size_t number) const { return (number / across + row_of(number)) % across; }
  /// Returns the tile in a row and column of tiles.
  length* tile(std::size_t row, std::size_t column) { return lengths.data() + first_element(row, column); }
  /// Returns the length of the edge from one vertex to another: from 1 to 1000.
  length edge(std::size_t from, std::size_t to) const;

  std::uint64_t answer() const;
  /// Returns a description of the mistake in the lengths; empty if they are right. They must equal those of the serial variant,
  /// and the lengths from some vertices must equal those that Dijkstra's algorithm finds.
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

}  // namespace bench::floyd_warshall

namespace bench {
using floyd_warshall::problem;
}
