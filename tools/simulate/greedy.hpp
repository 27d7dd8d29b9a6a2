// A greedy schedule without costs: the plainest scheduler that never leaves a worker idle while a strand is ready.
#pragma once

#include "simulate/outcome.hpp"
#include "simulate/program.hpp"

#include <cstdint>

namespace tine::simulate {

/// Runs the groups of roots one after the other. A strand is ready when all strands before it in the graph have ended.
/// A free worker runs the ready strand that is first in the serial order, to its end. A strand without work does not
/// need a worker and ends when it is ready. The strands are those of the nodes, with divisible leaves as in part.hpp;
/// the pieces of a loop become ready together.
///
/// Without any overhead the time lies between max(T1/P, T∞) and T1/P + T∞ (Graham 1969). It need not fall when you add
/// workers. Takes O(strands × log(P × depth)). Throws too_many_steps; a step is a strand, or a part that is divided.
outcome greedy(const program& p, unsigned workers, std::uint64_t most_steps = usual_steps);

}  // namespace tine::simulate
