// The problem remove-duplicates: find the distinct integers of a sequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::remove_duplicates {

constexpr std::size_t usual_n = 10'000'000;
constexpr std::size_t large_n = 60'000'000;
constexpr std::size_t largest_n = 200'000'000;

enum class distribution { random, few, exponential };

/// The number of no key: it marks an empty slot of a hash table.
constexpr std::uint32_t no_key = 0;

/// Returns the number of slots, a power of two, of a hash table for as many as `n` keys.
std::size_t slots_for(std::size_t n);

/// Returns the home slot of a key in a table of `slots` slots: the high bits of a product (Knuth, vol. 3, 6.4).
inline std::size_t home_slot(std::uint32_t key, std::size_t slots) {
  return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15) >> 32) & (slots - 1);
}

/// Keys with repetitions, and the distinct ones in any order.
class problem {
 public:
  /// Makes the keys if a parameter has changed since the last call, and forgets the distinct ones.
  void reset();
  /// Returns the number of distinct keys: the answer that is reported.
  std::size_t answer() const { return distinct.size(); }
  /// Returns a description of the mistake in `distinct`; empty if it has each key of the input once and no others.
  std::string mistake() const;

  std::size_t n = usual_n;
  distribution of = distribution::random;
  std::vector<std::uint32_t> keys;      ///< none is `no_key`
  std::vector<std::uint32_t> distinct;  ///< in any order

 private:
  distribution made_ = distribution::random;
  std::vector<bool> is_key_;  ///< for each number up to the greatest key
};

}  // namespace bench::remove_duplicates

namespace bench {
using remove_duplicates::problem;
}
