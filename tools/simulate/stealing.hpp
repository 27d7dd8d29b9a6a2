// Runs a program on a model of tine's scheduler. README.md has the rules of the model and their reasons.
#pragma once

#include "simulate/costs.hpp"
#include "simulate/machine.hpp"
#include "simulate/outcome.hpp"
#include "simulate/program.hpp"

#include <cstdint>
#include <functional>

namespace tine::simulate {

/// The worker that runs a continuation after a join that has waited (sched/options.hpp).
enum class resumes : std::uint8_t { same_thread, origin, finisher };

struct stealing_options {
  costs what;
  resumes resume = resumes::same_thread;
  std::uint64_t seed = 1;                          ///< of the choice of victims and of the moments of polls
  std::uint64_t most_steps = usual_steps;          ///< a step is an event of the model
  std::function<void(const stretch&)> on_stretch;  ///< called for each stretch when it ends, if it is set
};

/// Returns what a run of `p` on all workers of `m` would take. Equal arguments give equal results. The time of the
/// simulation grows with the number of promotions, not with that of strands. Throws too_many_steps.
outcome stealing(const program& p, const machine& m, const stealing_options& o = {});

}  // namespace tine::simulate
