// The common part of programs that compute the rows of a square in steps of time. Each program defines `advance(p,
// step, over)`.
#pragma once

#include "harness/blocks/partition.hpp"
#include "harness/program.hpp"
#include "harness/reference.hpp"

#include <concepts>

namespace bench {

class stepped_square : public problem_of_phases {
 public:
  static constexpr bool forks_in_halves = true;
  /// Default, least and large number of rows and columns; default and smallest number of rows of a block.
  struct sizes {
    int n, least_n, large_n, block, smallest_block;
  };

  explicit stepped_square(const sizes& s) : n{s.n}, block{s.block}, sizes_{s} {}

  void add_options(options& o) {
    constexpr int largest = 32768;
    o.size("--n", n, {sizes_.least_n, largest}, sizes_.large_n, "Rows and columns");
    o.number("--steps", steps, {1, 10'000}, "Steps in time");
    o.number("--block", block, {1, largest}, "Rows of a block");
  }
  parameters params() const { return {{"n", n}, {"steps", steps}, {"block", block}}; }
  void use_smallest_blocks() { rows.grain = static_cast<std::size_t>(sizes_.smallest_block); }

  int n;
  int steps = 100;
  int block;
  partition rows;
  reference right;  // the checksum of the result of plain loops

 private:
  sizes sizes_;
};

template <class Over>
void rehearse(std::derived_from<stepped_square> auto& p, const Over& over) {
  advance(p, 0, over);
}

template <class Over>
void solve(std::derived_from<stepped_square> auto& p, const Over& over) {
  for (int step = 0; step < p.steps; ++step) advance(p, step, over);
}

}  // namespace bench
