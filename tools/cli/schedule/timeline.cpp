// Orders the strands of a schedule, and connects them. A node's parents come before the node, so no function here needs
// a stack, however deep the tree is.
#include "cli/schedule/timeline.hpp"

#include <algorithm>

namespace tine::cli {
namespace {

using indices = std::vector<std::uint32_t>;

/// Follows the strands through each node. Reports to `Visitor` the strand that enters a node, the strand that forks a
/// branch, and those that meet at a join.
template <class Visitor>
class follower {
 public:
  /// `leaving` holds for each node the strand that ends it; `nothing` if that is the strand that came to it.
  follower(const schedule& of, const timeline& at, const indices& leaving, Visitor visitor)
      : of_{of}, at_{at}, leaving_{leaving}, visitor_{visitor} {}

  /// Begins with the strand `now`, which comes to the node. Returns the strand that ends the node.
  std::uint32_t follow(std::uint32_t node, std::uint32_t now) {
    const schedule::node& n = of_.nodes()[node];
    for (std::uint32_t s = n.first_step; s != n.first_step + n.steps; ++s) now = follow_step(s, now);
    return now;
  }

 private:
  std::uint32_t follow_step(std::uint32_t s, std::uint32_t now) {
    const schedule::step& step = of_.steps()[s];
    const std::uint32_t forks = now;
    arrived_.clear();
    for (std::uint32_t p = step.first_piece; p != step.first_piece + step.pieces; ++p) {
      if (const std::uint32_t begun = at_.of_piece(p); begun != schedule::nothing) {
        arrived_.push_back(now);
        visitor_.gives(forks, begun);
        now = begun;
      }
      const std::uint32_t child = of_.pieces()[p].node;
      if (child == schedule::nothing) continue;
      visitor_.enters(child, now);
      if (leaving_[child] != schedule::nothing) now = leaving_[child];
    }
    if (arrived_.empty()) return now;
    arrived_.push_back(now);
    const std::uint32_t after = at_.after_step(s);
    if (after == schedule::nothing) return arrived_.front();
    visitor_.meet(arrived_, after);
    return after;
  }

  const schedule& of_;
  const timeline& at_;
  const indices& leaving_;
  Visitor visitor_;
  indices arrived_;
};

struct no_visitor {
  void enters(std::uint32_t, std::uint32_t) const {}
  void gives(std::uint32_t, std::uint32_t) const {}
  void meet(const indices&, std::uint32_t) const {}
};

struct arrow_maker {
  const std::vector<timeline::strand>& all;
  indices& coming;  ///< for each node, the strand that comes to it
  std::vector<timeline::arrow>& arrows;

  void enters(std::uint32_t node, std::uint32_t now) const { coming[node] = now; }
  void gives(std::uint32_t from, std::uint32_t to) const { arrows.push_back({from, to, timeline::reason::forked}); }
  void meet(const indices& arrived, std::uint32_t next) const {
    const std::uint32_t last =
        *std::ranges::max_element(arrived, {}, [&](std::uint32_t s) { return all[s].run.end_ns; });
    for (const std::uint32_t s : arrived) {
      arrows.push_back({s, next, s == last ? timeline::reason::joined : timeline::reason::awaited});
    }
  }
};

}  // namespace

timeline::timeline(const schedule& of) {
  list_strands(of);
  const auto count = static_cast<std::uint32_t>(of.nodes().size());
  indices leaving(count, schedule::nothing), coming(count);
  coming[0] = root_;
  follower upwards{of, *this, leaving, no_visitor{}};
  for (std::uint32_t n = count; n-- > 0;) leaving[n] = upwards.follow(n, schedule::nothing);
  follower downwards{of, *this, leaving, arrow_maker{strands_, coming, arrows_}};
  for (std::uint32_t n = 0; n < count; ++n) downwards.follow(n, coming[n]);
}

void timeline::list_strands(const schedule& of) {
  strands_.push_back({of.root(), origin::region, 0});
  for (std::uint32_t s = 0; s < of.steps().size(); ++s) {
    if (of.steps()[s].after.owner != schedule::no_worker) strands_.push_back({of.steps()[s].after, origin::join, s});
  }
  for (std::uint32_t p = 0; p < of.pieces().size(); ++p) {
    if (of.pieces()[p].run.owner != schedule::no_worker) strands_.push_back({of.pieces()[p].run, origin::branch, p});
  }
  std::ranges::sort(strands_, {}, [](const strand& s) { return s.run.stamp; });
  of_piece_.assign(of.pieces().size(), schedule::nothing);
  after_step_.assign(of.steps().size(), schedule::nothing);
  for (std::uint32_t i = 0; i < strands_.size(); ++i) {
    const strand& s = strands_[i];
    if (s.began_as == origin::region) root_ = i;
    if (s.began_as == origin::branch) of_piece_[s.at] = i;
    if (s.began_as == origin::join) after_step_[s.at] = i;
  }
}

std::uint64_t leaves_at(const timeline& of, const timeline::arrow& a) {
  const schedule::segment& from = of.strands()[a.from].run;
  if (a.why != timeline::reason::forked) return from.end_ns;
  return std::clamp(of.strands()[a.to].run.begin_ns, from.begin_ns, from.end_ns);
}

}  // namespace tine::cli
