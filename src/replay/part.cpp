// Copies a schedule without the parts that are no longer needed. Plain functions of values.
#include "replay/part.hpp"

#include "replay/restamped.hpp"

#include <utility>

namespace tine::detail {
namespace {

class copy {
 public:
  copy(const schedule& s, const kept_parts& parts) : s_{s}, parts_{parts}, holds_(s.nodes().size()) {
    // nodes come after the piece that contains them
    for (auto n = static_cast<std::uint32_t>(s.nodes().size()); n-- > 0;) holds_[n] = holds(n);
  }

  schedule make() {
    waiting_.push_back(0);
    for (std::size_t i = 0; i < waiting_.size(); ++i) add_node(waiting_[i]);
    schedule made{s_.workers(), s_.root(), std::move(nodes_), std::move(steps_), std::move(pieces_)};
    made.take_heading(s_);
    return restamped(made);
  }

 private:
  bool holds_more(const schedule::piece& p) const { return p.node != schedule::nothing && holds_[p.node]; }
  bool needs_piece(std::uint32_t piece) const { return parts_.keeps_piece[piece] || holds_more(parts_.pieces[piece]); }
  bool needs_step(std::uint32_t step) const {
    if (parts_.keeps_step[step]) return true;
    const schedule::step& t = parts_.steps[step];
    for (std::uint32_t p = t.first_piece; p != t.first_piece + t.pieces; ++p) {
      if (needs_piece(p)) return true;
    }
    return false;
  }
  bool holds(std::uint32_t node) const {
    const schedule::node& n = s_.nodes()[node];
    for (std::uint32_t i = n.first_step; i != n.first_step + n.steps; ++i) {
      if (needs_step(i)) return true;
    }
    return false;
  }

  void add_node(std::uint32_t node) {
    const schedule::node& n = s_.nodes()[node];
    const auto first = static_cast<std::uint32_t>(steps_.size());
    for (std::uint32_t i = n.first_step; i != n.first_step + n.steps; ++i) {
      const schedule::step& t = parts_.steps[i];
      // the forks of a task lie before its run, and say on which worker the task ends
      const bool follows =
          t.what == schedule::kind::run && t.after.owner != schedule::no_worker && steps_.size() != first;
      if (follows || needs_step(i)) add_step(t);
    }
    nodes_.push_back({first, static_cast<std::uint32_t>(steps_.size()) - first});
  }

  void add_step(schedule::step t) {
    const std::uint32_t from = t.first_piece, to = from + t.pieces;
    t.first_piece = static_cast<std::uint32_t>(pieces_.size());
    for (std::uint32_t p = from; p != to; ++p) {
      if (needs_piece(p)) add_piece(parts_.pieces[p]);
    }
    t.pieces = static_cast<std::uint32_t>(pieces_.size()) - t.first_piece;
    steps_.push_back(t);
  }

  void add_piece(schedule::piece p) {
    if (holds_more(p)) {
      waiting_.push_back(p.node);
      p.node = static_cast<std::uint32_t>(waiting_.size() - 1);
    } else {
      p.node = schedule::nothing;
    }
    pieces_.push_back(p);
  }

  const schedule& s_;
  const kept_parts& parts_;
  std::vector<bool> holds_;  ///< by node: true if it is needed
  std::vector<std::uint32_t> waiting_;
  std::vector<schedule::node> nodes_;
  std::vector<schedule::step> steps_;
  std::vector<schedule::piece> pieces_;
};

}  // namespace

schedule part_of(const schedule& s, const kept_parts& parts) { return copy{s, parts}.make(); }

}  // namespace tine::detail
