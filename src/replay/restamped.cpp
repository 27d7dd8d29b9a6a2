// Finds an order in which the strands of a schedule can start. Plain functions of values.
#include "replay/restamped.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace tine::detail {
namespace {

/// Runs the strands one after the other, always the ready one with the lowest stamp, as a serial replay does. It
/// doesn't recurse, because a tree may be deeper than a native stack.
class serial_run {
 public:
  explicit serial_run(const schedule& s)
      : steps_{s.steps()},
        pieces_{s.pieces()},
        s_{s},
        root_{s.root()},
        node_of_(steps_.size()),
        piece_around_(s.nodes().size(), schedule::nothing),
        step_of_(pieces_.size()),
        missing_(steps_.size()) {
    for (std::uint32_t n = 0; n < s.nodes().size(); ++n) {
      const schedule::node& node = s.nodes()[n];
      for (std::uint32_t i = node.first_step; i != node.first_step + node.steps; ++i) note(i, n);
    }
    run({0, s.nodes()[0].first_step});
    for (; !ready_.empty();) {
      const begin next = ready_.top();
      ready_.pop();
      order_.push_back(next.which);
      next.is_join ? run({node_of_[next.of], next.of + 1}) : run(first_in(next.of));
    }
  }

  schedule make() {
    std::vector<std::uint32_t> stamps;
    for (const schedule::segment* g : order_) stamps.push_back(g->stamp);
    std::ranges::sort(stamps);
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i]->stamp = stamps[i];
    schedule made{s_.workers(), root_, s_.nodes(), std::move(steps_), std::move(pieces_)};
    made.take_heading(s_);
    return made;
  }

 private:
  /// The next step of a strand; `step` may be the end of the node. If `node` is `schedule::nothing`, the strand is at
  /// the end of the piece `step`, which has no node.
  struct place {
    std::uint32_t node, step;
  };
  /// A strand that is ready: with a piece, or after the join of a step.
  struct begin {
    std::uint32_t stamp, of;
    bool is_join;
    schedule::segment* which;
    bool operator>(const begin& other) const noexcept { return stamp > other.stamp; }
  };

  static bool is_owned(const schedule::segment& g) noexcept { return g.owner != schedule::no_worker; }
  std::uint32_t end_of(std::uint32_t step) const noexcept { return steps_[step].first_piece + steps_[step].pieces; }

  void note(std::uint32_t step, std::uint32_t in_node) {
    node_of_[step] = in_node;
    for (std::uint32_t p = steps_[step].first_piece; p != end_of(step); ++p) {
      step_of_[p] = step;
      if (pieces_[p].node != schedule::nothing) piece_around_[pieces_[p].node] = p;
    }
  }

  place first_in(std::uint32_t piece) const noexcept {
    const std::uint32_t node = pieces_[piece].node;
    return node == schedule::nothing ? place{node, piece} : place{node, s_.nodes()[node].first_step};
  }

  void add_ready(schedule::segment& g, std::uint32_t of, bool is_join) { ready_.push({g.stamp, of, is_join, &g}); }

  /// Runs a strand until it ends, or waits.
  void run(place at) {
    for (bool runs = true; runs;) {
      const bool has_ended =
          at.node == schedule::nothing || at.step == s_.nodes()[at.node].first_step + s_.nodes()[at.node].steps;
      runs = has_ended ? leave(at) : take(at);
    }
  }

  /// The strand comes to a step. Returns false if it ends there.
  bool take(place& at) {
    const std::uint32_t i = at.step;
    for (std::uint32_t p = steps_[i].first_piece; p != end_of(i); ++p) {
      if (!is_owned(pieces_[p].run)) continue;
      ++missing_[i];
      add_ready(pieces_[p].run, p, false);
    }
    const bool is_placed = steps_[i].pieces == 0 || is_owned(pieces_[steps_[i].first_piece].run);
    // a first branch that waits at its fork is the strand that forked
    const bool waits = steps_[i].what == schedule::kind::fork && is_placed && steps_[i].pieces > 1;
    if (waits) return false;
    ++missing_[i];
    if (is_placed) return arrive(at, i);
    at = first_in(steps_[i].first_piece);
    return true;
  }

  /// The strand comes to the end of a piece, and continues with the next one if that has no owner.
  bool leave(place& at) {
    if (at.node == 0) return false;
    const std::uint32_t piece = at.node == schedule::nothing ? at.step : piece_around_[at.node];
    const std::uint32_t i = step_of_[piece];
    if (piece + 1 == end_of(i) || is_owned(pieces_[piece + 1].run)) return arrive(at, i);
    at = first_in(piece + 1);
    return true;
  }

  /// A strand has arrived at the join of the step. The last one continues, or the strand that the step names does.
  bool arrive(place& at, std::uint32_t i) {
    if (--missing_[i] != 0) return false;
    if (is_owned(steps_[i].after)) add_ready(steps_[i].after, i, true);
    at = {node_of_[i], i + 1};
    return !is_owned(steps_[i].after);
  }

  std::vector<schedule::step> steps_;
  std::vector<schedule::piece> pieces_;
  const schedule& s_;
  schedule::segment root_;
  std::vector<std::uint32_t> node_of_;       ///< by step
  std::vector<std::uint32_t> piece_around_;  ///< by node
  std::vector<std::uint32_t> step_of_;       ///< by piece
  std::vector<std::uint32_t> missing_;       ///< by step: strands that have not arrived at its join
  std::priority_queue<begin, std::vector<begin>, std::greater<>> ready_;
  std::vector<schedule::segment*> order_{&root_};
};

}  // namespace

schedule restamped(const schedule& s) { return serial_run{s}.make(); }

}  // namespace tine::detail
