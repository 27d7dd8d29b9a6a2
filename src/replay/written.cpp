// The steal tree while it is written, and its translation into a value.
#include "replay/written.hpp"

#include <algorithm>

namespace tine::detail {

written_step& written_tree::add_step(written_node& to, std::uint32_t number, schedule::kind what, std::uint64_t count) {
  written_step& s = steps_.emplace_back();
  s.number = number;
  s.what = what;
  s.count = count;
  to.steps.push_back(&s);
  return s;
}

written_node& written_tree::node_of(written_piece& p) {
  if (p.node == nullptr) p.node = &nodes_.emplace_back();
  return *p.node;
}

namespace {

/// Lays a tree out, each level after the level above.
class layout {
 public:
  explicit layout(base::ticks began) noexcept : began_{began} {}

  schedule::segment segment(const written_segment& s) const noexcept {
    if (s.owner == schedule::no_worker) return {};
    return {s.owner, s.stamp, since(s.begin), since(std::max(s.begin, s.end))};
  }

  void lay_out(const written_node& root) {
    waiting.push_back(&root);
    for (std::size_t i = 0; i < waiting.size(); ++i) add(*waiting[i]);
  }

  std::vector<schedule::node> nodes;
  std::vector<schedule::step> steps;
  std::vector<schedule::piece> pieces;

 private:
  std::uint64_t since(base::ticks t) const noexcept { return t > began_ ? base::to_nanoseconds(t - began_) : 0; }

  void add(const written_node& n) {
    nodes.push_back({static_cast<std::uint32_t>(steps.size()), static_cast<std::uint32_t>(n.steps.size())});
    for (const written_step* s : n.steps) add(*s);
  }

  /// Thieves steal the oldest branch first, so nothing is stolen in the first branch of a fork whose second branch is not. A
  /// coroutine that the program itself resumes on another worker breaks this rule. A schedule does not describe moves that the
  /// program makes by itself, so the steps below such a first branch are left out.
  static bool describes(const written_step& s, std::uint64_t begin) {
    const auto is_owned = [](const auto& p) { return p.second.run.owner != schedule::no_worker; };
    return s.what != schedule::kind::fork || begin != 0 || std::ranges::any_of(s.pieces, is_owned);
  }

  void add(const written_step& s) {
    steps.push_back({s.number, s.what, s.count, static_cast<std::uint32_t>(pieces.size()),
                     static_cast<std::uint32_t>(s.pieces.size()), segment(s.after)});
    for (const auto& [begin, p] : s.pieces) {
      const bool has_node = p.node != nullptr && !p.node->steps.empty() && describes(s, begin);
      pieces.push_back(
          {begin, segment(p.run), has_node ? static_cast<std::uint32_t>(waiting.size()) : schedule::nothing});
      if (has_node) waiting.push_back(p.node);
    }
  }

  base::ticks began_;
  std::vector<const written_node*> waiting;
};

}  // namespace

schedule written_tree::finished(unsigned workers, base::ticks began) const {
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
