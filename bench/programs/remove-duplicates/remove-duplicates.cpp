// remove-duplicates: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace bench {

/// Without forks: a key that is not in the hash table yet goes to the table and to the output.
void serial(problem& p) {
  const std::size_t slots = slots_for(p.n);
  std::vector<std::uint32_t> table(slots, no_key);
  for (const std::uint32_t key : p.keys) {
    std::size_t slot = home_slot(key, slots);
    while (table[slot] != no_key && table[slot] != key) slot = (slot + 1) & (slots - 1);
    if (table[slot] == key) continue;
    table[slot] = key;
    p.distinct.push_back(key);
  }
}

void managed(problem& p) { solve(p, managed_algorithms{}); }

std::size_t slots_for(std::size_t n) { return std::bit_ceil(n + n / 2 + 1); }

/// The keys are uniform over n numbers, of which 63 % appear.
void problem::reset() {
  if (keys.size() != n) {
    splitmix random{1};
    keys.resize(n);
    for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random.below(n) + 1);
    is_key_.assign(std::ranges::max(keys) + std::size_t{1}, false);
    for (const std::uint32_t key : keys) is_key_[key] = true;
  }
  distinct = {};
}

/// Crosses the distinct keys off a list of all keys.
std::string problem::mistake() const {
  std::vector<bool> is_missing = is_key_;
  for (const std::uint32_t key : distinct) {
    if (key >= is_key_.size() || !is_key_[key]) return format("{} is not in the input", key);
    if (!is_missing[key]) return format("{} appears twice", key);
    is_missing[key] = false;
  }
  const auto missing = std::ranges::find(is_missing, true);
  return missing == is_missing.end() ? "" : format("{} is missing", missing - is_missing.begin());
}

program describe_program() {
  static problem p;
  program it{
      .name = "remove-duplicates",
      .description = "Finds the distinct keys of a sequence.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Keys"); },
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
