// Random numbers for inputs that are the same on every platform: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014); and
// random edges of R-MAT graphs (Chakrabarti, Zhan and Faloutsos, SDM 2004) with the probabilities of the Graph500
// benchmark: a few vertices have a good part of all edges.
#pragma once

#include <cstdint>
#include <utility>

namespace bench {

class splitmix {
 public:
  explicit splitmix(std::uint64_t seed) : state_{seed} {}

  /// Returns 64 random bits.
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  /// Returns a number below `bound`, uniform except for a bias of bound / 2⁶⁴.
  std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>((*this)()) * bound >> 64);
  }

  /// Returns a number in [0, 1), a multiple of 2⁻⁵³.
  double unit() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// Returns a random edge between two of 2^scale vertices. Chooses one of the four quarters of the adjacency matrix
/// `scale` times, with 16 random bits for each choice.
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
