// Lays out the trees of a profile, without the time that profiling has added to them. One thread builds a program.
#include "simulate/program.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace tine::simulate {
namespace {

using shape = trace::node::shape;

/// After this time a chunk of short iterations ends (managed/adaptive_chunk.hpp).
constexpr std::uint64_t chunk_time = 5000;

/// The members of a profile's node that matter here. There may be tens of millions of nodes, so memory is time.
struct node {
  std::uint64_t work, span, forks;
  std::uint32_t children;
  shape is;
};

class builder {
 public:
  builder(const trace::profile& p, std::size_t last) : profile_{p}, last_{last} {
    nodes_.reserve(p.nodes.size());
    for (const trace::node& n : p.nodes) nodes_.push_back({n.work, n.span, n.forks, n.children, n.is});
  }

  program run() {
    check_length();
    find_trees();
    for (std::size_t i = 0; i < trees_.size() && i < profile_.roots.size(); ++i) take_out_profiling(i);
    sum_up();
    add_groups();
    result_.block = profile_.run.threshold;
    const auto leaves = std::ranges::count(nodes_, 0U, &node::children);
    result_.leaves.reserve(static_cast<std::size_t>(leaves));
    leaves_.reserve(static_cast<std::size_t>(leaves));
    for (const std::uint32_t tree : ordered_) {
      for (std::uint32_t i = tree; i < tree + size_[tree]; ++i) add_leaf(i);
    }
    chain_polls();
    return std::move(result_);
  }

 private:
  // We refuse times above thirty years, so that every sum fits into 64 bits.
  void check_length() const {
    double all = static_cast<double>(profile_.run.wall);
    for (const trace::root& r : profile_.roots)
      all =
          std::max({all + static_cast<double>(r.all.work), static_cast<double>(r.begin), static_cast<double>(r.wall)});
    if (all > 1e18)
      throw std::length_error{"the profile's times are longer than 10^18 ns, which is too long to be simulated"};
  }

  std::uint64_t end_of(const trace::root& r) const { return r.begin + r.wall; }

  // Finds the size of each subtree, the first nodes of the trees, and the leaves that hold iterations.
  void find_trees() {
    size_.resize(nodes_.size());
    polls_.resize(nodes_.size());
    iterates_.resize(nodes_.size());
    for (auto i = static_cast<std::uint32_t>(nodes_.size()); i-- > 0;) {
      std::uint32_t c = i + 1;
      for (std::uint32_t k = 0; k < nodes_[i].children; ++k) c += size_[c];
      size_[i] = c - i;
    }
    for (std::uint32_t i = 0; i < nodes_.size(); i += size_[i]) trees_.push_back(i);
  }

  void take_out_profiling(std::size_t root) {
    const std::uint32_t from = trees_[root], to = from + size_[from];
    const trace::totals& all = profile_.roots[root].all;
    const trace::run& run = profile_.run;
    double rest = static_cast<double>(all.forks) * run.profiled_fork_cost +
                  static_cast<double>(all.loops) * run.profiled_loop_cost;
    if (!(rest > 0)) return;
    double forks = 0;
    for (std::uint32_t i = from; i < to; ++i)
      forks += nodes_[i].children == 0 ? static_cast<double>(nodes_[i].forks) : 0;
    if (forks > 0) rest = take_out(from, to, rest, forks, [](const node& n) { return static_cast<double>(n.forks); });
    double work = 0;
    for (std::uint32_t i = from; i < to; ++i) work += nodes_[i].children == 0 ? static_cast<double>(nodes_[i].work) : 0;
    if (rest > 0 && work > 0) take_out(from, to, rest, work, [](const node& n) { return static_cast<double>(n.work); });
  }

  // Takes a share of `all` out of each leaf. Returns how much of `all` was more than the leaves allow.
  template <class Weight>
  double take_out(std::uint32_t from, std::uint32_t to, double all, double weights, Weight weight) {
    double rest = 0;
    for (std::uint32_t i = from; i < to; ++i) {
      node& n = nodes_[i];
      if (n.children != 0 || n.work == 0) continue;
      const double wanted = all * weight(n) / weights, most = 0.75 * static_cast<double>(n.work);
      const double taken = std::min(wanted, most);
      rest += wanted - taken;
      result_.profiling += taken;
      const double kept = 1 - taken / static_cast<double>(n.work);
      n.work = static_cast<std::uint64_t>(std::llround(static_cast<double>(n.work) * kept));
      n.span = std::min(n.work, static_cast<std::uint64_t>(std::llround(static_cast<double>(n.span) * kept)));
    }
    return rest;
  }

  // Computes work and span of inner nodes anew. A leaf with work gets a span.
  void sum_up() {
    for (auto i = static_cast<std::uint32_t>(nodes_.size()); i-- > 0;) {
      node& n = nodes_[i];
      if (n.children == 0) {
        n.span = std::clamp<std::uint64_t>(n.span, n.work == 0 ? 0 : 1, n.work);
        continue;
      }
      n.work = n.span = 0;
      std::uint32_t c = i + 1;
      for (std::uint32_t k = 0; k < n.children; ++k, c += size_[c]) {
        n.work += nodes_[c].work;
        n.span = n.is == shape::series ? n.span + nodes_[c].span : std::max(n.span, nodes_[c].span);
      }
    }
  }

  // Roots that overlap in time form a group. Groups are in the order of time.
  void add_groups() {
    std::vector<std::uint32_t> order(std::min(trees_.size(), profile_.roots.size()));
    std::iota(order.begin(), order.end(), 0U);
    const auto root = [&](std::uint32_t i) -> const trace::root& { return profile_.roots[i]; };
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair{root(i).begin, i}; });
    const bool is_whole = order.size() <= last_;
    if (!is_whole) order.erase(order.begin(), order.end() - static_cast<std::ptrdiff_t>(last_));
    result_.nodes.reserve(nodes_.size() + order.size());
    source_.reserve(nodes_.size() + order.size());
    std::uint64_t covered = is_whole || order.empty() ? 0 : root(order.front()).begin;
    for (std::size_t i = 0; i < order.size();) {
      const std::uint64_t begin = root(order[i]).begin;
      root_group g{static_cast<std::uint32_t>(result_.nodes.size()), begin > covered ? begin - covered : 0};
      std::vector<std::uint32_t> members{trees_[order[i]]};
      covered = std::max(covered, end_of(root(order[i])));
      while (++i < order.size() && root(order[i]).begin < covered) {
        members.push_back(trees_[order[i]]);
        covered = std::max(covered, end_of(root(order[i])));
      }
      lay_out(members);
      result_.groups.push_back(g);
      result_.outside += g.outside_before;
      result_.span += result_.nodes[g.tree].span;
    }
    if (is_whole && profile_.run.wall > covered) result_.outside_after = profile_.run.wall - covered;
    result_.outside += result_.outside_after;
  }

  // Adds trees that start at once, level by level.
  void lay_out(const std::vector<std::uint32_t>& members) {
    std::size_t next = result_.nodes.size();
    if (members.size() > 1) {
      tree_node all{.is = shape::parallel, .begin = result_.work};
      all.first = static_cast<std::uint32_t>(next + 1);
      all.children = static_cast<std::uint32_t>(members.size());
      for (const std::uint32_t m : members) all.work += nodes_[m].work, all.span = std::max(all.span, nodes_[m].span);
      result_.nodes.push_back(all);
      source_.push_back(trace::nothing);
      ++next;
    }
    for (const std::uint32_t m : members) {
      if (members.size() > 1) polls_[m] = true;
      add(m, result_.work);
      result_.work += nodes_[m].work;
      ordered_.push_back(m);
    }
    for (; next < result_.nodes.size(); ++next) add_children(next);
  }

  void add(std::uint32_t i, std::uint64_t begin) {
    const node& n = nodes_[i];
    source_.push_back(i);
    tree_node t{
        .is = n.is, .is_iterations = iterates_[i], .begin = begin, .work = n.work, .span = n.span, .forks = n.forks};
    if (t.is_iterations)
      t.piece = std::clamp(n.work / std::max<std::uint64_t>(n.forks, 1), std::min(chunk_time, n.span), n.span);
    result_.nodes.push_back(t);
  }

  void add_children(std::size_t at) {
    const std::uint32_t i = source_[at];
    const node n = nodes_[i];
    result_.nodes[at].first = static_cast<std::uint32_t>(result_.nodes.size());
    result_.nodes[at].children = n.children;
    std::uint64_t begin = result_.nodes[at].begin, forks = n.forks;
    std::uint32_t c = i + 1;
    for (std::uint32_t k = 0; k < n.children; ++k, c += size_[c]) {
      const bool forks_here = n.is == shape::loop || (n.is == shape::parallel && n.children > 1);
      polls_[c] = n.is == shape::loop || (k == 0 && (forks_here || polls_[i]));
      iterates_[c] = n.is == shape::loop && nodes_[c].children == 0;
      forks -= std::min(forks, nodes_[c].forks);
      // The forks of a loop that its children don't have are its iterations, less one.
      if (iterates_[c] && k + 1 == n.children) nodes_[c].forks = forks + 1;
      add(c, begin);
      begin += nodes_[c].work;
    }
  }

  void add_leaf(std::uint32_t i) {
    const node& n = nodes_[i];
    if (n.children != 0) return;
    result_.strands += iterates_[i] ? n.forks : 2 * n.forks + 1;
    flagged_ = flagged_ || polls_[i];
    if (n.work == 0) return;
    double gap = n.work > n.span ? static_cast<double>(n.work) / (static_cast<double>(n.forks) + 1) : 0;
    if (gap > 0 && iterates_[i])
      gap = std::min(std::max(gap, static_cast<double>(chunk_time)), static_cast<double>(n.span));
    leaves_.push_back(flagged_ || gap > 0);
    result_.leaves.push_back({position_, 0, static_cast<float>(gap)});
    position_ += n.work;
    flagged_ = false;
  }

  // The leaves are in serial order.
  void chain_polls() {
    auto next = static_cast<std::uint32_t>(leaves_.size());
    for (std::size_t i = leaves_.size(); i-- > 0;) {
      result_.leaves[i].next_poll = next;
      if (leaves_[i]) next = static_cast<std::uint32_t>(i);
    }
  }

  const trace::profile& profile_;
  const std::size_t last_;
  std::vector<node> nodes_;          // in preorder, as in the profile
  std::vector<std::uint32_t> size_;  // of their subtrees
  std::vector<bool> polls_;          // the worker polls at the start of the node
  std::vector<bool> iterates_;       // the node is a leaf with iterations of the loop above it
  std::vector<std::uint32_t> trees_;
  std::vector<std::uint32_t> ordered_;  // the trees in the order of time
  std::vector<std::uint32_t> source_;   // of the nodes of the result
  std::vector<bool> leaves_;            // the worker polls at the start of the leaf, or inside of it
  std::uint64_t position_ = 0;          // of the next leaf
  bool flagged_ = false;                // a leaf without work has passed its poll on
  program result_;
};

}  // namespace

program program_of(const trace::profile& p, std::size_t last) { return builder{p, last}.run(); }

}  // namespace tine::simulate
