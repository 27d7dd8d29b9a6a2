// The heat equation on a square, in explicit steps: each point becomes a mean of itself and its four neighbours.
#pragma once

#include "harness/blocks/partition.hpp"
#include "harness/reference.hpp"
#include "harness/untouched.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

constexpr int least_n = 48, large_n = 4096, largest_n = 32768;  ///< rows and columns
constexpr int smallest_block = 4;                               ///< rows

/// Returns the value of a point after one step. The factor is k·Δt/h².
[[gnu::always_inline]] inline double stepped(double here, double above, double below, double left, double right) {
  return here + 0.2 * (((above + below) + (left + right)) - 4 * here);
}

/// n² points and a border of zeros around them. At the beginning the points are the sum of two standing waves. The
/// units of `rows` are the rows of the interior: unit u is row u + 1.
class problem : public problem_of_phases {
 public:
  static constexpr bool forks_in_halves = true;

  /// Forgets the points. Makes the reference if the size has changed since the last call.
  void reset();
  void allocate();
  void use_smallest_blocks() { rows.grain = static_cast<std::size_t>(smallest_block); }

  std::size_t stride() const { return static_cast<std::size_t>(n) + 2; }
  double* row(int step, std::size_t i) { return grids[step % 2].data() + i * stride(); }
  double starting_point(std::size_t i, std::size_t j) const {
    return slow_[0][i] * slow_[1][j] + fast_[0][i] * fast_[1][j];
  }

  std::uint64_t answer() const;
  /// Returns a description of the mistake in the last grid; empty if it is right. The grid must equal the result of
  /// plain loops bit by bit, and must nearly equal the sum of the two waves, each of which only fades.
  std::string mistake() const;

  int n = 2048;
  int steps = 100;
  int block = 32;  ///< rows
  partition rows;
  untouched<double> grids[2];

 private:
  void make_waves();
  std::uint64_t computed_plainly() const;
  double distance_from_waves() const;

  std::vector<double> slow_[2];
  std::vector<double> fast_[2];
  double slow_fading_ = 1;
  double fast_fading_ = 1;
  reference right_;  // the checksum of the result of plain loops
};

// heat in phases over blocks of rows: one phase for each step.

/// Computes one step for the rows from `first` to before `last`. Out of line, so that all variants run the same machine
/// code.
[[gnu::noinline]] inline void step_rows(problem& p, int step, std::size_t first, std::size_t last) {
  const std::size_t stride = p.stride();
  for (std::size_t i = first; i < last; ++i) {
    const double *above = p.row(step, i - 1), *here = p.row(step, i), *below = p.row(step, i + 1);
    double* __restrict to = p.row(step + 1, i);
    for (std::size_t j = 1; j + 1 < stride; ++j) to[j] = stepped(here[j], above[j], below[j], here[j - 1], here[j + 1]);
  }
}

/// Writes the rows of both grids. The borders above and below belong to the first and the last row.
[[gnu::noinline]] inline void start_rows(problem& p, std::size_t first, std::size_t last) {
  const std::size_t stride = p.stride();
  if (first == 1) first = 0;
  if (last + 1 == stride) last = stride;
  for (std::size_t i = first; i < last; ++i)
    for (std::size_t j = 0; j < stride; ++j) {
      p.row(0, i)[j] = p.starting_point(i, j);
      p.row(1, i)[j] = 0;
    }
}

template <class Over>
void initialise(problem& p, const Over& over) {
  over(p.rows.blocks(), [&p](int b, int e) { start_rows(p, p.rows.begin(b) + 1, p.rows.begin(e) + 1); });
}

template <class Over>
void advance(problem& p, int step, const Over& over) {
  over(p.rows.blocks(), [&p, step](int b, int e) { step_rows(p, step, p.rows.begin(b) + 1, p.rows.begin(e) + 1); });
}

template <class Over>
void rehearse(problem& p, const Over& over) {
  advance(p, 0, over);
}

template <class Over>
void solve(problem& p, const Over& over) {
  for (int step = 0; step < p.steps; ++step) advance(p, step, over);
}

}  // namespace bench
