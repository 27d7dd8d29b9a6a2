// Remembers for each count the strands that have decremented it. Only the thread that holds the detector comes here.
#include "race/ordered_by_count.hpp"

#include "race/detector_time.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace tine::detail {
namespace {

using strands = std::vector<strand_number>;

struct counts {
  std::unordered_map<std::uintptr_t, strands> decremented;  // by the address of the count
  strand_number last = 0;                                   // the strand that last took counts to zero
  strands before_last;                                      // the strands that are ordered before it, sorted
};

counts& all() {
  static counts& c = *new counts;  // never destroyed: programs run until their very end
  return c;
}

}  // namespace

void note_decrement(strand_number by, std::uintptr_t count, bool to_zero) noexcept {
  const detector_time here;
  counts& c = all();
  if (!to_zero) return c.decremented[count].push_back(by);
  const auto at = c.decremented.find(count);
  if (at == c.decremented.end()) return;
  if (c.last != by) c.before_last.clear();
  c.last = by;
  c.before_last.insert(c.before_last.end(), at->second.begin(), at->second.end());
  std::ranges::sort(c.before_last);
  c.decremented.erase(at);
}

bool is_ordered_by_count(strand_number running, strand_number earlier) noexcept {
  const counts& c = all();
  return c.last == running && std::ranges::binary_search(c.before_last, earlier);
}

}  // namespace tine::detail
