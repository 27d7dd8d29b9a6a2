// The findings of the lock checker, as the tools show them: one finding for each pair of source lines, and one for each
// cycle.
#pragma once

#include "report/place.hpp"
#include "report/races.hpp"
#include "trace/profile.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tine::report {

/// The sources of the addresses in the tables of locks.
struct lock_sources {
  std::vector<place> stacks;               ///< one for each row of `lock_stacks`
  std::map<std::uint64_t, place> steps;    ///< forks and loops, by return address
  std::map<std::uint64_t, variable> data;  ///< by address: the locks that are globals
};

/// Finds the sources in debug information.
lock_sources resolve_locks(const trace::profile& p);

/// A strand takes `other` while it holds `lock`; or, of a finding that is no cycle, what concerns one strand.
struct lock_use {
  std::string lock;             ///< as in "the global `table`" or "the lock at 0x1000"
  std::string other;            ///< of a cycle: the lock that is taken
  std::optional<place> taken;   ///< the call that took `lock`
  place event;                  ///< of a cycle: the call that takes `other`; else the fork, join, release or wait
  std::vector<path_step> path;  ///< the way to the strand, outermost first
  bool is_path_cut = false;     ///< some steps are not known
};

struct found_lock_problem {
  trace::lock_problem is = trace::lock_problem::held_at_fork;
  std::vector<lock_use> uses;  ///< one; of a cycle: one for each of its steps
  std::uint64_t count = 0;     ///< number of instances; of a cycle: of cycles with the same lines
  std::uint64_t longest = 0;   ///< nanoseconds, of a wait
  bool is_condition = false;
  bool is_shared = false;
  trace::lock_kind kind = trace::lock_kind::lock;
  bool is_suspended = false;  ///< a wait that leaves its worker to other work
};

/// Returns the findings: what concerns most first, in the order deadlocks, cycles, locks over forks, releases, long
/// waits.
std::vector<found_lock_problem> find_lock_problems(const trace::profile& p, const lock_sources& sources);

}  // namespace tine::report
