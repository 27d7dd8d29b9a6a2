// Releases a tree: deletes the nodes that have no other holder, in parallel where that is worth a fork.
#pragma once

#include "studies/release/node.hpp"

#include <tine/managed/par.hpp>

namespace bench::release {

/// A node is released without a fork if its left child's tree has at most this size.
inline constexpr std::uint32_t cut_off = 32;

/// The mistake: takes the size of a tree for the amount of work. The size is no measure of the work if the tree has
/// other holders.
struct by_size {
  static bool is_worth_forking(const node& t) noexcept { return node::size_of(t.left) > cut_off; }
};

/// The correction: forks only if children and grandchildren have no other holder, so that there are at least some nodes
/// to delete on both sides.
struct by_holders {
  static bool is_worth_forking(const node& t) noexcept {
    return by_size::is_worth_forking(t) && is_ours(t.left) && is_ours(t.right);
  }

 private:
  static bool is_ours(const node* t) noexcept {
    return is_held_once(t) && is_held_once(t->left) && is_held_once(t->right);
  }
  static bool is_held_once(const node* t) noexcept { return t != nullptr && t->has_one_holder(); }
};

/// Removes a holder of `t`. If that was the last one, deletes `t` and releases its children.
template <class CutOff>
void release(const node* t) {
  if (t == nullptr || !t->let_go()) return;
  const bool forks = CutOff::is_worth_forking(*t);
  const node *const left = t->left, *const right = t->right;
  delete t;
  if (forks) {
    tine::par([left] { release<CutOff>(left); }, [right] { release<CutOff>(right); });
  } else {
    release<CutOff>(left);
    release<CutOff>(right);
  }
}

}  // namespace bench::release
