// The chain of forks and loops around a place, as the text by which `tine schedule diff` names it. Call it on the
// strand that is there.
#pragma once

#include "replay/node.hpp"

#include <string>

namespace tine::detail {

/// Returns the path of the fork or loop number `number` at `at`: "2.1/0" is number 0 in the second branch (1) of fork
/// 2. A part of a loop is named by its first iteration, as in "5[500]/0". A long chain is cut to its innermost levels.
std::string fork_path(const sched::position& at, std::uint32_t number);
/// Returns the kind and the path of the fork, loop or run.
std::string fork_path(const replay_node& n);

}  // namespace tine::detail
