// The program scan: parameters, variants, check.
#include "harness/blocks/variants/program_of_phases.hpp"

namespace bench {

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) {
    o.size("--n", p.n, {1, scan::largest_n}, scan::large_n, "Elements of 8 bytes");
    o.number("--block", p.block, {1, scan::largest_n}, "Elements of a block");
  };
  program all = program_of_phases(p, "scan", "Computes all prefix sums of an array.", add_options,
                                  [] { return parameters{{"n", p.n}, {"block", p.block}}; });
  all.passes = 3;
  return all;
}

}  // namespace bench
