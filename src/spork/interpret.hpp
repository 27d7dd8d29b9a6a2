// A whole run by the rules of `semantics`.
#pragma once

#include "spork/schedule.hpp"

namespace tine::spork {

struct run_counts {
  std::size_t steps = 0;
  std::size_t promotions = 0;
};

/// Runs `main` and gives its results. Throws `trap`, also when there have been `most_steps`.
std::vector<value> interpret(const semantics& rules, schedule& s, std::size_t most_steps, run_counts* counts = nullptr);

/// The sequential elision: sporks become jumps to their body, spoins to the block for the unpromoted (Spork, §5.2). Nothing of
/// the result can run in parallel.
program elide(program p);

/// Results as a line: `3 1.5`.
std::string show(const std::vector<value>& results);

}  // namespace tine::spork
