// Merges neighbouring parts that one worker ran. Plain functions of values.
#include "replay/merged.hpp"

#include "replay/part.hpp"

#include <algorithm>
#include <utility>

namespace tine::detail {
namespace {

constexpr int begins = -2;  ///< instead of a worker: the one that starts the node

class merging {
 public:
  merging(const schedule& s, const std::vector<bool>& hinted)
      : s_{s},
        hinted_{hinted},
        steps_{s.steps()},
        pieces_{s.pieces()},
        end_(s.nodes().size(), begins),
        is_open_(s.nodes().size()),
        runner_(s.nodes().size(), s.root().owner),
        duration_{s.duration_ns()} {
    // Nodes come after the piece that contains them. So we pass the workers at the ends of nodes up first, and then the
    // workers at their starts down.
    const auto nodes = static_cast<std::uint32_t>(s.nodes().size());
    for (std::uint32_t n = nodes; n-- > 0;) end_[n] = worker_after(n, begins, [](auto&&...) {});
    for (std::uint32_t n = 0; n < nodes; ++n) {
      worker_after(n, runner_[n], [&](schedule::piece& p, int worker) {
        if (p.node != schedule::nothing) runner_[p.node] = worker;
      });
    }
    for (std::uint32_t n = nodes; n-- > 0;) merge_node(n);
  }

  schedule make() const {
    kept_parts parts{steps_, pieces_, std::vector<bool>(steps_.size()), std::vector<bool>(pieces_.size())};
    for (std::size_t i = 0; i < steps_.size(); ++i) parts.keeps_step[i] = is_owned(steps_[i].after);
    for (std::size_t i = 0; i < pieces_.size(); ++i) parts.keeps_piece[i] = is_owned(pieces_[i].run);
    return part_of(s_, parts);
  }

 private:
  static bool is_owned(const schedule::segment& g) noexcept { return g.owner != schedule::no_worker; }
  int end_of(const schedule::piece& p, int begun_by) const {
    return p.node == schedule::nothing || end_[p.node] == begins ? begun_by : end_[p.node];
  }

  /// Returns the worker at the end of the step's last piece, if `worker` comes to the step, and calls `f(piece, its
  /// worker)` for each piece.
  template <class F>
  int worker_at_end(const schedule::step& t, int worker, F f) {
    for (std::uint32_t p = t.first_piece; p != t.first_piece + t.pieces; ++p) {
      if (is_owned(pieces_[p].run)) worker = pieces_[p].run.owner;
      f(pieces_[p], worker);
      worker = end_of(pieces_[p], worker);
    }
    return worker;
  }
  /// Does this for all steps of a node, and returns the worker at the node's end.
  template <class F>
  int worker_after(std::uint32_t node, int worker, F f) {
    const schedule::node& n = s_.nodes()[node];
    for (std::uint32_t i = n.first_step; i != n.first_step + n.steps; ++i) {
      const int last = worker_at_end(steps_[i], worker, f);
      worker = is_owned(steps_[i].after) ? steps_[i].after.owner : last;
    }
    return worker;
  }

  void merge_node(std::uint32_t node) {
    const schedule::node& n = s_.nodes()[node];
    int worker = runner_[node];
    for (std::uint32_t i = n.first_step; i != n.first_step + n.steps; ++i) {
      const int last = worker_at_end(steps_[i], worker, [](auto&&...) {});
      const int after = is_owned(steps_[i].after) ? steps_[i].after.owner : last;
      if (!hinted_[i]) merge_step(steps_[i], worker, last == after);
      worker = after;
      is_open_[node] = is_open_[node] || is_open(steps_[i]);
    }
  }

  /// Returns true if nothing says where the strand continues after the join of stolen parts. The forks of a coroutine
  /// lie in each other and have one join; only the oldest stolen one has its worker.
  bool is_open(const schedule::step& t) const {
    if (t.what != schedule::kind::fork || t.pieces == 0 || is_owned(t.after)) return false;
    const schedule::piece& second = pieces_[t.first_piece + t.pieces - 1];
    return is_owned(second.run) || (second.node != schedule::nothing && is_open_[second.node]);
  }

  /// Merges the pieces of a step. If no piece keeps an owner, the step must not name the worker after its join either.
  /// `may_join_all`: it need not name it; otherwise we leave such a step as it is.
  void merge_step(schedule::step& t, int worker, bool may_join_all) {
    const auto of_step = [&t](std::vector<schedule::piece>& all) { return all.begin() + t.first_piece; };
    const std::vector<schedule::piece> before{of_step(pieces_), of_step(pieces_) + t.pieces};
    const bool has_first = t.what == schedule::kind::fork && t.pieces > 1;
    schedule::piece* longer = nullptr;  // the last one with an owner
    for (std::uint32_t p = t.first_piece; p != t.first_piece + t.pieces; ++p) {
      schedule::piece& here = pieces_[p];
      // in a first branch nothing may be stolen before the second branch is, so that keeps its owner
      if (is_owned(here.run) && here.run.owner == worker && !has_first) {
        const schedule::segment ran = std::exchange(here.run, {});
        if (longer != nullptr) {
          longer->run.end_ns = std::min(longer->run.end_ns + ran.end_ns - ran.begin_ns, duration_);
        }
      } else if (is_owned(here.run)) {
        worker = here.run.owner;
        longer = &here;
      }
      worker = end_of(here, worker);
    }
    if (longer != nullptr || t.what == schedule::kind::run) return;
    const schedule::segment after = std::exchange(t.after, {});
    if (may_join_all && !is_open(t)) return;
    t.after = after;
    std::ranges::copy(before, of_step(pieces_));
  }

  const schedule& s_;
  const std::vector<bool>& hinted_;
  std::vector<schedule::step> steps_;
  std::vector<schedule::piece> pieces_;
  std::vector<int> end_;
  std::vector<bool> is_open_;  ///< by node: a fork in it is
  std::vector<int> runner_;
  const std::uint64_t duration_;
};

}  // namespace

schedule merged(const schedule& s, std::size_t most, std::vector<bool> hinted) {
  hinted.resize(s.steps().size());
  schedule m = merging{s, hinted}.make();
  const std::size_t all = m.steals();
  // half a steal less than too many, so that rounding leaves `most`
  if (all > most) m.prune(100 * (static_cast<double>(all - most) + 0.5) / static_cast<double>(all));
  return m;
}

}  // namespace tine::detail
