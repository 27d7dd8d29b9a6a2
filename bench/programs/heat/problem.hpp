// The heat equation on a square, in explicit steps: each point becomes a mean of itself and its four neighbours.
#pragma once

#include "harness/blocks/stepped_square.hpp"
#include "harness/untouched.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace bench::heat {

/// Returns the value of a point after one step. The factor is k·Δt/h².
[[gnu::always_inline]] inline double stepped(double here, double above, double below, double left, double right) {
  return here + 0.2 * (((above + below) + (left + right)) - 4 * here);
}

/// n² points and a border of zeros around them. At the beginning the points are the sum of two standing waves. The units of `rows`
/// are the rows of the interior: unit u is row u + 1.
class problem : public stepped_square {
 public:
  problem() : stepped_square{{.n = 2048, .least_n = 48, .large_n = 4096, .block = 32, .smallest_block = 4}} {}

  /// Forgets the points. Makes the reference if the size has changed since the last call.
  void reset();
  void allocate();

  std::size_t stride() const { return static_cast<std::size_t>(n) + 2; }
  double* row(int step, std::size_t i) { return grids[step % 2].data() + i * stride(); }
  double starting_point(std::size_t i, std::size_t j) const {
    return slow_[0][i] * slow_[1][j] + fast_[0][i] * fast_[1][j];
  }

  std::uint64_t answer() const;
  /// Returns a description of the mistake in the last grid; empty if it is right. The grid must equal the result of plain loops
  /// bit by bit, and must nearly equal the sum of the two waves, each of which only fades.
  std::string mistake() const;

  untouched<double> grids[2];

 private:
  void make_waves();
  std::uint64_t computed_plainly() const;
  double distance_from_waves() const;

  std::vector<double> slow_[2];
  std::vector<double> fast_[2];
  double slow_fading_ = 1;
  double fast_fading_ = 1;
};

}  // namespace bench::heat

namespace bench {
using heat::problem;
}
