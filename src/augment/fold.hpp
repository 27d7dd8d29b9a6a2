// Folding a dag: nodes with less work than a threshold become part of the leaf around them. The caller owns the nodes.
#pragma once

#include "augment/dag.hpp"

namespace tine::detail {

/// Folds a series of nodes and everything below them, and returns its last node. Work, span and forks of the series,
/// and of every node that remains, don't change. Takes linear time, and does not recurse, because dags may be deep.
dag_node* fold_series(dag_node* first, base::ticks threshold) noexcept;

/// Deletes a list of nodes with everything below them.
void drop_nodes(dag_node* first) noexcept;

}  // namespace tine::detail
