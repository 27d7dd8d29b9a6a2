// Pruning: it takes the lowest steals out of a schedule.
#include <tine/replay/schedule.hpp>

#include "replay/part.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace tine {
namespace {

/// A steal and its worth: its level in the tree, and the work that it moved to another worker. (A worker that comes
/// first to a part that it has placed itself moves no work.)
struct steal {
  std::uint32_t piece;
  std::uint32_t level;
  std::uint64_t work;
};

/// Every steal of a schedule, the ones to keep first.
class ranking {
 public:
  explicit ranking(const schedule& s)
      : s_{s}, work_(s.nodes().size()), level_(s.nodes().size()), runner_(s.nodes().size(), s.root().owner) {
    // nodes come after the piece that contains them: levels and workers are passed down, work is passed up
    for (std::uint32_t n = 0; n < s.nodes().size(); ++n) pass_down(n);
    for (std::uint32_t n = static_cast<std::uint32_t>(s.nodes().size()); n-- > 0;) work_[n] = work_in(n);
    for (std::uint32_t n = 0; n < s.nodes().size(); ++n) list_steals(n);
    std::ranges::sort(steals, [](const steal& a, const steal& b) {
      if (a.level != b.level) return a.level < b.level;
      return a.work != b.work ? a.work > b.work : a.piece < b.piece;
    });
  }

  std::vector<steal> steals;

 private:
  template <class F>
  void for_each_step(std::uint32_t node, F f) const {
    const schedule::node& n = s_.nodes()[node];
    for (std::uint32_t i = n.first_step; i != n.first_step + n.steps; ++i) f(s_.steps()[i]);
  }
  template <class F>
  void for_each_piece(const schedule::step& t, F f) const {
    for (std::uint32_t p = t.first_piece; p != t.first_piece + t.pieces; ++p) f(p, s_.pieces()[p]);
  }
  /// Calls `f` for each piece of a node, with the worker that comes to the piece's step.
  template <class F>
  void for_each_piece(std::uint32_t node, F f) const {
    int worker = runner_[node];
    for_each_step(node, [&](const schedule::step& t) {
      for_each_piece(t, [&](std::uint32_t i, const schedule::piece& p) { f(i, p, worker); });
      if (t.after.owner != schedule::no_worker) worker = t.after.owner;
    });
  }
  static std::uint64_t length(const schedule::segment& g) noexcept { return g.end_ns - g.begin_ns; }
  std::uint64_t work_of(const schedule::piece& p) const noexcept {
    return length(p.run) + (p.node != schedule::nothing ? work_[p.node] : 0);
  }

  void pass_down(std::uint32_t node) {
    for_each_piece(node, [&](std::uint32_t, const schedule::piece& p, int forked_by) {
      if (p.node == schedule::nothing) return;
      level_[p.node] = level_[node] + 1;
      runner_[p.node] = p.run.owner != schedule::no_worker ? p.run.owner : forked_by;
    });
  }
  std::uint64_t work_in(std::uint32_t node) const {
    std::uint64_t sum = 0;
    for_each_step(node, [&](const schedule::step& t) {
      for_each_piece(t, [&](std::uint32_t, const schedule::piece& p) { sum += work_of(p); });
      sum += length(t.after);
    });
    return sum;
  }
  void list_steals(std::uint32_t node) {
    for_each_piece(node, [&](std::uint32_t i, const schedule::piece& p, int forked_by) {
      if (p.run.owner == schedule::no_worker) return;
      steals.push_back({i, level_[node], p.run.owner != forked_by ? work_of(p) : 0});
    });
  }

  const schedule& s_;
  std::vector<std::uint64_t> work_;
  std::vector<std::uint32_t> level_;
  std::vector<int> runner_;  ///< of a node: the worker that begins with it
};

}  // namespace

void schedule::prune(double percent) {
  if (!(percent >= 0 && percent <= 100)) {
    throw std::invalid_argument{"tine: a schedule is pruned by 0 to 100 percent, not " + std::to_string(percent)};
  }
  for (const step& t : steps_) {  // only a serial replay waits with a first branch, and that does not need pruning
    if (t.what == kind::fork && pieces_[t.first_piece].begin == 0) pieces_[t.first_piece].run = {};
  }
  const ranking by_worth{*this};
  const std::size_t all = by_worth.steals.size();
  const auto asked = static_cast<std::size_t>(std::ceil(static_cast<double>(all) * (100 - percent) / 100));
  const std::size_t keep = std::min(all, std::max<std::size_t>(asked, workers_ - 1));
  detail::kept_parts parts{steps_, pieces_, std::vector<bool>(steps_.size()), std::vector<bool>(pieces_.size())};
  for (std::size_t i = 0; i < keep; ++i) parts.keeps_piece[by_worth.steals[i].piece] = true;
  // Lemma: steals that stay have lost nothing of their own. Proof: steals are removed from the last level up, so a
  // steal that is removed leaves no steal inside it, or beside it in a first branch. A piece that stays because of the
  // steals inside it has kept its strand, and a step its join.
  *this = detail::part_of(*this, parts);
}

}  // namespace tine
