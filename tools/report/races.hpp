// The races of a profile, as the tools show them: one for each pair of source lines.
#pragma once

#include "report/place.hpp"
#include "report/suppressions.hpp"
#include "report/variable.hpp"
#include "trace/profile.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tine::report {

/// The sources of the addresses in the tables of races. An address without an entry is shown as a number.
struct race_sources {
  std::map<std::uint64_t, place> code;     ///< by return address: accesses, forks and loops, allocations
  std::map<std::uint64_t, variable> data;  ///< by address: the globals of races
};

/// Finds the sources in debug information.
race_sources resolve_races(const trace::profile& p);

/// A step on the way to an access: a branch of a fork, an iteration of a loop, a task of a group, or a root.
struct path_step {
  trace::construct kind = trace::construct::fork;
  std::uint64_t branch = 0;  ///< 0 for the first branch, 1 for the second; the iteration of a loop
  bool is_root = false;      ///< a root or a thread of its own; the other members say nothing
  bool is_cut = false;       ///< steps below it were not kept, and of a loop neither was the iteration
  place where;

  /// Returns a text such as "iteration 3 of the loop at sort.cpp:40".
  std::string text() const;
};

/// A path, or a part of it: the innermost steps, outermost first.
struct race_path {
  std::vector<path_step> steps;
  std::uint64_t left_out = 0;  ///< number of steps in front of them that are not in `steps`
};

/// One of the two accesses of a race.
struct race_access {
  std::vector<std::string>
      kinds;  ///< "read", "write", "free", "atomic read" or "atomic write"; several if instances differ
  place where;
  /// Returns the function, or module and offset if it is not known; and the line, as in "sort.cpp:12".
  std::string name() const { return where.name(); }
  std::string line() const { return where.short_line(); }
  race_path path;  ///< below the construct at which the paths part, its step included
};

/// The memory that both accesses touch, in the first instance.
struct race_memory {
  trace::memory_kind kind = trace::memory_kind::unknown;
  std::uint64_t address = 0;
  variable global;  ///< without a name if none is known
  std::uint64_t block = 0, block_bytes = 0;
  bool has_site = false;  ///< the call that allocated the block is known
  place site;

  /// Returns the function that allocated the block; nothing if it is not known.
  std::optional<frame> allocated() const { return has_site ? std::optional{site.at} : std::nullopt; }
  /// Returns the distance of the access from the start of the variable or the block.
  std::uint64_t offset() const;
  /// Returns a text such as "the global `total` (offset 8)" or "64 bytes allocated at main.cpp:12 (offset 8)".
  std::string text() const;
};

/// The construct at which the paths of the two accesses part.
enum class parting_kind : std::uint8_t { unknown, fork, coroutine_fork, loop, roots, task };
struct race_parting {
  parting_kind kind = parting_kind::unknown;
  place where;
  std::optional<std::uint64_t> earlier, later;  ///< the branches or iterations; nothing if they are not known
  std::optional<place> other;                   ///< of the later access, if both are in tasks of groups

  /// Returns a text such as "iterations 17 and 18 of the loop at sort.cpp:40".
  std::string text() const;
};

/// A race: all instances whose accesses have the same two lines.
struct found_race {
  race_access earlier, later;  ///< in the serial order of the first instance
  race_memory memory;
  std::vector<std::string> more_memory;  ///< the texts of other memory that further instances touch
  race_parting parting;
  race_path common;         ///< the steps above the construct at which the paths part
  bool is_complete = true;  ///< all steps of both paths are known
  std::uint64_t count = 0;  ///< number of instances
  std::uint64_t pairs = 0;  ///< number of pairs of instructions
  bool is_locked = false;   ///< in all instances, the locksets of both accesses have a lock in common
  /// The line of the atomic operation by which the later strand has come to know of the earlier access; empty if that
  /// is not so in all instances.
  std::string ordered_at;
};

struct race_summary {
  std::vector<found_race> races;  ///< by descending count
  std::string incomplete_at;      ///< the line of trace::race_totals::incomplete_at; empty if there is none
  std::uint64_t suppressed = 0;   ///< races all of whose instances are suppressed
};

/// Returns the races of `p` but those that a suppression matches: the function or file of any frame of either access,
/// or the variable. Counts in each suppression how many rows it suppressed.
race_summary find_races(const trace::profile& p, const race_sources& sources, std::vector<suppression>& suppressed);
race_summary find_races(const trace::profile& p, const race_sources& sources);

}  // namespace tine::report
