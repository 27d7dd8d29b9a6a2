// map-heavy: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/loops/divided.hpp"
#include "harness/loops/managed.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/loops/serial.hpp"

namespace bench {

void serial(problem& p) { solve(p, serial_loops{}); }
void managed(problem& p) { solve(p, managed_loops{}); }
void tuned(problem& p) { solve(p, divided_loops{16}); }
void dac(problem& p) { solve(p, divided_loops{single}); }

namespace {

/// Returns the y with x·y = 1 modulo 2⁶⁴, for an odd x, by Newton's method: x itself is right in three bits, and every
/// round doubles the number of right bits.
constexpr std::uint64_t inverse_of(std::uint64_t x) {
  std::uint64_t y = x;
  for (int bits = 3; bits < 64; bits *= 2) y *= 2 - x * y;
  return y;
}
static_assert(factor * inverse_of(factor) == 1);

std::uint64_t origin_of(std::uint64_t hash) {
  for (int i = 0; i < steps; ++i) {
    hash *= inverse_of(factor);
    hash ^= hash >> 32;  // this step is its own inverse
  }
  return hash;
}

}  // namespace

std::string problem::mistake() const {
  for (std::size_t i = 0; i < n; ++i)
    if (origin_of(a[i]) != i) return format("an element of A is not f(i) (n = {})", n);
  return "";
}

program describe_program() {
  static problem p;
  program it{
      .name = "map-heavy",
      .description = "Computes A[i] = f(i) for an f that takes about a microsecond.",
      .add_options = [](options& o) { o.number("--n", p.n, {1, largest_n}, "Elements"); },
  };
  return program_of_loops(p, std::move(it));
}

}  // namespace bench
