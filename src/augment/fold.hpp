// Folding a dag: what has less work than a threshold becomes part of the leaf around it.
#pragma once

#include "augment/dag.hpp"

namespace tine::detail {

/// Folds a series of nodes and everything below them; returns its last node. Work, span and forks of the series, and of every
/// node that remains, stay what they are. Linear, with a stack of its own: dags may be deep.
dag_node* fold_series(dag_node* first, base::ticks threshold) noexcept;

/// Deletes a list of nodes with everything below them.
void drop_nodes(dag_node* first) noexcept;

}  // namespace tine::detail
