// The variants that all programs of phases have, over the templates in the program's problem.hpp; partition.hpp says
// what these are.
#pragma once

#include "harness/blocks/managed.hpp"
#include "harness/blocks/score.hpp"
#include "harness/program.hpp"
#include "problem.hpp"  // the program's

#include <string>
#include <utility>

namespace bench {

/// Phases without forks: all blocks are one range.
struct serial_blocks {
  template <class Body>
  void operator()(int count, const Body& body) const {
    body(0, count);
  }
};

// The rivals, which are null in the executable without them. Each function places the problem's data or solves the
// problem.
[[gnu::weak]] void openmp_static(problem& p, stage s);
[[gnu::weak]] void openmp_tasks(problem& p, stage s);

/// A variant that runs all its phases in one way.
template <class Blocks>
void all_by(problem& p, stage s) {
  perform(p, s, Blocks{});
}

/// A variant that places the data and finds a schedule by `Find`, and follows it. Each has a schedule of its own.
template <void (score<managed_blocks<problem>>::*Find)(problem&),
          tine::replay_mode How = tine::replay_mode::strict_ordered, class As = managed_blocks<problem>>
void found_by(problem& p, stage s) {
  static score<managed_blocks<problem>> its;
  s == stage::place ? (its.*Find)(p) : its.follow<As>(p, How);
}

/// Completes the description of a program of phases that works on `p`, which must outlive it.
inline program program_of_phases(problem& p, program it) {
  using managed = managed_blocks<problem>;
  using schedules = score<managed>;
  using enum tine::replay_mode;
  const auto add = [&](std::string name, runtime_kind runtime, void (*perform)(problem&, stage)) {
    it.variants.push_back({.name = std::move(name),
                           .runtime = runtime,
                           .run = [&p, perform] { perform(p, stage::solve); },
                           .prepare = [&p, perform] { perform(p, stage::place); }});
  };
  add("serial", runtime_kind::serial, all_by<serial_blocks>);
  add("managed", runtime_kind::tine, all_by<managed>);
  add("recorded", runtime_kind::tine, all_by<recorded_blocks<managed>>);
  add("relaxed", runtime_kind::tine, found_by<&schedules::record, relaxed>);
  add("record-strict", runtime_kind::tine, found_by<&schedules::record>);
  add("coarsened", runtime_kind::tine, found_by<&schedules::coarsen, strict_ordered, coarse_blocks<problem>>);
  add("openmp-static", runtime_kind::openmp_team, openmp_static);
  add("openmp-tasks", runtime_kind::openmp, openmp_tasks);
  return completed<problem>(std::move(it), p, {});
}

}  // namespace bench
