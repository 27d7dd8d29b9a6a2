// The heat equation on a square, in explicit steps: each point becomes a mean of itself and its four neighbours.
#pragma once

#include "harness/blocks/partition.hpp"
#include "harness/untouched.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace bench::heat {

constexpr int default_n = 2048;
constexpr int least_n = 48;
constexpr int largest_n = 32768;
constexpr int default_steps = 100;
constexpr int largest_steps = 10'000;
constexpr int default_block = 32;
constexpr int smallest_block = 4;

/// A point after one step. The factor is k·Δt/h².
[[gnu::always_inline]] inline double stepped(double here, double above, double below, double left, double right) {
  return here + 0.2 * (((above + below) + (left + right)) - 4 * here);
}

/// n² points and a border of zeros around them, in rows; at the beginning the sum of two standing waves.
class problem {
 public:
  static constexpr bool starts_as_it_goes_on = true;

  /// Forgets the points. Makes the reference if the size has changed since.
  void reset();
  int shapes() const { return 1; }
  void allocate();
  void use_smallest_blocks() { rows.grain = smallest_block; }

  std::size_t stride() const { return static_cast<std::size_t>(n) + 2; }
  double* row(int step, std::size_t i) { return grids[step % 2].data() + i * stride(); }
  double starting_point(std::size_t i, std::size_t j) const {
    return slow_[0][i] * slow_[1][j] + fast_[0][i] * fast_[1][j];
  }

  std::uint64_t sum() const;
  /// What is wrong with the last grid; empty if it is right. It must be bit by bit what plain loops give, and nearly the two
  /// waves, each of which only fades.
  std::string mistake() const;

  int n = default_n;
  int steps = default_steps;
  int block = default_block;
  partition rows;  // of the interior: unit u is row u + 1
  untouched<double> grids[2];

 private:
  void make_waves();
  std::uint64_t computed_plainly() const;
  double distance_from_waves() const;

  int made_n_ = 0;
  int made_steps_ = -1;
  std::uint64_t reference_ = 0;
  std::vector<double> slow_[2];
  std::vector<double> fast_[2];
  double slow_fading_ = 1;
  double fast_fading_ = 1;
};

void serial(problem& p, stage s);
void managed(problem& p, stage s);
void coro(problem& p, stage s);
void record_strict(problem& p, stage s);
void iterative_relaxed(problem& p, stage s);
void coarsened(problem& p, stage s);
void openmp_static(problem& p, stage s);
void openmp_tasks(problem& p, stage s);

}  // namespace bench::heat
