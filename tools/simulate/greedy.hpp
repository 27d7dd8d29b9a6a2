// A greedy schedule without costs: the plainest scheduler that keeps no worker idle while a strand is ready.
#pragma once

#include "simulate/outcome.hpp"
#include "simulate/program.hpp"

#include <cstdint>

namespace tine::simulate {

/// Runs each group of roots, one after the other, by this rule: a strand is ready when all strands before it in the
/// graph have ended; whenever a worker is free, it runs the ready strand that is first in the serial order, to its end.
/// A strand without work needs no worker and ends when it is ready. The strands are those of the nodes, with divisible
/// leaves as in part.hpp; the pieces of a loop are ready together.
///
/// The time lies between max(T1/P, T∞) and T1/P + T∞, without any overhead (Graham 1969). It need not fall when workers
/// are added. O(strands × log(P × depth)). Throws too_many_steps; a step is a strand, or a part that is divided into
/// others.
outcome greedy(const program& p, unsigned workers, std::uint64_t most_steps = usual_steps);

}  // namespace tine::simulate
