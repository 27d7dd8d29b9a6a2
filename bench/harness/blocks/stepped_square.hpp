// What programs have in common that go over the rows of a square in steps of time; their own is `advance(p, step, over)`.
#pragma once

#include "harness/blocks/partition.hpp"
#include "harness/program.hpp"
#include "harness/reference.hpp"

#include <concepts>

namespace bench {

struct stepped_square : problem_of_phases {
  static constexpr bool forks_in_halves = true;

  stepped_square(int size, int rows_of_a_block) : n{size}, block{rows_of_a_block} {}

  void add_options(options& o, range<int> sizes) {
    o.number("--n", n, sizes, "Rows and columns");
    o.number("--steps", steps, {1, 10'000}, "Steps in time");
    o.number("--block", block, {1, sizes.most}, "Rows of a block");
  }
  parameters params() const { return {{"n", n}, {"steps", steps}, {"block", block}}; }

  int n;
  int steps = 100;
  int block;
  partition rows;
  reference right;  // the checksum of what plain loops give
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
