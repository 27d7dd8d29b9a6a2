// Finds where two paths part. The pointers `jump` are those of Myers 1983.
#include "report/race_paths.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace tine::report {
namespace {

std::uint32_t step_of(std::uint32_t node) { return node == 0 ? trace::nothing : node - 1; }

}  // namespace

race_paths::race_paths(const std::vector<trace::race_step>& steps) : nodes_(steps.size() + 1) {
  std::map<std::tuple<std::uint32_t, std::uint64_t, trace::construct, std::uint64_t>, std::uint32_t> known;
  for (std::uint32_t i = 1; i < nodes_.size(); ++i) {
    const trace::race_step& step = steps[i - 1];
    node& n = nodes_[i];
    n.parent = node_of(step.parent);
    const node& up = nodes_[n.parent];
    n.is_complete = up.is_complete && !step.is_cut;
    n.depth = up.depth + 1;
    const bool jumps = up.depth - nodes_[up.jump].depth == nodes_[up.jump].depth - nodes_[nodes_[up.jump].jump].depth;
    n.jump = jumps ? nodes_[up.jump].jump : n.parent;
    // Only the row identifies a step that is cut, or a root or thread, which has no address.
    const bool has_twins = !step.is_cut && step.address != 0;
    n.same = has_twins ? known.try_emplace({n.parent, step.address, step.kind, step.branch}, i).first->second : i;
  }
}

std::uint32_t race_paths::above(std::uint32_t at, std::uint32_t depth) const {
  while (nodes_[at].depth > depth) {
    const node& n = nodes_[at];
    at = nodes_[n.jump].depth >= depth ? n.jump : n.parent;
  }
  return at;
}

parting_steps race_paths::part(std::uint32_t earlier, std::uint32_t later) const {
  const std::uint32_t ends[] = {node_of(earlier), node_of(later)};
  const std::uint32_t depth = std::min(nodes_[ends[0]].depth, nodes_[ends[1]].depth);
  std::uint32_t a = above(ends[0], depth), b = above(ends[1], depth);
  while (a != b) {
    const bool jumps = nodes_[a].jump != nodes_[b].jump;
    a = jumps ? nodes_[a].jump : nodes_[a].parent;
    b = jumps ? nodes_[b].jump : nodes_[b].parent;
  }
  const auto below = [&](std::uint32_t end) {
    return end == a ? trace::nothing : step_of(above(end, nodes_[a].depth + 1));
  };
  return {step_of(a), below(ends[0]), below(ends[1])};
}

bool race_paths::is_complete(std::uint32_t step) const {
  return step != trace::nothing && nodes_[node_of(step)].is_complete;
}

std::uint64_t race_paths::count_below(std::uint32_t above, std::uint32_t step) const {
  return nodes_[node_of(step)].depth - nodes_[node_of(above)].depth;
}

std::vector<std::uint32_t> race_paths::steps_below(std::uint32_t above, std::uint32_t step, std::size_t most) const {
  std::vector<std::uint32_t> steps;
  const std::uint32_t end = node_of(above);
  for (std::uint32_t at = node_of(step); at != end && at != 0 && steps.size() < most; at = nodes_[at].parent)
    steps.push_back(step_of(at));
  std::ranges::reverse(steps);
  return steps;
}

}  // namespace tine::report
