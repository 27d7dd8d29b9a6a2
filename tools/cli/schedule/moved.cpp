// Finds the longest increasing subsequence by patience sorting, in O(n log n): all other elements have moved.
#include "cli/schedule/moved.hpp"

#include <algorithm>

namespace tine::cli {

std::vector<std::size_t> moved(const std::vector<std::size_t>& places) {
  constexpr std::size_t none = ~std::size_t{0};
  std::vector<std::size_t> ends;  // for each length of a run, the run of that length whose last place is least
  std::vector<std::size_t> before(places.size(), none);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto at = std::ranges::lower_bound(ends, places[i], {}, [&](std::size_t e) { return places[e]; });
    if (at != ends.begin()) before[i] = *(at - 1);
    if (at == ends.end()) {
      ends.push_back(i);
    } else {
      *at = i;
    }
  }
  std::vector<bool> stays(places.size());
  for (std::size_t i = ends.empty() ? none : ends.back(); i != none; i = before[i]) stays[i] = true;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!stays[i]) others.push_back(i);
  }
  return others;
}

}  // namespace tine::cli
