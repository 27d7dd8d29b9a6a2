// The states that the explorer has seen and the steps between them, and the search for a cycle in this graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tine::spork {

using state_id = std::uint32_t;

/// A directed graph, written state by state in the order of their numbers.
class state_graph {
 public:
  /// Starts the list of the next state's successors.
  void begin_state() { begins_.push_back(targets_.size()); }
  void add_step(state_id to) { targets_.push_back(to); }

  /// Returns the successors of `s`; none if `s` has not been written.
  std::span<const state_id> successors(state_id s) const {
    if (s >= begins_.size()) return {};
    const std::size_t end = s + 1 < begins_.size() ? begins_[s + 1] : targets_.size();
    return {targets_.data() + begins_[s], end - begins_[s]};
  }
  std::size_t size() const { return begins_.size(); }

  /// Returns the lowest state that lies on a cycle, then the other states of a shortest cycle through it, in order.
  /// Returns an empty list if there is no cycle.
  std::vector<state_id> find_cycle() const;

 private:
  std::vector<state_id> find_components() const;

  std::vector<std::size_t> begins_;
  std::vector<state_id> targets_;
};

}  // namespace tine::spork
