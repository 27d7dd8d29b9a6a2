// A label that knows nothing but its own way from the root, and the vertex that carries it. What is kept of each level, and
// how two levels compare, is the scheme: offset_span.hpp, english_hebrew.hpp, pedigree.hpp.
#pragma once

#include <tine/augment/labels/relation.hpp>
#include <tine/augment/labels/trail.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace tine::labels {

/// A label: for each fork or loop around the strand the branch it is in, and how often that branch has joined. `Level` holds
/// these two as its scheme does:
///
///     Level{};                            // the root
///     Level::branch(i, n);                // at the beginning of branch i of n
///     level.join();                       // goes on after a join
///     relate(Level, Level);               // of two different ones below the same way
///     Level::text(const open_trail<Level>&);
template <class Level>
class label {
 public:
  /// The label of the root.
  label() noexcept = default;

  /// The label of a branch below this strand; which one is up to `enter`.
  label below() const noexcept { return label{way_.around.extended(way_.here)}; }
  /// Makes a label from `below` that of branch i of n.
  void enter(std::uint64_t i, std::uint64_t n) noexcept { way_.here = Level::branch(i, n); }
  /// Makes the label of a strand that forked the one after the join.
  void join() noexcept { way_.here.join(); }

  /// Around how many forks and loops the strand is.
  std::uint64_t depth() const noexcept { return way_.around.length(); }
  const open_trail<Level>& way() const noexcept { return way_; }

  friend relation relate(const label& a, const label& b) noexcept {
    const parting<Level> p = part(a.way_, b.way_);
    // A strand is before all that is forked below it: what is after the join has another last level.
    if (p.a == nullptr) return p.b == nullptr ? relation::same : relation::before;
    return p.b == nullptr ? relation::after : relate(*p.a, *p.b);
  }
  friend std::string to_string(const label& l) { return Level::text(l.way_); }

 private:
  explicit label(trail<Level> around) noexcept : way_{std::move(around), Level{}} {}

  open_trail<Level> way_{};
};

/// The vertex that keeps a strand's label. A fork costs one allocation, a join none. A piece of a loop has no label of its own
/// outside its iterations.
template <label_type Label>
class labelled {
 public:
  /// Of the strand that this vertex is at. In a loop: of the current iteration, or after it of the last.
  const Label& label() const noexcept { return label_; }

  void fork(labelled& left, labelled& right) noexcept {
    left.label_ = right.label_ = label_.below();
    left.label_.enter(0, 2);
    right.label_.enter(1, 2);
  }
  void join(labelled&, labelled&, labelled& after) noexcept { go_on(after); }

  void loop(labelled& piece, std::uint64_t n) noexcept {
    piece.label_ = label_.below();
    piece.label_.enter(0, n);
  }
  void iteration(std::uint64_t i, std::uint64_t n) noexcept { label_.enter(i, n); }
  void append(labelled&) noexcept {}
  void join_loop(labelled&, labelled& after) noexcept { go_on(after); }

 private:
  void go_on(labelled& after) noexcept {
    after.label_ = std::move(label_);  // this vertex is replaced by `after`
    after.label_.join();
  }

  Label label_;
};

}  // namespace tine::labels
