// Folding a dag: nodes with less work than a threshold become part of the leaf around them. The caller owns the nodes.
#pragma once

#include "augment/dag.hpp"

namespace tine::detail {

/// Folds a series of nodes and everything below them, and returns its last node. Work, span and forks of the series,
/// and of every node that remains, don't change. Takes linear time, and does not recurse, because dags may be deep.
dag_node* fold_series(dag_node* first, base::ticks threshold) noexcept;

/// Returns true if two neighbours in a series become one leaf: leaves of one phase, or leaves below the threshold.
bool is_one_leaf(const dag_node& a, const dag_node& b, base::ticks threshold) noexcept;

/// Adds the unlinked leaf `from` to the leaf `n`, and deletes it.
void absorb(dag_node& n, dag_node* from, bool in_series) noexcept;

/// Deletes a list of nodes with everything below them.
void drop_nodes(dag_node* first) noexcept;

}  // namespace tine::detail
