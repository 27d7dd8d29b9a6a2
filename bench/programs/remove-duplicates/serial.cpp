// remove-duplicates without forks: a key that is not in the hash table yet goes to the table and to the output.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include <vector>

namespace bench {

void serial(problem& p) {
  using namespace remove_duplicates;
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

}  // namespace bench
