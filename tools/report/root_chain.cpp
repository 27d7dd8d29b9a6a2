// Finds the heaviest chain of roots that ran one after the other. Roots that overlap ran on different threads, and
// neither waited for the other.
#include "report/root_chain.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

namespace tine::report {

std::vector<std::size_t> by_begin(const std::vector<trace::root>& roots) {
  std::vector<std::size_t> order(roots.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair{roots[i].begin, i}; });
  return order;
}

root_chain heaviest_chain(const std::vector<trace::root>& roots, std::uint64_t trace::totals::* span) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  struct link {
    std::uint64_t length = 0;  // of the heaviest chain that ends with `last`
    std::size_t last = none;
  };
  using running_root = std::pair<std::uint64_t, std::size_t>;  // the time at which it ends, and its index
  std::priority_queue<running_root, std::vector<running_root>, std::greater<>> running;
  root_chain chain{0, std::vector<std::uint64_t>(roots.size()), std::vector<bool>(roots.size())};
  std::vector<std::size_t> previous(roots.size(), none);
  link ended, heaviest;
  const auto length_with = [&](std::size_t i) { return sum(chain.before[i], roots[i].all.*span); };
  for (const std::size_t i : by_begin(roots)) {
    for (; !running.empty() && running.top().first <= roots[i].begin; running.pop()) {
      const std::size_t other = running.top().second;
      if (ended.last == none || length_with(other) > ended.length) ended = {length_with(other), other};
    }
    chain.before[i] = ended.length;
    previous[i] = ended.last;
    running.push({end_of(roots[i]), i});
    if (heaviest.last == none || length_with(i) > heaviest.length) heaviest = {length_with(i), i};
  }
  chain.length = heaviest.length;
  for (std::size_t i = heaviest.last; i != none; i = previous[i]) chain.goes_through[i] = true;
  return chain;
}

}  // namespace tine::report
