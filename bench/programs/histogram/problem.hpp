// The problem histogram: count the keys of each bin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::histogram {

constexpr std::size_t usual_n = 32'000'000;
constexpr std::size_t large_n = 250'000'000;
constexpr std::size_t largest_n = 500'000'000;
constexpr std::size_t usual_bins = 256;
constexpr std::size_t most_bins = std::size_t{1} << 24;

enum class distribution { random, exponential };

/// Keys below `bins`, and the number of keys that are equal to each of the numbers below `bins`.
class problem {
 public:
  /// Makes the keys if a parameter has changed since the last call, and forgets the counts.
  void reset();
  /// Returns the greatest count: the answer that is reported.
  std::size_t answer() const;
  /// Returns a description of the mistake in `counts`; empty if they are right.
  std::string mistake() const;

  std::size_t n = usual_n;
  std::size_t bins = usual_bins;
  distribution of = distribution::random;
  std::vector<std::uint32_t> keys;
  std::vector<std::size_t> counts;

 private:
  std::size_t made_bins_ = 0;
  distribution made_ = distribution::random;
  std::uint64_t keys_hash_ = 0;
};

}  // namespace bench::histogram

namespace bench {
using histogram::problem;
}
