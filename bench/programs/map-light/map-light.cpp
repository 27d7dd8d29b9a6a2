// map-light: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/loops/divided.hpp"
#include "harness/loops/managed.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/loops/serial.hpp"

namespace bench {

void serial(problem& p) { solve(p, serial_loops{}); }
void managed(problem& p) { solve(p, managed_loops{}); }
void tuned(problem& p) { solve(p, divided_loops{16384}); }
void dac(problem& p) { solve(p, divided_loops{single}); }

namespace {

constexpr std::uint64_t first = 0x0123456789abcdef;
constexpr std::uint64_t step = 0x9e3779b97f4a7c15;

}  // namespace

void problem::reset() {
  if (a.size() != n) {
    a.resize(n);
    std::uint64_t x = first;
    for (std::uint64_t& each : a) {
      each = x;
      x += step;
    }
  }
  b.assign(n, 0);
}

std::string problem::mistake() const {
  std::uint64_t right = 3 * first + 1;
  for (std::uint64_t each : b) {
    if (each != right) return format("an element of B is not 3*A[i] + 1 (n = {})", n);
    right += 3 * step;
  }
  return "";
}

program describe_program() {
  static problem p;
  program it{
      .name = "map-light",
      .description = "Computes B[i] = 3*A[i] + 1 for all elements of an array.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Elements of 8 bytes"); },
      .passes = 6,
  };
  return program_of_loops(p, std::move(it));
}

}  // namespace bench
