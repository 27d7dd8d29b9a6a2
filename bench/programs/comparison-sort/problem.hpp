// The problem comparison-sort: sort keys by comparisons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

constexpr std::size_t usual_n = 4'000'000;
constexpr std::size_t large_n = 32'000'000;
constexpr std::size_t largest_n = 200'000'000;

/// Random floating-point keys. Every run sorts the same keys.
class problem {
 public:
  /// Makes the input if `n` has changed since the last call, and copies it to `keys`.
  void reset();
  /// Returns the key in the middle: the answer that is reported.
  double answer() const { return keys[keys.size() / 2]; }
  /// Returns a description of the mistake in `keys`; empty if they are the sorted input.
  std::string mistake() const;

  std::size_t n = usual_n;
  std::vector<double> keys;

 private:
  std::vector<double> input_;
  std::uint64_t input_hash_ = 0;
};

// comparison-sort is one algorithm.

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  algorithms.sort(p.keys.data(), p.keys.data() + p.keys.size(), std::less<>{});
}

}  // namespace bench
