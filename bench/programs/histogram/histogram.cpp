// histogram: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/splitmix.hpp"

#include <tine/algo/histogram.hpp>

#include <algorithm>
#include <numeric>

namespace bench {

void serial(problem& p) {
  std::vector<std::size_t> counts(p.bins);
  for (const std::uint32_t key : p.keys) ++counts[key];
  p.counts = std::move(counts);
}

/// The variant on tine, whose library has the algorithm.
void managed(problem& p) { p.counts = tine::histogram(p.keys, p.bins); }

namespace {

std::uint64_t hash_of(std::size_t key) { return splitmix{key}(); }

constexpr std::uint64_t sampled_bins = 4;

}  // namespace

void problem::reset() {
  if (keys.size() != n || made_bins_ != bins) {
    made_bins_ = bins;
    keys_hash_ = 0;
    splitmix random{1};
    keys.resize(n);
    for (std::uint32_t& key : keys) {
      key = static_cast<std::uint32_t>(random.below(bins));
      keys_hash_ += hash_of(key);
    }
  }
  counts.clear();
}

std::size_t problem::answer() const { return counts.empty() ? 0 : *std::ranges::max_element(counts); }

/// The counts determine the sum of a hash of all keys: wrong counts have the right sum with a probability of about
/// 2⁻⁶⁴. A few bins are counted again.
std::string problem::mistake() const {
  if (counts.size() != bins) return format("there are {} counts for {} bins", counts.size(), bins);
  if (std::accumulate(counts.begin(), counts.end(), std::size_t{0}) != n) return "the sum of the counts is wrong";
  std::uint64_t hash = 0;
  for (std::size_t b = 0; b < bins; ++b) hash += counts[b] * hash_of(b);
  if (hash != keys_hash_) return "the counts are not those of the keys";
  splitmix random{2};
  for (std::uint64_t i = 0; i < sampled_bins; ++i) {
    const std::uint64_t b = random.below(bins);
    const auto right = static_cast<std::size_t>(std::ranges::count(keys, static_cast<std::uint32_t>(b)));
    if (counts[b] != right) return format("the count of bin {} is {} instead of {}", b, counts[b], right);
  }
  return "";
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) {
    o.size("--n", p.n, {1, largest_n}, large_n, "Keys");
    o.number("--bins", p.bins, {1, most_bins}, "Bins");
  };
  program it{
      .name = "histogram",
      .description = "Counts the keys of each bin.",
      .add_options = add_options,
      .passes = 8,
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
