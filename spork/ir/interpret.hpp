// Runs a whole program by the rules of `semantics`.
#pragma once

#include "ir/schedule.hpp"

namespace tine::spork {

struct run_counts {
  std::size_t steps = 0;
  std::size_t promotions = 0;
  std::string output;  ///< what the program has printed; also if it traps
};

/// Runs `main` and returns its results. Throws `trap`, also after `most_steps` steps.
std::vector<value> interpret(const semantics& rules, schedule& s, std::size_t most_steps, run_counts* counts = nullptr);

/// Returns the sequential elision: sporks become jumps to their bodies, spoins become jumps to their unpromoted blocks
/// (Spork, §5.2). No part of the result can run in parallel.
program elide(program p);

/// Returns what a program printed, in quotes and with escapes, and its results as a line. Nothing stands for an empty
/// output.
std::string show(const std::string& output, const std::vector<value>& results);
/// Returns results as a line: `3 1.5`.
std::string show(const std::vector<value>& results);

}  // namespace tine::spork
