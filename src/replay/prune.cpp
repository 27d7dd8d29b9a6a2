// Pruning: taking the lowest steals out of a schedule.
#include <tine/replay/schedule.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace tine {
namespace {

/// What a steal is worth: how far up it is, and how much work it took to another worker. (A worker that comes first to what
/// it has given away takes nothing anywhere.)
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
    // nodes come after the piece they are in: levels and workers go down, work comes up
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
  /// With the worker that comes to the step of each piece.
  template <class F>
  void for_each_piece(std::uint32_t node, F f) const {
    int worker = runner_[node];
    for_each_step(node, [&](const schedule::step& t) {
      for_each_piece(t, [&](std::uint32_t i, const schedule::piece& p) { f(i, p, worker); });
      if (t.after.owner != schedule::nobody) worker = t.after.owner;
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
      runner_[p.node] = p.run.owner != schedule::nobody ? p.run.owner : forked_by;
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
      if (p.run.owner == schedule::nobody) return;
      steals.push_back({i, level_[node], p.run.owner != forked_by ? work_of(p) : 0});
    });
  }

  const schedule& s_;
  std::vector<std::uint64_t> work_;
  std::vector<std::uint32_t> level_;
  std::vector<int> runner_;  ///< of a node: the worker that begins with it
};

/// A schedule with some of its steals, without whatever holds none.
///
/// Lemma: what stays has lost nothing of its own. Steals go from the last level up, so one that goes leaves none inside it or
/// beside it in a first branch; a piece that stays for what is in it has kept its strand, and a step its join.
class copy {
 public:
  copy(const schedule& s, const std::vector<bool>& kept) : s_{s}, kept_{kept}, holds_(s.nodes().size()) {
    for (std::uint32_t n = static_cast<std::uint32_t>(s.nodes().size()); n-- > 0;) holds_[n] = holds(n);
  }

  schedule make() {
    waiting_.push_back(0);
    for (std::size_t i = 0; i < waiting_.size(); ++i) add_node(waiting_[i]);
    return schedule{s_.workers(), s_.root(), std::move(nodes_), std::move(steps_), std::move(pieces_)};
  }

 private:
  bool is_needed(std::uint32_t piece) const {
    const std::uint32_t node = s_.pieces()[piece].node;
    return kept_[piece] || (node != schedule::nothing && holds_[node]);
  }
  template <class F>
  bool any_piece(const schedule::step& t, F f) const {
    for (std::uint32_t p = t.first_piece; p != t.first_piece + t.pieces; ++p) {
      if (f(p)) return true;
    }
    return false;
  }
  bool holds(std::uint32_t node) const {
    const schedule::node& n = s_.nodes()[node];
    for (std::uint32_t i = n.first_step; i != n.first_step + n.steps; ++i) {
      if (any_piece(s_.steps()[i], [&](std::uint32_t p) { return is_needed(p); })) return true;
    }
    return false;
  }

  void add_node(std::uint32_t node) {
    const schedule::node& n = s_.nodes()[node];
    const auto first = static_cast<std::uint32_t>(steps_.size());
    for (std::uint32_t i = n.first_step; i != n.first_step + n.steps; ++i) {
      if (any_piece(s_.steps()[i], [&](std::uint32_t p) { return is_needed(p); })) add_step(s_.steps()[i]);
    }
    nodes_.push_back({first, static_cast<std::uint32_t>(steps_.size()) - first});
  }

  void add_step(schedule::step t) {
    const std::uint32_t from = t.first_piece, to = t.first_piece + t.pieces;
    t.first_piece = static_cast<std::uint32_t>(pieces_.size());
    for (std::uint32_t p = from; p != to; ++p) {
      if (is_needed(p)) add_piece(p);
    }
    t.pieces = static_cast<std::uint32_t>(pieces_.size()) - t.first_piece;
    steps_.push_back(t);
  }

  void add_piece(std::uint32_t from) {
    schedule::piece p = s_.pieces()[from];
    if (p.node != schedule::nothing && holds_[p.node]) {
      waiting_.push_back(p.node);
      p.node = static_cast<std::uint32_t>(waiting_.size() - 1);
    } else {
      p.node = schedule::nothing;
    }
    pieces_.push_back(p);
  }

  const schedule& s_;
  const std::vector<bool>& kept_;
  std::vector<bool> holds_;
  std::vector<std::uint32_t> waiting_;
  std::vector<schedule::node> nodes_;
  std::vector<schedule::step> steps_;
  std::vector<schedule::piece> pieces_;
};

}  // namespace

void schedule::prune(double percent) {
  if (!(percent >= 0 && percent <= 100)) {
    throw std::invalid_argument{"tine: a schedule is pruned by 0 to 100 percent, not " + std::to_string(percent)};
  }
  const ranking by_worth{*this};
  const std::size_t all = by_worth.steals.size();
  const auto asked = static_cast<std::size_t>(std::ceil(static_cast<double>(all) * (100 - percent) / 100));
  const std::size_t keep = std::min(all, std::max<std::size_t>(asked, workers_ - 1));
  std::vector<bool> kept(pieces_.size());
  for (std::size_t i = 0; i < keep; ++i) kept[by_worth.steals[i].piece] = true;
  *this = copy{*this, kept}.make();
}

}  // namespace tine
