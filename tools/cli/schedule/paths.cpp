// Names the places of a schedule.
#include "cli/schedule/paths.hpp"

#include <fmt/format.h>

namespace tine::cli {

// One pass is enough, because a node's parents come before the node.
paths::paths(const schedule& of)
    : of_{of},
      step_of_piece_(of.pieces().size()),
      node_of_step_(of.steps().size()),
      piece_of_node_(of.nodes().size(), schedule::nothing),
      level_(of.nodes().size()) {
  for (std::uint32_t n = 0; n < of.nodes().size(); ++n) {
    const schedule::node& node = of.nodes()[n];
    for (std::uint32_t s = node.first_step; s != node.first_step + node.steps; ++s) {
      node_of_step_[s] = n;
      const schedule::step& step = of.steps()[s];
      for (std::uint32_t p = step.first_piece; p != step.first_piece + step.pieces; ++p) {
        step_of_piece_[p] = s;
        const std::uint32_t child = of.pieces()[p].node;
        if (child == schedule::nothing) continue;
        piece_of_node_[child] = p;
        level_[child] = level_[n] + 1;
      }
    }
  }
}

std::string paths::of_step(std::uint32_t step) const {
  constexpr std::uint32_t most_levels = 16;
  const std::uint32_t level = level_[node_of_step_[step]];
  const std::uint32_t last = level > most_levels ? level - most_levels : 0;
  std::string path = std::to_string(of_.steps()[step].number);
  for (std::uint32_t node = node_of_step_[step]; level_[node] > last; node = node_of_step_[step]) {
    const std::uint32_t piece = piece_of_node_[node];
    step = step_of_piece_[piece];
    const schedule::step& t = of_.steps()[step];
    const std::uint64_t begin = of_.pieces()[piece].begin;
    const std::string inside = t.what == schedule::kind::fork ? fmt::format(".{}", begin) : fmt::format("[{}]", begin);
    path = fmt::format("{}{}/{}", t.number, inside, path);
  }
  return last == 0 ? path : fmt::format("({} above)/{}", last, path);
}

std::string paths::fork_or_loop(std::uint32_t step) const {
  return fmt::format("{} {}", name_of(of_.steps()[step].what), of_step(step));
}

std::string paths::branch(std::uint32_t piece) const {
  return last_of_branch(piece) + " of " + fork_or_loop(step_of_piece_[piece]);
}

std::string paths::last_of_branch(std::uint32_t piece) const {
  const std::uint64_t begin = of_.pieces()[piece].begin;
  if (of_.steps()[step_of_piece_[piece]].what == schedule::kind::loop) return fmt::format("iterations from {}", begin);
  return begin == 0 ? "first branch" : "second branch";
}

std::string describe(const paths& where, const timeline::strand& what) {
  switch (what.began_as) {
    case timeline::origin::region:
      return "region";
    case timeline::origin::branch:
      return where.branch(what.at);
    case timeline::origin::join:
      return "after " + where.fork_or_loop(what.at);
  }
  return {};
}

}  // namespace tine::cli
