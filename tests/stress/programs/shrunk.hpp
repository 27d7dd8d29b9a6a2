// Cuts a program down as long as it still fails.
#pragma once

#include "tree.hpp"

#include <functional>
#include <utility>
#include <vector>

namespace tine::stress {

/// Returns all programs that are `t` with one cut: one of its parts or a leaf in place of a node, one part less, or a
/// smaller number. Large cuts come first.
inline std::vector<tree> cuts_of(const tree& t) {
  std::vector<tree> smaller = t.parts;
  if (t.what != op::leaf) smaller.push_back(tree{});
  if (t.parts.size() > arity_of(t.what).least) {
    for (std::size_t i = 0; i < t.parts.size(); ++i) {
      tree less = t;
      less.parts.erase(less.parts.begin() + static_cast<std::ptrdiff_t>(i));
      smaller.push_back(std::move(less));
    }
  }
  for (const unsigned a : {0U, t.a / 2, t.a - 1}) {
    if (a < t.a) {
      smaller.push_back(t);
      smaller.back().a = a;
    }
  }
  for (std::size_t i = 0; i < t.parts.size(); ++i) {
    for (tree& part : cuts_of(t.parts[i])) {
      smaller.push_back(t);
      smaller.back().parts[i] = std::move(part);
    }
  }
  return smaller;
}

/// Cuts a failing program down, and returns the smallest failing program found. Calls `fails` at most `patience` times.
inline tree shrunk(tree t, const std::function<bool(const tree&)>& fails, int patience) {
  for (bool found = true; found;) {
    found = false;
    for (tree& smaller : cuts_of(t)) {
      if (patience-- <= 0) return t;
      find_exact(smaller);
      if (!fails(smaller)) continue;
      t = std::move(smaller);
      found = true;
      break;
    }
  }
  return t;
}

}  // namespace tine::stress
