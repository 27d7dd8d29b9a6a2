// map-light: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/divide.hpp"
#include "harness/loops/program_of_loops.hpp"

#include <tine/tine.hpp>

#include <numeric>

namespace bench {

void serial(problem& p) {
  const std::uint64_t* a = p.a.data();
  std::uint64_t* b = p.b.data();
  const std::size_t n = p.n;  // the compiler knows that no store to the array changes this copy
  for (std::size_t i = 0; i < n; ++i) b[i] = image_of(a[i]);
}

/// On tine: a parallel loop over the elements.
void managed(problem& p) {
  tine::par_for(std::size_t{0}, p.n, [a = p.a.data(), b = p.b.data()](std::size_t i) { b[i] = image_of(a[i]); });
}

void tuned(problem& p) {
  divide_for(std::size_t{0}, p.n, 16384, [a = p.a.data(), b = p.b.data()](std::size_t i) { b[i] = image_of(a[i]); });
}

void dac(problem& p) {
  divide_for(std::size_t{0}, p.n, single, [a = p.a.data(), b = p.b.data()](std::size_t i) { b[i] = image_of(a[i]); });
}

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

bool problem::image_is_right() const {
  std::uint64_t right = 3 * first + 1;
  for (std::uint64_t each : b) {
    if (each != right) return false;
    right += 3 * step;
  }
  return true;
}

program describe_program() {
  static problem p;
  program it{
      .name = "map-light",
      .description = "Computes B[i] = 3*A[i] + 1 for all elements of an array.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Elements of 8 bytes"); },
      .params = [] { return parameters{{"n", p.n}}; },
      .passes = 6,
      .examine = []() -> finding {
        const std::uint64_t sum = std::accumulate(p.b.begin(), p.b.end(), std::uint64_t{0});
        if (p.image_is_right()) return {sum, ""};
        return {sum, format("an element of B is not 3*A[i] + 1 (n = {})", p.n)};
      },
  };
  return program_of_loops(p, std::move(it));
}

}  // namespace bench
