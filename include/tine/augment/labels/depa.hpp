// DePa labels (Westrick–Wang–Acar 2022): the depth of a strand in the graph, and the forks around it that have not joined yet.
// Unlike the other schemes it tells how far a strand is from the root.
//
// The paper packs the path of lefts and rights into words, a bit for each fork. Here a level holds the branch and the depth of
// its fork, since a loop has more than two branches, and since two labels that are kept must know by themselves whether their
// paths part at one fork or at two in sequence.
#pragma once

#include <tine/augment/labels/label.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace tine::labels {

/// A fork on the way: its depth, and which branch was taken.
struct depa_level {
  std::uint64_t depth = 0, branch = 0;

  friend bool operator==(const depa_level&, const depa_level&) noexcept = default;
};

/// A DePa label.
class depa {
 public:
  /// The label of the root.
  depa() noexcept = default;

  /// The number of forks and joins on the longest way from the root to this strand.
  std::uint64_t depth() const noexcept { return depth_; }

  /// The label of a branch below this strand; which one is up to `enter`.
  depa below() const noexcept { return depa{{way_.around.extended(way_.here), {depth_, 0}}}; }
  /// Makes a label from `below` that of branch i, at its beginning.
  void enter(std::uint64_t i) noexcept {
    way_.here.branch = i;
    depth_ = way_.here.depth + 1;
  }
  /// Makes the label of a strand that forked the one after the join, where `deepest` is the greatest depth that a branch had.
  void join(std::uint64_t deepest) noexcept { depth_ = deepest + 1; }

  friend relation relate(const depa& a, const depa& b) noexcept {
    const parting<depa_level> p = part(a.way_, b.way_);
    // Where one path is a part of the other, the strands are in sequence and the depth tells which.
    if (p.a == nullptr || p.b == nullptr) {
      const bool one_path = p.a == nullptr && p.b == nullptr;
      return one_path && a.depth_ == b.depth_ ? relation::same : in_sequence(a.depth_, b.depth_);
    }
    // Lemma: forks below one path are in sequence, and each is deeper than all strands below the one before, which joined.
    if (p.a->depth != p.b->depth) return in_sequence(p.a->depth, p.b->depth);
    return side_by_side(p.a->branch, p.b->branch);
  }

  /// "5 in 0:1 3:0": the depth is 5, in branch 1 of the fork at depth 0 and therein in branch 0 of the one at depth 3.
  friend std::string to_string(const depa& l) {
    const std::string path = text_of(l.way_, [](std::string& to, const depa_level& f) {
      to += " " + std::to_string(f.depth) + ":" + std::to_string(f.branch);
    });
    const std::string forks = path.substr(4);  // behind the root, which nobody forked
    return std::to_string(l.depth_) + (forks.empty() ? "" : " in" + forks);
  }

 private:
  explicit depa(open_trail<depa_level> way) noexcept : way_{std::move(way)} {}

  open_trail<depa_level> way_{};
  std::uint64_t depth_ = 0;
};

/// The vertex that keeps a strand's DePa label. The only one to which children report: how deep they were.
template <>
class labelled<depa> {
 public:
  /// Of the strand that this vertex is at. In a loop: of the current iteration, or after it of the last.
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

  void loop(labelled& piece, std::uint64_t) noexcept {
    piece.label_ = label_.below();
    piece.label_.enter(0);
    piece.deepest_ = 0;
  }
  void iteration(std::uint64_t i, std::uint64_t) noexcept {
    deepest_ = deepest();
    label_.enter(i);
  }
  void append(labelled& next) noexcept { deepest_ = std::max(deepest(), next.deepest()); }
  void join_loop(labelled& piece, labelled& after) noexcept {
    const std::uint64_t deepest = piece.deepest();
    after = std::move(*this);
    after.label_.join(deepest);
  }

 private:
  std::uint64_t deepest() const noexcept { return std::max(deepest_, label_.depth()); }

  depa label_;
  std::uint64_t deepest_ = 0;  // of a piece: at the end of the iterations before
};

}  // namespace tine::labels
