// See fold.hpp.
#include "augment/fold.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tine::detail {
namespace {

using shape = trace::node::shape;

bool is_leaf(const dag_node& n) noexcept { return n.value.is == shape::leaf; }
bool is_small(const dag_node& n, base::ticks threshold) noexcept { return is_leaf(n) || n.value.work < threshold; }

void make_leaf(dag_node& n) noexcept {
  if (is_leaf(n)) return;
  drop_nodes(std::exchange(n.first_child, nullptr));
  n.value.is = shape::leaf;
  n.where = 0;
}

/// Adds the node at `from`, which has been unlinked, to the leaf `n`.
void absorb(dag_node& n, dag_node* from, bool in_series) noexcept {
  n.value.work += from->value.work;
  n.value.span = in_series ? n.value.span + from->value.span : std::max(n.value.span, from->value.span);
  n.value.forks += from->value.forks;
  from->next = nullptr;
  drop_nodes(from);
}

/// Merges small neighbours in a series into one leaf, whose span is the sum of theirs. Returns the last node.
dag_node* fold_list(dag_node* first, base::ticks threshold) noexcept {
  dag_node* last = nullptr;
  for (dag_node* n = first; n != nullptr; n = n->next) {
    last = n;
    if (!is_small(*n, threshold)) continue;
    make_leaf(*n);
    while (n->next != nullptr && is_small(*n->next, threshold)) {
      dag_node* const next = n->next;
      n->next = next->next;
      absorb(*n, next, true);
    }
  }
  return last;
}

/// Returns true if the chunk has no node that must be shown by itself.
bool is_plain(const dag_node& chunk, base::ticks threshold) noexcept {
  if (is_small(chunk, threshold)) return true;
  if (chunk.value.is != shape::series) return false;
  const dag_node* part = chunk.first_child;
  while (part != nullptr && is_small(*part, threshold)) part = part->next;
  return part == nullptr;
}

/// Merges the plain chunks of a loop into one leaf. It is the loop's last child, and its span is that of the longest
/// chunk.
void fold_chunks(dag_node& loop, base::ticks threshold) noexcept {
  dag_node* rest = nullptr;
  dag_node** at = &loop.first_child;
  while (*at != nullptr) {
    dag_node* const n = *at;
    if (!is_plain(*n, threshold)) {
      at = &n->next;
      continue;
    }
    *at = std::exchange(n->next, nullptr);
    if (rest != nullptr) {
      absorb(*rest, n, false);
    } else {
      make_leaf(*n);
      rest = n;
    }
  }
  *at = rest;
}

void fold_children(dag_node& n, base::ticks threshold) noexcept {
  if (n.value.is == shape::loop) return fold_chunks(n, threshold);
  if (n.value.is == shape::parallel) {
    for (dag_node* c = n.first_child; c != nullptr; c = c->next) {
      if (is_small(*c, threshold)) make_leaf(*c);
    }
    return;
  }
  fold_list(n.first_child, threshold);
  const dag_node& first = *n.first_child;
  if (first.next == nullptr && is_leaf(first)) make_leaf(n);
}

}  // namespace

dag_node* fold_series(dag_node* first, base::ticks threshold) noexcept {
  dag_node* const last = first != nullptr ? fold_list(first, threshold) : nullptr;
  std::vector<dag_node*> open;
  const auto add_all = [&](dag_node* list) {
    for (; list != nullptr; list = list->next) {
      if (!is_leaf(*list)) open.push_back(list);
    }
  };
  add_all(first);
  while (!open.empty()) {
    dag_node& n = *open.back();
    open.pop_back();
    fold_children(n, threshold);
    add_all(n.first_child);
  }
  return last;
}

void drop_nodes(dag_node* first) noexcept {
  // The children of each node are put in front of the remaining nodes, which replaces recursion.
  while (first != nullptr) {
    dag_node* n = first;
    first = n->next;
    if (dag_node* child = n->first_child; child != nullptr) {
      dag_node* last = child;
      while (last->next != nullptr) last = last->next;
      last->next = first;
      first = child;
    }
    delete n;
  }
}

}  // namespace tine::detail
