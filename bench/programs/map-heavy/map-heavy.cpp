// map-heavy: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/divide.hpp"
#include "harness/loops/program_of_loops.hpp"

#include <tine/tine.hpp>

#include <numeric>

namespace bench {

void serial(problem& p) {
  std::uint64_t* a = p.a.data();
  const std::size_t n = p.n;  // the compiler knows that no store to the array changes this copy
  for (std::size_t i = 0; i < n; ++i) a[i] = hash_of(i);
}

/// On tine: a parallel loop over the elements.
void managed(problem& p) {
  tine::par_for(std::size_t{0}, p.n, [a = p.a.data()](std::size_t i) { a[i] = hash_of(i); });
}

void tuned(problem& p) {
  divide_for(std::size_t{0}, p.n, 16, [a = p.a.data()](std::size_t i) { a[i] = hash_of(i); });
}

void dac(problem& p) {
  divide_for(std::size_t{0}, p.n, single, [a = p.a.data()](std::size_t i) { a[i] = hash_of(i); });
}

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

bool problem::hashes_are_right() const {
  for (std::size_t i = 0; i < n; ++i)
    if (origin_of(a[i]) != i) return false;
  return true;
}

program describe_program() {
  static problem p;
  program it{
      .name = "map-heavy",
      .description = "Computes A[i] = f(i) for an f that takes about a microsecond.",
      .add_options = [](options& o) { o.number("--n", p.n, {1, largest_n}, "Elements"); },
      .params = [] { return parameters{{"n", p.n}}; },
      .examine = []() -> finding {
        const std::uint64_t sum = std::accumulate(p.a.begin(), p.a.end(), std::uint64_t{0});
        if (p.hashes_are_right()) return {sum, ""};
        return {sum, format("an element of A is not f(i) (n = {})", p.n)};
      },
  };
  return program_of_loops(p, std::move(it));
}

}  // namespace bench
