// The random numbers of the NAS Parallel Benchmarks (NPB 3.4, randlc): x ← 5¹³·x mod 2⁴⁶, as fractions of 2⁴⁶.
#pragma once

#include <cstdint>

namespace bench {

class npb_random {
 public:
  /// Returns the next number in (0, 1), exactly x/2⁴⁶.
  double operator()() {
    state_ = state_ * 1220703125 & mask;  // the product is modulo 2⁶⁴, which 2⁴⁶ divides
    return static_cast<double>(state_) * 0x1p-46;
  }

 private:
  static constexpr std::uint64_t mask = (std::uint64_t{1} << 46) - 1;
  std::uint64_t state_ = 314159265;
};

}  // namespace bench
