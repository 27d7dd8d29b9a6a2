// comparison-sort: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>
#include <bit>

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

}  // namespace

void problem::reset() {
  if (input_.size() != n) {
    splitmix random{1};
    input_.resize(n);
    for (double& key : input_) key = random.unit();
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
  program it{
      .name = "comparison-sort",
      .description = "Sorts floating-point keys by comparisons.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Keys"); },
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
