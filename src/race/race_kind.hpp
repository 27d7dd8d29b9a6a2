// The vertices of the detector: they follow the forks and loops of a root, and keep its context up to date. Only the
// strand's thread touches them.
#pragma once

#include <tine/detail/augment/kind.hpp>

namespace tine::detail {

/// The table of the detector's vertex. A vertex that does not belong to a fork or loop stands for a root.
extern const vertex_kind race_kind;

/// Other runtimes may report teams. Their references to the functions of teams.cpp are weak, so they don't link it.
extern const bool follows_teams;
/// From now on task groups report their tasks and waits (tasks.cpp).
void follow_groups() noexcept;
/// The running strand holds no lock any more: starts the tasks that it added under locks.
void run_postponed_tasks() noexcept;

}  // namespace tine::detail
