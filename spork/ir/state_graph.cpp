// Finds cycles. Strongly connected components are computed after Tarjan, "Depth-first search and linear graph
// algorithms" (1972), with an explicit stack instead of recursion, because a graph may have a million states.
#include "ir/state_graph.hpp"

#include <algorithm>

namespace tine::spork {
namespace {

constexpr state_id unseen = ~state_id{0};

struct visit {
  state_id state;
  std::size_t next;  // index of the next successor to visit
};

}  // namespace

// Returns the component of each state, named by one of its members.
std::vector<state_id> state_graph::find_components() const {
  std::vector<state_id> order(size(), unseen), low(size()), component(size(), unseen), open;
  std::vector<visit> path;
  state_id clock = 0;
  const auto enter = [&](state_id s) {
    order[s] = low[s] = clock++;
    open.push_back(s);
    path.push_back({s, 0});
  };
  for (state_id root = 0; root < size(); ++root) {
    if (order[root] == unseen) enter(root);
    while (!path.empty()) {
      auto& [s, next] = path.back();
      if (next < successors(s).size()) {
        const state_id to = successors(s)[next++];
        if (to >= size()) continue;
        if (order[to] == unseen) {
          enter(to);
        } else if (component[to] == unseen) {
          low[s] = std::min(low[s], order[to]);
        }
        continue;
      }
      const state_id done = s;
      path.pop_back();
      if (!path.empty()) low[path.back().state] = std::min(low[path.back().state], low[done]);
      if (low[done] != order[done]) continue;
      state_id member = unseen;
      do {
        member = open.back();
        open.pop_back();
        component[member] = done;
      } while (member != done);
    }
  }
  return component;
}

std::vector<state_id> state_graph::find_cycle() const {
  const std::vector<state_id> component = find_components();
  std::vector<std::size_t> members(size());
  for (const state_id c : component) ++members[c];
  const auto is_on_cycle = [&](state_id s) {
    return members[component[s]] > 1 || std::ranges::count(successors(s), s) != 0;
  };
  state_id first = 0;
  while (first < size() && !is_on_cycle(first)) ++first;
  if (first == size()) return {};
  // searches breadth first within the component, until a step leads back
  std::vector<state_id> from(size(), unseen), queue{first};
  for (std::size_t at = 0;; ++at) {
    const state_id s = queue[at];
    for (const state_id to : successors(s)) {
      if (to == first) {
        std::vector<state_id> cycle;
        for (state_id back = s; back != first; back = from[back]) cycle.push_back(back);
        cycle.push_back(first);
        std::ranges::reverse(cycle);
        return cycle;
      }
      if (to >= size() || component[to] != component[first] || from[to] != unseen) continue;
      from[to] = s;
      queue.push_back(to);
    }
  }
}

}  // namespace tine::spork
