// sparse-mxv: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/loops/divided.hpp"
#include "harness/loops/managed.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/splitmix.hpp"

#include <bit>
#include <cmath>
#include <numeric>

namespace bench {

void serial(problem& p) { solve(p, serial_loops{}); }
void managed(problem& p) { solve(p, managed_loops{}, managed_loops{}); }
void tuned(problem& p) { solve(p, divided_loops{256}, divided_loops{8192}); }
void dac(problem& p) { solve(p, divided_loops{single}, divided_loops{single}); }

namespace {

/// Returns a length that is at least 2^k with probability 2^-k: half of the rows have one element, and the longest of n
/// rows has about n elements, as many as all rows of half its length together.
std::size_t power_law(splitmix& random, std::size_t most) {
  const std::uint64_t bits = random();
  const std::uint64_t power = std::uint64_t{1} << std::countl_zero(bits | 1u << 31);
  return std::min<std::size_t>(power + random.below(power), most);
}

/// Appends a row with `length` elements, in columns all over the row.
void append_row(matrix& a, std::size_t length, std::size_t n, splitmix& random) {
  for (std::size_t i = 0; i < length; ++i) {
    const std::size_t from = i * n / length, to = (i + 1) * n / length;
    a.columns.push_back(static_cast<std::uint32_t>(from + random.below(to - from)));
    a.values.push_back(static_cast<double>(random.below(17)) - 8);
  }
  a.starts.push_back(static_cast<std::int64_t>(a.columns.size()));
}

/// Returns the random element of w for row r.
std::uint64_t weight(std::size_t r) { return splitmix{r}(); }

std::uint64_t whole(double element) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(element)); }

/// Returns (w·A)·x modulo 2^64, computed by columns of A.
std::uint64_t weighted_product(const matrix& a, const std::vector<double>& x) {
  std::vector<std::uint64_t> w_a(x.size());
  for (std::size_t r = 0; r < a.rows(); ++r)
    for (std::int64_t i = a.starts[r]; i < a.starts[r + 1]; ++i) w_a[a.columns[i]] += weight(r) * whole(a.values[i]);
  std::uint64_t sum = 0;
  for (std::size_t c = 0; c < x.size(); ++c) sum += w_a[c] * whole(x[c]);
  return sum;
}

}  // namespace

void problem::reset() {
  if (a.rows() != n) {
    splitmix random{1};
    a = {};
    for (std::size_t r = 0; r < n; ++r) append_row(a, power_law(random, n), n, random);
    x.resize(n);
    for (double& element : x) element = static_cast<double>(random.below(1 << 20));
    expected_ = weighted_product(a, x);
  }
  y.assign(x.size(), 0.5);
}

std::string problem::mistake() const {
  std::uint64_t sum = 0;
  for (std::size_t r = 0; r < n; ++r) {
    const double element = y[r];
    if (element != std::nearbyint(element)) return format("y[{}] is no sum of whole numbers", r);
    sum += weight(r) * whole(element);
  }
  return sum == expected_ ? "" : "y is not A·x";
}

double problem::answer() const { return std::accumulate(y.begin(), y.end(), 0.0); }

program describe_program() {
  static problem p;
  program it{
      .name = "sparse-mxv",
      .description = "Multiplies a sparse matrix with rows of very different lengths by a vector.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, large_n}, large_n, "Rows and columns"); },
      .passes = 2,
  };
  return program_of_loops(p, std::move(it));
}

}  // namespace bench
