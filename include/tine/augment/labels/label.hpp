// A label that holds nothing but its own way from the root, and the vertex that carries it. A scheme defines what a
// level holds and how two levels compare: offset_span.hpp, english_hebrew.hpp, pedigree.hpp.
#pragma once

#include <tine/augment/labels/relation.hpp>
#include <tine/augment/labels/shared_path.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace tine::labels {

/// A label: for each fork or loop around the strand, the branch that the strand is in and the number of joins of that
/// branch. `Level` holds these two numbers in the form of its scheme:
///
///     Level{};                            // the root
///     Level::branch(i, n);                // at the beginning of branch i of n
///     level.join();                       // after one more join
///     relate(Level, Level);               // the relation of two different levels below one way
///     Level::text(const open_path<Level>&);
template <class Level>
class label {
 public:
  /// Makes the label of the root.
  label() noexcept = default;

  /// Returns a label for any branch below this strand; `enter` then says which branch.
  label below() const noexcept { return label{way_.around.extended(way_.here)}; }
  /// Turns a label that `below` returned into the label of branch i of n.
  void enter(std::uint64_t i, std::uint64_t n) noexcept { way_.here = Level::branch(i, n); }
  /// Turns the label of a strand that forked into the label after the join.
  void join() noexcept { way_.here.join(); }

  /// Returns the number of forks and loops around the strand.
  std::uint64_t depth() const noexcept { return way_.around.length(); }
  /// Returns the levels of the label.
  const open_path<Level>& way() const noexcept { return way_; }

  friend relation relate(const label& a, const label& b) noexcept {
    const parting<Level> p = parting_of(a.way_, b.way_);
    // A strand is before all strands that are forked below it, because the label after the join has another last level.
    if (p.a == nullptr) return p.b == nullptr ? relation::same : relation::before;
    return p.b == nullptr ? relation::after : relate(*p.a, *p.b);
  }
  friend std::string to_string(const label& l) { return Level::text(l.way_); }

 private:
  explicit label(shared_path<Level> around) noexcept : way_{std::move(around), Level{}} {}

  open_path<Level> way_{};
};

/// The vertex that keeps a strand's label. A fork costs one allocation, a join costs none. A subrange of a loop has no
/// label of its own outside its iterations.
template <label_type Label>
class labelled {
 public:
  /// Returns the label of the strand at this vertex. In a loop it is that of the current iteration, and afterwards of
  /// the last one.
  const Label& label() const noexcept { return label_; }

  void fork(labelled& left, labelled& right) noexcept {
    left.label_ = right.label_ = label_.below();
    left.label_.enter(0, 2);
    right.label_.enter(1, 2);
  }
  void join(labelled&, labelled&, labelled& after) noexcept { advance(after); }

  void loop(labelled& subrange, std::uint64_t n) noexcept {
    subrange.label_ = label_.below();
    subrange.label_.enter(0, n);
  }
  void iteration(std::uint64_t i, std::uint64_t n) noexcept { label_.enter(i, n); }
  void append(labelled&) noexcept {}
  void join_loop(labelled&, labelled& after) noexcept { advance(after); }

 private:
  void advance(labelled& after) noexcept {
    after.label_ = std::move(label_);  // this vertex is replaced by `after`
    after.label_.join();
  }

  Label label_;
};

}  // namespace tine::labels
