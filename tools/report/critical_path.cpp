// The longest chain of strands through the dag of a profile: through the trees of the heaviest chain of roots.
#include "report/root_chain.hpp"

#include <algorithm>
#include <utility>

namespace tine::report {
namespace {

// The facts about each node that the walk needs, found from the last node to the first.
struct subtrees_of_dag {
  std::vector<std::uint32_t> size;     // of the subtree, itself included
  std::vector<std::uint32_t> longest;  // the child with the longest span; nothing without children

  explicit subtrees_of_dag(const std::vector<trace::node>& nodes)
      : size(nodes.size(), 1), longest(nodes.size(), trace::nothing) {
    std::vector<std::uint32_t> siblings;  // subtrees that still lack a parent, the leftmost on top
    for (auto i = static_cast<std::uint32_t>(nodes.size()); i-- > 0;) {
      for (std::uint32_t child = 0; child < nodes[i].children; ++child) {
        const std::uint32_t c = siblings.back();
        siblings.pop_back();
        size[i] += size[c];
        if (longest[i] == trace::nothing || nodes[c].span > nodes[longest[i]].span) longest[i] = c;
      }
      siblings.push_back(i);
    }
  }
};

class walker {
 public:
  explicit walker(const trace::profile& p)
      : nodes_{p.nodes}, roots_{p.roots}, subtrees_{p.nodes}, open_(p.sites.size()), since_(p.sites.size()) {
    path_.goes_through.resize(nodes_.size());
    path_.by_site.resize(p.sites.size());
  }

  critical_path walk() {
    for (const std::uint32_t root : trees_on_the_way()) {
      todo_.push_back({root, trace::nothing, 0, false});
      while (!todo_.empty()) {
        const visit next = todo_.back();
        todo_.pop_back();
        next.leaves ? leave(next) : enter(next);
      }
    }
    return std::move(path_);
  }

 private:
  struct visit {
    std::uint32_t node;
    std::uint32_t around;  // the nearest site
    std::uint64_t rest;    // if the visit leaves the node: the part of the node's span beyond its children
    bool leaves;
  };

  // Returns the trees of the roots on the heaviest chain, in the order of time.
  std::vector<std::uint32_t> trees_on_the_way() {
    const root_chain chain = heaviest_chain(roots_, &trace::totals::span_high);
    std::vector<std::uint32_t> trees;
    for (std::uint32_t node = 0; node < nodes_.size(); node += subtrees_.size[node]) trees.push_back(node);
    path_.tree_begins = chain.before;
    path_.tree_begins.resize(trees.size());
    std::vector<std::uint32_t> chosen;
    for (const std::size_t i : by_begin(roots_)) {
      if (chain.goes_through[i] && i < trees.size()) chosen.push_back(trees[i]);
    }
    return chosen;
  }

  void enter(const visit& v) {
    const trace::node& n = nodes_[v.node];
    const std::uint32_t site = n.site != trace::nothing ? n.site : v.around;
    path_.goes_through[v.node] = true;
    if (n.site != trace::nothing && open_[n.site]++ == 0) since_[n.site] = path_.length;
    const std::size_t own = todo_.size();
    todo_.push_back({v.node, site, 0, true});
    const std::uint64_t children =
        n.is == trace::node::shape::series ? follow_all(v.node, site) : follow_longest(v.node, site);
    todo_[own].rest = n.span > children ? n.span - children : 0;
  }

  // Both functions return the length of the path that they follow.
  std::uint64_t follow_all(std::uint32_t node, std::uint32_t site) {
    std::uint64_t length = 0;
    const std::size_t first = todo_.size();
    std::uint32_t child = node + 1;
    for (std::uint32_t i = 0; i < nodes_[node].children; ++i) {
      todo_.push_back({child, site, 0, false});
      length = sum(length, nodes_[child].span);
      child += subtrees_.size[child];
    }
    std::reverse(todo_.begin() + static_cast<std::ptrdiff_t>(first), todo_.end());
    return length;
  }

  std::uint64_t follow_longest(std::uint32_t node, std::uint32_t site) {
    const std::uint32_t child = subtrees_.longest[node];
    if (child == trace::nothing) return 0;
    todo_.push_back({child, site, 0, false});
    return nodes_[child].span;
  }

  void leave(const visit& v) {
    if (v.rest != 0) {
      path_.steps.push_back({v.node, v.around, path_.length, v.rest});
      path_.length = sum(path_.length, v.rest);
    }
    const std::uint32_t site = nodes_[v.node].site;
    if (site != trace::nothing && --open_[site] == 0) path_.by_site[site] += path_.length - since_[site];
  }

  const std::vector<trace::node>& nodes_;
  const std::vector<trace::root>& roots_;
  subtrees_of_dag subtrees_;
  critical_path path_;
  std::vector<visit> todo_;
  std::vector<std::uint32_t> open_;   // by site: how many of its nodes the walk is inside of
  std::vector<std::uint64_t> since_;  // by site: where the outermost of them began
};

}  // namespace

critical_path find_critical_path(const trace::profile& p) { return walker{p}.walk(); }

}  // namespace tine::report
