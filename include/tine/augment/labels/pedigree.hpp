// Pedigrees (Leiserson–Schardl–Sukha 2012): the list of ranks on the way from the root to a strand. Deterministic
// random numbers are made from it (random.hpp).
//
// The paper's ranks count the children and statements of a function, and they tell only the order in which one worker
// runs the strands. Here a rank counts the joins of a strand, and the branch taken at a fork is a number of its own (0
// or 1, in a loop the iteration). Therefore a pedigree also tells which strands are parallel.
#pragma once

#include <tine/augment/labels/label.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tine::labels {

/// Two numbers of the list: the branch, and the rank in it.
class pedigree_level {
 public:
  pedigree_level() noexcept = default;
  /// Returns the level of branch i.
  static pedigree_level branch(std::uint64_t i, std::uint64_t) noexcept { return pedigree_level{i}; }
  /// Turns the level of a strand that forked into the level after the join.
  void join() noexcept { ++rank_; }

  friend bool operator==(const pedigree_level&, const pedigree_level&) noexcept = default;

  friend relation relate(const pedigree_level& x, const pedigree_level& y) noexcept {
    return x.branch_ == y.branch_ ? in_sequence(x.rank_, y.rank_) : side_by_side(x.branch_, y.branch_);
  }

  std::uint64_t branch() const noexcept { return branch_; }
  /// Returns the number of joins of the strand in its branch.
  std::uint64_t rank() const noexcept { return rank_; }

  /// Returns the numbers of `ranks` as a text such as "0.1.2".
  static std::string text(const open_path<pedigree_level>& way) {
    const auto both = [](std::string& to, const pedigree_level& l) {
      to += "." + std::to_string(l.branch_) + "." + std::to_string(l.rank_);
    };
    return text_of(way, both).substr(3);  // without a branch for the root, which has none
  }

 private:
  explicit pedigree_level(std::uint64_t i) noexcept : branch_{i} {}

  std::uint64_t branch_ = 0, rank_ = 0;
};

/// A pedigree.
using pedigree = label<pedigree_level>;

/// Returns the list: the root's rank, and a branch and a rank for each level below.
inline std::vector<std::uint64_t> ranks(const pedigree& p) {
  std::vector<std::uint64_t> all(2 * p.depth() + 1);
  auto at = all.rbegin();
  for (outward<pedigree_level> o{p.way()}; o.level() != nullptr; o.step()) {
    *at++ = o.level()->rank();
    if (at != all.rend()) *at++ = o.level()->branch();
  }
  return all;
}

}  // namespace tine::labels
