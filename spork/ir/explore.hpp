// Explores a small program: every interleaving of its threads and every promotion. The explorer checks in each state
// that the pool is well-formed (Appendix A; as every step leads from one state to another, this is Theorem 2.2,
// preservation) and that there is a next step (Theorem 2.1, progress). It collects each answer of the schedules, and a
// schedule that does not end.
#pragma once

#include "ir/schedule.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tine::spork {

struct exploration {
  /// An answer that some schedules give.
  struct ending {
    std::string answer;         ///< the results as a line, or `trap`
    std::vector<action> trace;  ///< the shortest schedule that gives it
  };
  /// A schedule that repeats some of its actions for ever.
  struct endless {
    std::vector<action> before, again;
  };

  std::size_t states = 0;
  std::size_t steps = 0;        ///< number of steps from state to state
  bool complete = false;        ///< no violation, and all states have been seen
  std::string violation;        ///< the violation of a theorem; empty if there is none
  std::vector<action> trace;    ///< the shortest way to the violation
  std::vector<ending> endings;  ///< one for each answer, the shortest trace first
  std::optional<endless> never_ends;

  /// Returns true if the schedules seen differ in their answers, or in whether they end.
  bool disagrees() const { return endings.size() + (never_ends ? 1 : 0) > 1; }
  /// Returns true if all schedules seen give `answer`.
  bool agrees_on(const std::string& answer) const {
    return !disagrees() && !endings.empty() && endings[0].answer == answer;
  }
};

/// Returns an endless schedule as a script, without the word `script:`.
std::string show(const exploration::endless& e);

/// Explores breadth first, until there is a violation, there are no new states, or `most_states` states have been
/// found. Calls `on_state`, if it is given, with the number of states found so far, for each new state.
exploration explore(const semantics& rules, std::size_t most_states,
                    const std::function<void(std::size_t)>& on_state = {});

}  // namespace tine::spork
