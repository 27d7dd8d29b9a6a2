// merge-sort: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/loops/divided.hpp"
#include "harness/loops/managed.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/loops/serial.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>

namespace bench {

using namespace merge_sort;

/// Without forks; its merges are not cut.
void serial(problem& p) { solve(p, serial_loops{}); }

void managed(problem& p) { solve(p, managed_loops{}); }

void tuned(problem& p) { solve(p, divided_loops{single}, 8192); }

/// On tine as divide and conquer. It is the same as managed, because the program has no loops.
void dac(problem& p) { solve(p, divided_loops{single}); }

namespace {

/// Returns a hash of the set of keys: it does not depend on their order, and other keys hardly ever have it.
std::uint64_t hash_of_set(const std::vector<key>& keys) {
  std::uint64_t sum = 0;
  for (const key k : keys) sum += splitmix{k}();
  return sum;
}

}  // namespace

void problem::reset() {
  if (input_.size() != n) {
    input_.resize(n);
    buffer.resize(n);
    std::ranges::generate(input_, splitmix{1});
    input_hash_ = hash_of_set(input_);
  }
  keys = input_;
}

std::string problem::mistake() const {
  const auto disorder = std::ranges::is_sorted_until(keys);
  if (disorder != keys.end()) return format("key {} is less than the one before it", disorder - keys.begin());
  if (hash_of_set(keys) != input_hash_) return "these are not the keys that were to be sorted";
  return "";
}

program describe_program() {
  static problem p;
  program it{
      .name = "merge-sort",
      .description = "Sorts random 64-bit keys by merging, with merges that are parallel, too.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Keys"); },
  };
  return program_of_loops(p, std::move(it));
}

}  // namespace bench
