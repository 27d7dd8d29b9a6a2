// The problem merge-sort: sort random 64-bit keys.
#pragma once

#include "programs/merge-sort/sort.hpp"

#include <string>
#include <vector>

namespace bench::merge_sort {

constexpr std::size_t usual_n = std::size_t{1} << 22;
constexpr std::size_t large_n = std::size_t{1} << 25;
constexpr std::size_t largest_n = std::size_t{1} << 27;

/// The keys of one sort. Every run sorts the same keys, in `keys`.
class problem {
 public:
  /// Makes the input if `n` has changed since the last call, and copies it to `keys`.
  void reset();
  /// Returns a description of the mistake in `keys`; empty if they are the sorted input.
  std::string mistake() const;
  /// Returns a key from the middle: the answer that is reported.
  key answer() const { return keys[keys.size() / 2]; }

  std::size_t n = usual_n;
  std::vector<key> keys;
  std::vector<key> buffer;

 private:
  std::vector<key> input_;
  std::uint64_t input_hash_ = 0;
};

template <class Loops>
void solve(problem& p, const Loops& loops, std::ptrdiff_t grain = 0) {
  sort(loops, p.keys.data(), static_cast<std::ptrdiff_t>(p.n), p.buffer.data(), grain);
}

}  // namespace bench::merge_sort

namespace bench {
using merge_sort::problem;
}
