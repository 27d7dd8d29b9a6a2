// All that a small program can do: every interleaving of its threads and every promotion. Checks in each state that the pool is
// well-formed (Appendix A; as every step leads from one state to another, this is Theorem 2.2, preservation), that there is a
// next step (Theorem 2.1, progress), and at the end that all ways lead to one answer.
#pragma once

#include "spork/semantics.hpp"

#include <string>
#include <vector>

namespace tine::spork {

struct exploration {
  std::size_t states = 0;
  std::size_t steps = 0;      ///< from state to state
  bool complete = false;      ///< no violation, and all states have been seen
  bool ends = false;          ///< some way comes to an end
  std::string answer;         ///< what they lead to
  std::string violation;      ///< empty if there is none
  std::vector<action> trace;  ///< the shortest way to the violation
  std::vector<action> other;  ///< of two answers: a way to the first
};

/// Explores, breadth first, until there is a violation, nothing new, or more than `most_states`.
exploration explore(const semantics& rules, std::size_t most_states);

}  // namespace tine::spork
