// The steal tree while it is written, and its translation into a value.
#include "replay/tree_builder.hpp"

#include <algorithm>

namespace tine::detail {

step_builder& tree_builder::add_step(node_builder& to, std::uint32_t number, schedule::kind what, std::uint64_t count) {
  step_builder& s = steps_.emplace_back();
  s.number = number;
  s.what = what;
  s.count = count;
  to.steps.push_back(&s);
  return s;
}

node_builder& tree_builder::node_of(piece_builder& p) {
  if (p.node == nullptr) p.node = &nodes_.emplace_back();
  return *p.node;
}

namespace {

/// Lays a tree out, each level after the level above.
class layout {
 public:
  explicit layout(base::ticks began) noexcept : began_{began} {}

  schedule::segment segment(const segment_builder& s) const noexcept {
    if (s.owner == schedule::no_worker) return {};
    return {s.owner, s.stamp, since(s.begin), since(std::max(s.begin, s.end))};
  }

  void lay_out(const node_builder& root) {
    waiting_.push_back(&root);
    for (std::size_t i = 0; i < waiting_.size(); ++i) add(*waiting_[i]);
  }

  std::vector<schedule::node> nodes;
  std::vector<schedule::step> steps;
  std::vector<schedule::piece> pieces;

 private:
  std::uint64_t since(base::ticks t) const noexcept { return t > began_ ? base::to_nanoseconds(t - began_) : 0; }

  void add(const node_builder& n) {
    nodes.push_back({static_cast<std::uint32_t>(steps.size()), static_cast<std::uint32_t>(n.steps.size())});
    for (const step_builder* s : n.steps) add(*s);
  }

  /// Thieves steal the oldest branch first, so nothing is stolen in the first branch of a fork whose second branch is not. A
  /// coroutine that the program itself resumes on another worker breaks this rule. A schedule does not describe moves that the
  /// program makes by itself, so the steps below such a first branch are left out.
  static bool describes(const step_builder& s, std::uint64_t begin) {
    const auto is_owned = [](const auto& p) { return p.second.run.owner != schedule::no_worker; };
    return s.what != schedule::kind::fork || begin != 0 || std::ranges::any_of(s.pieces, is_owned);
  }

  void add(const step_builder& s) {
    steps.push_back({s.number, s.what, s.count, static_cast<std::uint32_t>(pieces.size()),
                     static_cast<std::uint32_t>(s.pieces.size()), segment(s.after)});
    for (const auto& [begin, p] : s.pieces) {
      const bool has_node = p.node != nullptr && !p.node->steps.empty() && describes(s, begin);
      pieces.push_back(
          {begin, segment(p.run), has_node ? static_cast<std::uint32_t>(waiting_.size()) : schedule::nothing});
      if (has_node) waiting_.push_back(p.node);
    }
  }

  base::ticks began_;
  std::vector<const node_builder*> waiting_;
};

}  // namespace

schedule tree_builder::finished(unsigned workers, base::ticks began) const {
  layout l{began};
  l.lay_out(nodes_.front());
  unsigned members = workers;  // slots of callers have numbers beyond the pool's own workers
  const auto see = [&members](const schedule::segment& s) {
    members = std::max(members, static_cast<unsigned>(s.owner + 1));
  };
  const schedule::segment root = l.segment(root_);
  see(root);
  for (const schedule::step& s : l.steps) see(s.after);
  for (const schedule::piece& p : l.pieces) see(p.run);
  return schedule{members, root, std::move(l.nodes), std::move(l.steps), std::move(l.pieces)};
}

}  // namespace tine::detail
