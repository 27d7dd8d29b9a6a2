// comparison-sort: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace bench {

void serial(problem& p) { std::sort(p.keys.begin(), p.keys.end()); }

void managed(problem& p) { solve(p, managed_algorithms{}); }

namespace {

/// Returns a hash that does not depend on the order of the keys.
std::uint64_t hash_of(const std::vector<double>& keys) {
  std::uint64_t sum = 0;
  for (const double key : keys) sum += splitmix{std::bit_cast<std::uint64_t>(key)}();
  return sum;
}

/// The distributions of the Problem Based Benchmark Suite: uniform; exponential, which has many equal keys; and sorted
/// but for √n swaps.
std::vector<double> make_keys(std::size_t n, order of) {
  splitmix random{1};
  std::vector<double> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    switch (of) {
      case order::random:
        keys[i] = random.unit();
        break;
      case order::exponential:
        keys[i] = std::floor(-std::log1p(-random.unit()) * static_cast<double>(n) / 64);
        break;
      case order::almost_sorted:
        keys[i] = static_cast<double>(i);
        break;
    }
  }
  if (of == order::almost_sorted)
    for (auto swaps = static_cast<std::size_t>(std::sqrt(n)); swaps > 0; --swaps)
      std::swap(keys[random.below(n)], keys[random.below(n)]);
  return keys;
}

}  // namespace

void problem::reset() {
  if (input_.size() != n || made_ != of) {
    input_ = make_keys(n, of);
    made_ = of;
    input_hash_ = hash_of(input_);
  }
  keys = input_;
}

std::string problem::mistake() const {
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (keys[i] < keys[i - 1]) return format("key {} is less than the one before it", i);
  if (hash_of(keys) != input_hash_) return "the keys are not those of the input";
  return "";
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) {
    o.size("--n", p.n, {1, largest_n}, large_n, "Keys");
    o.word("--keys", p.of,
           {{"random", order::random}, {"exponential", order::exponential}, {"almost-sorted", order::almost_sorted}},
           "Distribution of the keys");
  };
  program it{
      .name = "comparison-sort",
      .description = "Sorts floating-point keys by comparisons.",
      .add_options = add_options,
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
