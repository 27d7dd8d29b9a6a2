// Programs that tests write down: as the nodes of a profile, and as an explicit graph of strands, on which the oracles
// run.
#pragma once

#include "simulate/program.hpp"
#include "trace/profile.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace tine::test {

using shape = trace::node::shape;

/// A node with its children. `span` is of leaves, and `forks` of leaves and loops: of a loop those that its children do
/// not have.
struct written_program {
  shape is = shape::leaf;
  std::uint64_t work = 0, span = 0, forks = 0;
  std::vector<written_program> children;
};

inline written_program strand(std::uint64_t work) { return {shape::leaf, work, work, 0, {}}; }
inline written_program divisible(std::uint64_t work, std::uint64_t span, std::uint64_t forks) {
  return {shape::leaf, work, span, forks, {}};
}
inline written_program group(shape is, std::vector<written_program> children) {
  return {is, 0, 0, 0, std::move(children)};
}

inline trace::node add_nodes(std::vector<trace::node>& to, const written_program& w) {
  const std::size_t at = to.size();
  to.push_back({.is = w.is,
                .children = static_cast<std::uint32_t>(w.children.size()),
                .work = w.work,
                .span = w.span,
                .forks = w.forks});
  for (const written_program& c : w.children) {
    const trace::node below = add_nodes(to, c);
    trace::node& n = to[at];
    n.work += below.work;
    n.span = w.is == shape::series ? n.span + below.span : std::max(n.span, below.span);
    n.forks += below.forks;
  }
  if (w.is == shape::parallel) to[at].forks += w.children.size() - 1;
  return to[at];
}

/// Returns a profile in which the programs are roots, one after the other, each after `outside` nanoseconds.
inline trace::profile profile_of(const std::vector<written_program>& roots, std::uint64_t outside = 0) {
  trace::profile p;
  for (const written_program& w : roots) {
    const trace::node n = add_nodes(p.nodes, w);
    trace::root r;
    r.begin = p.run.wall + outside;
    r.wall = n.work;
    r.all.work = n.work;
    r.all.span_low = r.all.span_high = r.all.burdened_span = n.span;
    p.run.wall = r.begin + r.wall;
    p.roots.push_back(r);
  }
  return p;
}

/// Leaves have between 0 and `most` nanoseconds.
inline written_program random_program(std::mt19937& random, unsigned depth, std::uint64_t most) {
  if (depth == 0 || random() % 5 == 0) return strand(random() % 7 == 0 ? 0 : random() % (most + 1));
  written_program w = group(random() % 2 == 0 ? shape::series : random() % 8 == 0 ? shape::loop : shape::parallel, {});
  for (auto n = 2 + (w.is == shape::parallel ? 0 : random() % 3); n > 0; --n)
    w.children.push_back(random_program(random, depth - 1, most));
  return w;
}

/// A strand of an explicit graph. The strands are in the serial order.
struct graph_strand {
  std::uint64_t work = 0;
  std::vector<std::size_t> after;  ///< strands that must have ended before
};
using graph = std::vector<graph_strand>;

/// Adds the strands of `w`, which begin after those in `before`. Returns the strands that must have ended before what
/// follows.
inline std::vector<std::size_t> add_strands(graph& g, const written_program& w, std::vector<std::size_t> before) {
  if (w.children.empty()) {
    g.push_back({w.work, std::move(before)});
    return {g.size() - 1};
  }
  if (w.is == shape::series) {
    for (const written_program& c : w.children) before = add_strands(g, c, std::move(before));
    return before;
  }
  std::vector<std::size_t> ends;
  for (const written_program& c : w.children) {
    for (const std::size_t e : add_strands(g, c, before)) ends.push_back(e);
  }
  return ends;
}

inline graph graph_of(const written_program& w) {
  graph g;
  add_strands(g, w, {});
  return g;
}

struct figures {
  std::uint64_t work = 0, span = 0;
};

inline figures figures_of(const graph& g) {
  figures all;
  std::vector<std::uint64_t> end(g.size());
  for (std::size_t i = 0; i < g.size(); ++i) {
    for (const std::size_t b : g[i].after) end[i] = std::max(end[i], end[b]);
    end[i] += g[i].work;
    all.work += g[i].work;
    all.span = std::max(all.span, end[i]);
  }
  return all;
}

}  // namespace tine::test
