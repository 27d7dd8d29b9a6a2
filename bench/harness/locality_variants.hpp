// The variants of a program of phases over placed data, which all such programs have.
#pragma once

#include "harness/blocks/partition.hpp"
#include "harness/program.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bench {

/// The functions that place a problem's data or solve it. (The rivals' are null in the executable that has no rivals; it must
/// list them all the same.)
template <class Problem>
struct locality_solvers {
  using solver = void (*)(Problem&, stage);
  solver serial;
  solver managed;
  solver coro;
  solver record_strict;
  solver iterative_relaxed;
  solver coarsened;
  solver openmp_static;
  solver openmp_tasks;
};

/// `problem` must outlive the variants.
template <class Problem>
std::vector<variant> locality_variants(Problem& problem, const locality_solvers<Problem>& solvers) {
  std::vector<variant> variants;
  const auto add = [&](std::string name, runtime_kind runtime, void (*solver)(Problem&, stage)) {
    variants.push_back({.name = std::move(name),
                        .runtime = runtime,
                        .run = [&problem, solver] { solver(problem, stage::solve); },
                        .prepare = [&problem, solver] { solver(problem, stage::place); }});
  };
  add("serial", runtime_kind::serial, solvers.serial);
  add("managed", runtime_kind::tine, solvers.managed);
  add("coro", runtime_kind::tine_tasks, solvers.coro);
  add("record-strict", runtime_kind::tine, solvers.record_strict);
  add("iterative-relaxed", runtime_kind::tine, solvers.iterative_relaxed);
  add("coarsened", runtime_kind::tine, solvers.coarsened);
  add("openmp-static", runtime_kind::openmp_team, solvers.openmp_static);
  add("openmp-tasks", runtime_kind::openmp, solvers.openmp_tasks);
  return variants;
}

}  // namespace bench
