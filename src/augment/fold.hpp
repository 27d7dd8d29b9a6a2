// Folding a dag: nodes with less work than a threshold become part of the leaf around them.
#pragma once

#include "augment/dag.hpp"

namespace tine::detail {

/// Folds a series of nodes and everything below them; returns its last node. Work, span and forks of the series, and of
/// every node that remains, do not change. The time is linear. The function has a stack of its own, because dags may be
/// deep.
dag_node* fold_series(dag_node* first, base::ticks threshold) noexcept;

/// Deletes a list of nodes with everything below them.
void drop_nodes(dag_node* first) noexcept;

}  // namespace tine::detail
