// Random edges of R-MAT graphs (Chakrabarti, Zhan and Faloutsos, SDM 2004) with the probabilities of the Graph500 benchmark:
// a few vertices have a good part of all edges.
#pragma once

#include "harness/splitmix.hpp"

#include <cstdint>
#include <utility>

namespace bench {

/// Returns a random edge between two of 2^scale vertices. Chooses one of the four quarters of the adjacency matrix `scale` times,
/// with 16 random bits for each choice.
inline std::pair<std::uint32_t, std::uint32_t> recursive_matrix_edge(splitmix& random, int scale) {
  constexpr std::uint64_t a = 37355, b = 49807, c = 62259;  // 0.57, 0.76 and 0.95 of 2^16
  std::uint32_t from = 0, to = 0;
  std::uint64_t bits = 0;
  for (int level = 0; level < scale; ++level) {
    if (level % 4 == 0) bits = random();
    const std::uint64_t choice = bits & 0xffff;
    bits >>= 16;
    from = from << 1 | (choice >= b);
    to = to << 1 | ((choice >= a && choice < b) || choice >= c);
  }
  return {from, to};
}

}  // namespace bench
