// Random numbers for victims, delays and samples. Each object belongs to one thread; the functions that have no state
// may be called anywhere.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <cstdint>

namespace tine::base {

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): an addition a number, and every bit of the number is good.
class splitmix64 {
 public:
  /// The golden ratio: multiples of it are far apart, so seeds that follow each other give unrelated sequences.
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15;

  explicit constexpr splitmix64(std::uint64_t seed) noexcept : state_{seed} {}

  constexpr std::uint64_t operator()() noexcept { return mix(state_ += step); }

  /// Returns the number at a position of the sequence of `seed`, counted from 0, without those before it.
  TINE_ALWAYS_INLINE static constexpr std::uint64_t at(std::uint64_t seed, std::uint64_t position) noexcept {
    return mix(seed + (position + 1) * step);
  }

  /// The finaliser: a permutation of all words that spreads each bit over the whole word.
  TINE_ALWAYS_INLINE static constexpr std::uint64_t mix(std::uint64_t z) noexcept {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace tine::base
