// The rules of a schedule: it is a tree, in order, its owners exist, and its stamps are distinct.
#include "replay/check.hpp"

#include <algorithm>
#include <stdexcept>

namespace tine::detail {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument{"not a schedule: " + why}; }

std::string the(const char* what, std::size_t i) { return std::string{what} + ' ' + std::to_string(i); }

class checker {
 public:
  explicit checker(const schedule& s) : s_{s}, has_parent_(s.nodes().size()) {}

  void check() {
    if (s_.workers() == 0 || s_.workers() > most_workers)
      refuse("it is for " + std::to_string(s_.workers()) + " workers");
    if (s_.nodes().empty()) refuse("it has no node, and the first is the whole region");
    check_owner(s_.root(), "the root");
    if (s_.root().owner == schedule::no_worker) refuse("no worker begins: the root has no owner");
    std::size_t next_step = 0;
    for (std::size_t i = 0; i < s_.nodes().size(); ++i) check_node(i, next_step);
    if (next_step != s_.steps().size()) refuse(the("step", next_step) + " is in no node");
    if (next_piece_ != s_.pieces().size()) refuse(the("piece", next_piece_) + " is in no step");
    for (std::size_t i = 1; i < has_parent_.size(); ++i) {
      if (!has_parent_[i]) refuse(the("node", i) + " is in no piece");
    }
    check_stamps();
  }

 private:
  static constexpr unsigned most_workers = 1U << 16;

  void check_owner(const schedule::segment& g, const std::string& of) {
    if (g.owner < schedule::no_worker || g.owner >= static_cast<int>(s_.workers())) {
      refuse(of + " is worker " + std::to_string(g.owner) + "'s, and there are " + std::to_string(s_.workers()));
    }
    if (g.end_ns < g.begin_ns) refuse(of + " ends before it begins");
    if (g.owner != schedule::no_worker) {
      stamps_.push_back(g.stamp);
    } else if (g != schedule::segment{}) {
      refuse(of + " has times or a stamp, but no owner");
    }
  }

  /// Nodes, steps and pieces stand in the order of their parents, so each has one parent and there is no cycle.
  void check_node(std::size_t i, std::size_t& next_step) {
    const schedule::node& n = s_.nodes()[i];
    if (n.first_step != next_step || n.steps > s_.steps().size() - next_step) {
      refuse(the("node", i) + " has other steps than those from " + std::to_string(next_step) + " on");
    }
    for (std::size_t s = next_step; s < next_step + n.steps; ++s) {
      if (s > next_step && s_.steps()[s].number <= s_.steps()[s - 1].number) {
        refuse(the("step", s) + " does not come after the one before it");
      }
      check_step(s, i);
    }
    next_step += n.steps;
  }

  void check_step(std::size_t i, std::size_t in_node) {
    const schedule::step& t = s_.steps()[i];
    if (t.first_piece != next_piece_ || t.pieces > s_.pieces().size() - next_piece_) {
      refuse(the("step", i) + " has other pieces than those from " + std::to_string(next_piece_) + " on");
    }
    const bool is_run = t.what == schedule::kind::run;
    if ((t.pieces == 0) != is_run) refuse(the("step", i) + (is_run ? " is a run and has pieces" : " has no pieces"));
    if (t.what == schedule::kind::fork && t.count != 2)
      refuse(the("step", i) + " is a fork of other than two branches");
    if (is_run && t.count != 0) refuse(the("step", i) + " is a run, which has no iterations");
    check_owner(t.after, "what follows " + the("step", i));
    if (!is_run) check_pieces(i, in_node);
  }

  void check_pieces(std::size_t i, std::size_t in_node) {
    const schedule::step& t = s_.steps()[i];
    bool is_split = false;
    for (std::size_t p = next_piece_; p < next_piece_ + t.pieces; ++p) {
      const schedule::piece& piece = s_.pieces()[p];
      if (piece.begin >= t.count) refuse(the("piece", p) + " begins behind the end of its step");
      if (p > next_piece_ && piece.begin <= s_.pieces()[p - 1].begin) {
        refuse(the("piece", p) + " does not come after the one before it");
      }
      check_owner(piece.run, the("piece", p));
      is_split |= piece.run.owner != schedule::no_worker;
      check_child(p, in_node);
    }
    check_first_branch(i, is_split);
    if (!is_split && t.after.owner != schedule::no_worker)
      refuse("nothing of " + the("step", i) + " was stolen, yet its join was");
    next_piece_ += t.pieces;
  }

  void check_child(std::size_t piece, std::size_t in_node) {
    const std::uint32_t child = s_.pieces()[piece].node;
    if (child == schedule::nothing) return;
    const std::string named = the("piece", piece) + " has node " + std::to_string(child);
    if (child >= s_.nodes().size()) refuse(named + ", and there are " + std::to_string(s_.nodes().size()));
    if (child <= in_node) refuse(named + ", which does not come after its own");
    if (has_parent_[child]) refuse(the("node", child) + " is in two pieces");
    has_parent_[child] = true;
  }

  /// Thieves steal the oldest task first, so steals in a first branch come after the steal of the second (constrained
  /// stealing, §IV-B).
  void check_first_branch(std::size_t step, bool is_split) {
    const schedule::step& t = s_.steps()[step];
    const schedule::piece& first = s_.pieces()[t.first_piece];
    if (t.what != schedule::kind::fork) return;
    const bool is_delayed = first.begin == 0 && first.run.owner != schedule::no_worker;
    if (is_delayed && (t.pieces < 2 || s_.pieces()[t.first_piece + 1].run.owner == schedule::no_worker)) {
      refuse("the first branch of " + the("step", step) + " waits, and its second branch has no owner");
    }
    if (!is_split && first.begin == 0 && first.node != schedule::nothing) {
      refuse("something is stolen in the first branch of " + the("step", step) + ", and its second branch is not");
    }
  }

  void check_stamps() {
    std::ranges::sort(stamps_);
    const auto twice = std::ranges::adjacent_find(stamps_);
    if (twice != stamps_.end()) refuse("two strands begin at " + the("stamp", *twice));
  }

  const schedule& s_;
  std::vector<bool> has_parent_;
  std::vector<std::uint32_t> stamps_;
  std::size_t next_piece_ = 0;
};

}  // namespace

void check_schedule(const schedule& s) { checker{s}.check(); }

void check_numa_nodes(std::span<const int> nodes, unsigned workers) {
  constexpr int most_nodes = 1 << 16;
  if (nodes.size() > workers)
    refuse("it has " + std::to_string(workers) + " workers and the NUMA nodes of " + std::to_string(nodes.size()));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i] < 0 || nodes[i] >= most_nodes) {
      refuse("worker " + std::to_string(i) + " is on NUMA node " + std::to_string(nodes[i]) +
             ", which is not from 0 to 65535");
    }
  }
}

}  // namespace tine::detail
