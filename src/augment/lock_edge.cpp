// See lock_edge.hpp. A breadth-first search would not do: the strands of a cycle must be parallel pair by pair, so a
// shortest way to a lock may be no part of a cycle where a longer one is. The search therefore deepens step by step.
#include "augment/lock_edge.hpp"

#include <algorithm>

namespace tine::detail {
namespace {

/// Returns true if one strand holds a lock that keeps the other strand from what it holds.
bool have_gate(const lock_edge& a, const lock_edge& b) noexcept {
  return std::any_of(a.held.begin(), a.held.end(), [&](const lock_use& one) {
    return std::any_of(b.held.begin(), b.held.end(), [&](const lock_use& other) {
      const bool is_common = one.acquired != 0 && one.acquired == other.acquired;
      return exclude(one, other) && !is_common;
    });
  });
}

class cycle_search {
 public:
  cycle_search(const std::vector<lock_edge>& edges, std::size_t steps) : edges_{edges}, steps_{steps} {}

  /// Returns true if `way` can be completed to a cycle of `length` edges; then it holds the cycle.
  bool complete(std::vector<std::size_t>& way, std::size_t length) {
    const lock_edge& last = edges_[way.back()];
    if (way.size() == length) return exclude(last.to, edges_[way.front()].from);
    for (std::size_t i = 0; i < edges_.size() && !was_cut(); ++i) {
      if (!exclude(last.to, edges_[i].from)) continue;
      ++used_;
      if (!fits(way, edges_[i])) continue;
      way.push_back(i);
      if (complete(way, length)) return true;
      way.pop_back();
    }
    return false;
  }
  bool was_cut() const noexcept { return used_ > steps_; }

 private:
  bool fits(const std::vector<std::size_t>& way, const lock_edge& next) const noexcept {
    return std::all_of(way.begin(), way.end(), [&](std::size_t i) {
      return are_parallel(edges_[i].strand, next.strand) && !have_gate(edges_[i], next);
    });
  }

  const std::vector<lock_edge>& edges_;
  std::size_t steps_, used_ = 0;
};

}  // namespace

bool are_parallel(const lock_strand& a, const lock_strand& b) noexcept {
  if (a.root != b.root) return a.root_began < b.root_ended && b.root_began < a.root_ended;
  const labels::relation r = relate(a.label, b.label);
  return r == labels::relation::left || r == labels::relation::right;
}

std::vector<std::size_t> shortest_cycle(const std::vector<lock_edge>& edges, std::size_t first, std::size_t steps,
                                        bool& was_cut) {
  cycle_search search{edges, steps};
  for (std::size_t length = 2; length <= most_edges_of_cycle && !search.was_cut(); ++length) {
    std::vector<std::size_t> way{first};
    if (search.complete(way, length)) return way;
  }
  was_cut = was_cut || search.was_cut();
  return {};
}

}  // namespace tine::detail
