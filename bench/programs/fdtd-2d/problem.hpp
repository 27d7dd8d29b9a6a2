// PolyBench's fdtd-2d: an electromagnetic wave in two dimensions, by finite differences in time.
#pragma once

#include "harness/blocks/stepped_square.hpp"
#include "harness/untouched.hpp"

#include <cstdint>
#include <string>

namespace bench::fdtd_2d {

/// Return a point of the electric field, computed from two neighbours in the magnetic field, and the reverse.
[[gnu::always_inline]] inline double electric(double here, double next, double previous) {
  return here - 0.5 * (next - previous);
}
[[gnu::always_inline]] inline double magnetic(double here, double ex_next, double ex, double ey_next, double ey) {
  return here - 0.7 * (ex_next - ex + ey_next - ey);
}

/// Three fields of n² points in rows.
class problem : public stepped_square {
 public:
  problem() : stepped_square{{.n = 1024, .least_n = 2, .large_n = 2048, .block = 16, .smallest_block = 2}} {}

  /// Forgets the fields. Makes the reference if the size has changed since the last call.
  void reset();
  void allocate();

  std::size_t columns() const { return static_cast<std::size_t>(n); }
  double first_ex(std::size_t i, std::size_t j) const { return static_cast<double>(i * (j + 1)) / n; }
  double first_ey(std::size_t i, std::size_t j) const { return static_cast<double>(i * (j + 2)) / n; }
  double first_hz(std::size_t i, std::size_t j) const { return static_cast<double>(i * (j + 3)) / n; }

  std::uint64_t answer() const;
  /// Returns a description of the mistake in the fields; empty if they equal the result of PolyBench's loops bit by bit.
  std::string mistake() const;

  untouched<double> ex, ey, hz;

 private:
  std::uint64_t computed_plainly() const;
};

}  // namespace bench::fdtd_2d

namespace bench {
using fdtd_2d::problem;
}
