// remove-duplicates: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
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

namespace {

constexpr std::uint64_t few_keys = 100'000;

/// Distributions of the Problem Based Benchmark Suite: uniform over n numbers, of which 63 % appear; uniform over few
/// numbers; and exponential, which has many repetitions of the low numbers.
std::vector<std::uint32_t> make_keys(std::size_t n, distribution of) {
  splitmix random{1};
  std::vector<std::uint32_t> keys(n);
  for (std::uint32_t& key : keys) {
    std::uint64_t number = 0;
    switch (of) {
      case distribution::random:
        number = random.below(n);
        break;
      case distribution::few:
        number = random.below(few_keys);
        break;
      case distribution::exponential:
        number = static_cast<std::uint64_t>(-std::log1p(-random.unit()) * static_cast<double>(n) / 16);
        break;
    }
    key = static_cast<std::uint32_t>(number + 1);
  }
  return keys;
}

}  // namespace

std::size_t slots_for(std::size_t n) { return std::bit_ceil(n + n / 2 + 1); }

void problem::reset() {
  if (keys.size() != n || made_ != of) {
    keys = make_keys(n, of);
    made_ = of;
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
  const auto add_options = [](options& o) {
    o.size("--n", p.n, {1, largest_n}, large_n, "Keys");
    o.word("--keys", p.of,
           {{"random", distribution::random}, {"few", distribution::few}, {"exponential", distribution::exponential}},
           "Distribution of the keys");
  };
  program it{
      .name = "remove-duplicates",
      .description = "Finds the distinct keys of a sequence.",
      .add_options = add_options,
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
