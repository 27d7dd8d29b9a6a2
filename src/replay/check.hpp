// The rules that a schedule must obey before a replay follows it. Plain functions of values.
#pragma once

#include <tine/replay/schedule.hpp>

#include <span>

namespace tine::detail {

/// Throws std::invalid_argument with the first rule that the schedule breaks.
void check_schedule(const schedule& s);
/// Does the same for the NUMA nodes of a pool whose schedule is for `workers` workers.
void check_numa_nodes(std::span<const int> nodes, unsigned workers);

}  // namespace tine::detail
