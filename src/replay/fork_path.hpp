// The chain of forks and loops around a place, as text: as `tine schedule diff` names it.
#pragma once

#include "replay/node.hpp"

#include <string>

namespace tine::detail {

/// Returns the path of the fork or loop with the number `number` at `at`, as "2.1/0": number 0 in the second branch (1)
/// of fork 2; a part of a loop is named by the iteration at which it begins, as in "5[500]/0". A long chain is cut to
/// its innermost levels.
std::string fork_path(const sched::position& at, std::uint32_t number);
/// Returns the kind and the path of the construct.
std::string fork_path(const replay_node& n);

}  // namespace tine::detail
