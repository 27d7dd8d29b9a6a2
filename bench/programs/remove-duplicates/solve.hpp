// The distinct keys by a phase-concurrent hash table with linear probing (Shun and Blelloch, SPAA 2014): a phase of insertions, then a phase
// that reads all slots.
#pragma once

#include "problem.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

namespace bench::remove_duplicates {

/// Inserts a key that may be in the table already. On the way from its home slot a key passes greater keys, and takes the slot of the first
/// lesser key, which continues on the way. So the contents of all slots are a function of the set of keys, whatever the order of insertions.
///
/// Relaxed accesses are enough: a key is complete in itself, a thread that finds one reads nothing that was written before it, and the end of the
/// loop orders all insertions before the next phase. A slot's key only becomes greater, so a key that has passed a slot need not return to it.
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

}  // namespace bench::remove_duplicates
