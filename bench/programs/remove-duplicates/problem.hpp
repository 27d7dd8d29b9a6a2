// The problem remove-duplicates: find the distinct integers of a sequence.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

constexpr std::size_t usual_n = 10'000'000;
constexpr std::size_t large_n = 60'000'000;
constexpr std::size_t largest_n = 200'000'000;

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
  /// Makes the keys if `n` has changed since the last call, and forgets the distinct ones.
  void reset();
  /// Returns the number of distinct keys: the answer that is reported.
  std::size_t answer() const { return distinct.size(); }
  /// Returns a description of the mistake in `distinct`; empty if it has each key of the input once and no others.
  std::string mistake() const;

  std::size_t n = usual_n;
  std::vector<std::uint32_t> keys;      ///< none is `no_key`
  std::vector<std::uint32_t> distinct;  ///< in any order

 private:
  std::vector<bool> is_key_;  ///< for each number up to the greatest key
};

// The distinct keys by a phase-concurrent hash table with linear probing (Shun and Blelloch, SPAA 2014): a phase of
// insertions, then a phase that reads all slots.

/// Inserts a key that may be in the table already. On the way from its home slot a key passes greater keys, and takes
/// the slot of the first lesser key, which continues on the way. So the contents of all slots are a function of the set
/// of keys, whatever the order of insertions.
///
/// Relaxed accesses are enough: a key is complete in itself, a thread that finds one reads nothing that was written
/// before it, and the end of the loop orders all insertions before the next phase. A slot's key only becomes greater,
/// so a key that has passed a slot need not return to it.
inline void insert(std::uint32_t* table, std::size_t slots, std::uint32_t key) {
  std::size_t slot = home_slot(key, slots);
  while (key != no_key) {
    const std::atomic_ref<std::uint32_t> there{table[slot]};
    std::uint32_t found = there.load(std::memory_order_relaxed);
    while (found < key && !there.compare_exchange_weak(found, key, std::memory_order_relaxed)) {
    }
    if (found == key) return;
    if (found < key) key = found;  // `found` has lost the slot
    slot = (slot + 1) & (slots - 1);
  }
}

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  const std::size_t slots = slots_for(p.n);
  const std::unique_ptr<std::uint32_t[]> memory = std::make_unique_for_overwrite<std::uint32_t[]>(slots);
  std::uint32_t* const table = memory.get();
  algorithms.for_each(std::size_t{0}, slots, [table](std::size_t slot) { table[slot] = no_key; });
  algorithms.for_each(std::size_t{0}, p.n,
                      [keys = p.keys.data(), table, slots](std::size_t i) { insert(table, slots, keys[i]); });
  const auto is_full = [](std::uint32_t key) { return key != no_key; };
  const std::size_t count = algorithms.reduce(
      std::size_t{0}, slots, std::size_t{0},
      [table, is_full](std::size_t slot) { return static_cast<std::size_t>(is_full(table[slot])); }, std::plus<>{});
  p.distinct.resize(count);
  algorithms.copy_if(table, table + slots, p.distinct.data(), is_full);
}

}  // namespace bench
