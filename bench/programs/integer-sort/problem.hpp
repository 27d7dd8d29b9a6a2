// The problem integer-sort: sort keys, or pairs of a key and a value, by keys of few bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

constexpr std::size_t usual_n = 10'000'000;
constexpr std::size_t large_n = 50'000'000;
constexpr std::size_t largest_n = 200'000'000;
constexpr unsigned key_bits = 27;  ///< keys are below 2 to the power of this

struct keyed {
  std::uint32_t key;
  std::uint32_t value;
};

inline std::uint32_t key_of(std::uint32_t item) { return item; }
inline std::uint32_t key_of(const keyed& item) { return item.key; }

/// Random keys, or pairs. Every run sorts the same items.
class problem {
 public:
  /// Makes the input if a parameter has changed since the last call, and copies it to `keys` or `pairs`.
  void reset();
  /// Returns the key in the middle: the answer that is reported.
  std::uint32_t answer() const;
  /// Returns a description of the mistake in the items; empty if they are those of the input, sorted by their keys.
  std::string mistake() const;

  std::size_t n = usual_n;
  bool with_values = false;
  std::vector<std::uint32_t> keys;  ///< empty if the items are pairs
  std::vector<keyed> pairs;         ///< empty if the items are keys

 private:
  std::vector<std::uint32_t> input_;  ///< the keys; the value of a pair is the place of its key here
  std::uint64_t input_hash_ = 0;
};

// integer-sort is one algorithm.

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  const auto sort = [&algorithms](auto& items) {
    algorithms.integer_sort(items.data(), items.data() + items.size(), [](const auto& item) { return key_of(item); });
  };
  p.with_values ? sort(p.pairs) : sort(p.keys);
}

}  // namespace bench
