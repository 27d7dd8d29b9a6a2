// The problem histogram: count the keys of each bin.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bench {

constexpr std::size_t usual_n = 32'000'000;
constexpr std::size_t large_n = 250'000'000;
constexpr std::size_t largest_n = 500'000'000;
constexpr std::size_t usual_bins = 256;
constexpr std::size_t most_bins = std::size_t{1} << 24;

/// Random keys below `bins`, and the number of keys that are equal to each of the numbers below `bins`.
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
  std::vector<std::uint32_t> keys;
  std::vector<std::size_t> counts;

 private:
  std::size_t made_bins_ = 0;
  std::uint64_t keys_hash_ = 0;
};

// histogram for libraries that do not have it: a table for each block of keys if there are few bins, otherwise one
// table of atomic counts.

constexpr std::size_t blocks = 64;
constexpr std::size_t fewest_keys_for_count =
    4;  ///< a block has so many keys for each count of its table, or it gets no table

/// Counts each block in a table of its own, and adds the tables, bin by bin.
template <class Algorithms>
void count_in_tables(problem& p, const Algorithms& algorithms) {
  const std::size_t block = (p.n + blocks - 1) / blocks;
  std::vector<std::vector<std::size_t>> tables(blocks);
  algorithms.for_each(std::size_t{0}, blocks, [&p, &tables, block](std::size_t b) {
    std::vector<std::size_t> counts(p.bins);
    for (std::size_t i = std::min(p.n, b * block), end = std::min(p.n, i + block); i < end; ++i) ++counts[p.keys[i]];
    tables[b] = std::move(counts);
  });
  p.counts.resize(p.bins);
  algorithms.for_each(std::size_t{0}, p.bins, [to = p.counts.data(), &tables](std::size_t bin) {
    std::size_t sum = 0;
    for (const std::vector<std::size_t>& counts : tables) sum += counts[bin];
    to[bin] = sum;
  });
}

/// Relaxed increments are enough: no thread reads a count before the loop has ended, and the end of the loop orders all
/// increments before it.
template <class Algorithms>
void count_atomically(problem& p, const Algorithms& algorithms) {
  p.counts.resize(p.bins);
  algorithms.for_each(std::size_t{0}, p.n, [keys = p.keys.data(), to = p.counts.data()](std::size_t i) {
    std::atomic_ref{to[keys[i]]}.fetch_add(1, std::memory_order_relaxed);
  });
}

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  if (p.bins * blocks * fewest_keys_for_count <= p.n) {
    count_in_tables(p, algorithms);
  } else {
    count_atomically(p, algorithms);
  }
}

}  // namespace bench
