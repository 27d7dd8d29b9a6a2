// Random numbers for inputs that are the same on every platform: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
#pragma once

#include <cstdint>

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

}  // namespace bench
