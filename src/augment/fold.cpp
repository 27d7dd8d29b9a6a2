// Folds dags and deletes them, without recursion. The caller owns the nodes.
#include "augment/fold.hpp"

#include "augment/phases.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tine::detail {
namespace {

using shape = trace::node::shape;

bool is_leaf(const dag_node& n) noexcept { return n.value.is == shape::leaf; }
bool is_small(const dag_node& n, base::ticks threshold) noexcept { return is_leaf(n) || n.value.work < threshold; }

/// Moves the children of `n` in front of `rest`, in place of recursion. Returns the first node of the list.
dag_node* before_rest(dag_node& n, dag_node* rest) noexcept {
  dag_node* const first = std::exchange(n.first_child, nullptr);
  if (first == nullptr) return rest;
  dag_node* last = first;
  while (last->next != nullptr) last = last->next;
  last->next = rest;
  return first;
}

/// Deletes the nodes below `n`, which becomes a leaf of all their phases.
void make_leaf(dag_node& n) noexcept {
  if (is_leaf(n)) return;
  bool is_first = true;
  for (dag_node* c = before_rest(n, nullptr); c != nullptr;) {
    if (is_leaf(*c))
      n.value.phase = std::exchange(is_first, false) ? c->value.phase : phase_of_both(n.value.phase, c->value.phase);
    dag_node* const gone = std::exchange(c, before_rest(*c, c->next));
    delete gone;
  }
  n.value.is = shape::leaf;
  n.where = 0;
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
      make_leaf(*next);
      if (!is_one_leaf(*n, *next, threshold)) break;
      n->next = next->next;
      absorb(*n, next, true);
    }
  }
  return last;
}

/// Returns true if nothing in the chunk must be shown by itself.
bool is_plain(const dag_node& chunk, base::ticks threshold) noexcept {
  if (is_small(chunk, threshold)) return true;
  if (chunk.value.is != shape::series) return false;
  bool is_in_one_phase = true, is_long = false;
  for (const dag_node* part = chunk.first_child; part != nullptr; part = part->next) {
    if (!is_small(*part, threshold)) return false;
    is_in_one_phase = is_in_one_phase && part->value.phase == chunk.first_child->value.phase;
    is_long = is_long || part->value.work >= threshold;
  }
  return is_in_one_phase || !is_long;
}

/// Merges the plain chunks of a loop into one leaf. It becomes the loop's last child, with the span of the longest
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
    make_leaf(*n);
    if (rest != nullptr) {
      absorb(*rest, n, false);
    } else {
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

bool is_one_leaf(const dag_node& a, const dag_node& b, base::ticks threshold) noexcept {
  if (!is_leaf(a) || !is_leaf(b)) return false;
  return a.value.phase == b.value.phase || (a.value.work < threshold && b.value.work < threshold);
}

void absorb(dag_node& n, dag_node* from, bool in_series) noexcept {
  n.value.work += from->value.work;
  n.value.span = in_series ? n.value.span + from->value.span : std::max(n.value.span, from->value.span);
  n.value.forks += from->value.forks;
  n.value.phase = phase_of_both(n.value.phase, from->value.phase);
  delete from;
}

void drop_nodes(dag_node* first) noexcept {
  while (first != nullptr) {
    dag_node* const gone = std::exchange(first, before_rest(*first, first->next));
    delete gone;
  }
}

}  // namespace tine::detail
