// Compares the answers of labels with the graph.
#pragma once

#include <tine/augment/labels/relation.hpp>

#include "unit/augment/sp_graph.hpp"

#include <compare>

namespace tine::test {

/// Returns true if the labels `a` and `b` of the strands of events x and y answer every question as the graph does.
template <class Label>
bool right_answers(const Label& a, const Label& b, event x, event y, const sp_graph& g) {
  const bool same = g.strand_of(x) == g.strand_of(y);
  const bool before = !same && g.precedes(x, y), after = !same && g.precedes(y, x);
  const bool beside = !same && !before && !after;
  // Events are numbered in serial order.
  const std::strong_ordering order = same ? std::strong_ordering::equal : x <=> y;
  return (a == b) == same && precedes(a, b) == before && precedes(b, a) == after && parallel(a, b) == beside &&
         (a <=> b) == order;
}

}  // namespace tine::test
