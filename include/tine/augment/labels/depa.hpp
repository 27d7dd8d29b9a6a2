// DePa labels (Westrick–Wang–Acar 2022): the depth of a strand in the graph, and the forks around it that have not
// joined yet. Unlike the other schemes, this scheme tells how far a strand is from the root.
//
// The paper packs the path of lefts and rights into words, one bit for each fork. Here a level holds the branch and the
// depth of its fork. One reason is that a loop has more than two branches. The other is that labels may be kept: two of
// them must tell by themselves if their paths part at one fork or at two forks in sequence.
#pragma once

#include <tine/augment/labels/label.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace tine::labels {

/// A fork on the way to a strand: its depth, and the branch that was taken.
struct depa_level {
  /// The number of forks around this one, and the number of the branch, from 0.
  std::uint64_t depth = 0, branch = 0;

  friend bool operator==(const depa_level&, const depa_level&) noexcept = default;
};

/// A DePa label.
class depa {
 public:
  /// Makes the label of the root.
  depa() noexcept = default;

  /// Returns the number of forks and joins on the longest way from the root to this strand.
  std::uint64_t depth() const noexcept { return depth_; }

  /// Returns a label for any branch below this strand; `enter` then says which branch.
  depa below() const noexcept { return depa{{way_.around.extended(way_.here), {depth_, 0}}}; }
  /// Turns a label that `below` returned into the label of branch i, at its beginning.
  void enter(std::uint64_t i) noexcept {
    way_.here.branch = i;
    depth_ = way_.here.depth + 1;
  }
  /// Turns the label of a strand that forked into the label after the join. `deepest` is the greatest depth that a
  /// branch had.
  void join(std::uint64_t deepest) noexcept { depth_ = deepest + 1; }

  friend relation relate(const depa& a, const depa& b) noexcept {
    const parting<depa_level> p = parting_of(a.way_, b.way_);
    // If one path is a part of the other, the strands are in sequence, and the depths tell their order.
    if (p.a == nullptr || p.b == nullptr) {
      const bool one_path = p.a == nullptr && p.b == nullptr;
      return one_path && a.depth_ == b.depth_ ? relation::same : in_sequence(a.depth_, b.depth_);
    }
    // Lemma: forks below one path are in sequence, and each is deeper than all strands below the previous fork, which
    // has joined.
    if (p.a->depth != p.b->depth) return in_sequence(p.a->depth, p.b->depth);
    return side_by_side(p.a->branch, p.b->branch);
  }

  /// Returns a text such as "5 in 0:1 3:0": the depth is 5, in branch 1 of the fork at depth 0, and inside it in branch
  /// 0 of the fork at depth 3.
  friend std::string to_string(const depa& l) {
    const std::string path = text_of(l.way_, [](std::string& to, const depa_level& f) {
      to += " " + std::to_string(f.depth) + ":" + std::to_string(f.branch);
    });
    const std::string forks = path.substr(4);  // without the root's level, which belongs to no fork
    return std::to_string(l.depth_) + (forks.empty() ? "" : " in" + forks);
  }

 private:
  explicit depa(open_path<depa_level> way) noexcept : way_{std::move(way)} {}

  open_path<depa_level> way_{};
  std::uint64_t depth_ = 0;
};

/// The vertex that keeps a strand's DePa label. Only in this scheme do children report to the join: their depth.
template <>
class labelled<depa> {
 public:
  /// Returns the label of the strand at this vertex. In a loop it is that of the current iteration, and afterwards of
  /// the last one.
  const depa& label() const noexcept { return label_; }

  void fork(labelled& left, labelled& right) noexcept {
    left.label_ = right.label_ = label_.below();
    left.label_.enter(0);
    right.label_.enter(1);
  }
  void join(labelled& left, labelled& right, labelled& after) noexcept {
    const std::uint64_t deepest = std::max(left.label_.depth(), right.label_.depth());
    after = std::move(*this);
    after.label_.join(deepest);
  }

  void loop(labelled& subrange, std::uint64_t) noexcept {
    subrange.label_ = label_.below();
    subrange.label_.enter(0);
    subrange.deepest_ = 0;
  }
  void iteration(std::uint64_t i, std::uint64_t) noexcept {
    deepest_ = deepest();
    label_.enter(i);
  }
  void append(labelled& next) noexcept { deepest_ = std::max(deepest(), next.deepest()); }
  void join_loop(labelled& subrange, labelled& after) noexcept {
    const std::uint64_t deepest = subrange.deepest();
    after = std::move(*this);
    after.label_.join(deepest);
  }

 private:
  std::uint64_t deepest() const noexcept { return std::max(deepest_, label_.depth()); }

  depa label_;
  std::uint64_t deepest_ = 0;  // in a subrange: the greatest depth at the end of the iterations before
};

}  // namespace tine::labels
