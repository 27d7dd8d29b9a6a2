// scan: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/blocks/program_of_phases.hpp"

namespace bench {

/// Without forks: one pass is enough.
void solve(problem& p, const serial_blocks&) { sum_up(p.input.data(), p.input.data() + p.n, 0, p.sums.data()); }

void problem::allocate() {
  input.renew(n);
  sums.renew(n);
  before.renew(static_cast<std::size_t>(elements.blocks()));
}

std::string problem::mistake() const {
  std::uint64_t previous = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (sums[i] - previous != element(i)) return format("the sum of {} elements is wrong (n = {})", i + 1, n);
    previous = sums[i];
  }
  return "";
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) {
    o.size("--n", p.n, {1, largest_n}, large_n, "Elements of 8 bytes");
    o.number("--block", p.block, {1, largest_n}, "Elements of a block");
  };
  program it{
      .name = "scan",
      .description = "Computes all prefix sums of an array.",
      .add_options = add_options,
      .passes = 3,
  };
  return program_of_phases(p, std::move(it));
}

}  // namespace bench
