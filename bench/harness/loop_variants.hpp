// The variants of a program of parallel loops, which all such programs have.
#pragma once

#include "harness/program.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bench {

/// The functions that solve a problem, each leaving the answer in it. `managed` is two variants: it runs on tine as it is
/// and on tine with the policy `heartbeat`.
template <class Problem>
struct loop_solvers {
  using solver = void (*)(Problem&);
  solver serial;
  solver managed;
  solver tuned;
  solver dac;
  solver tbb;
  solver openmp;
};

/// `problem` must outlive the variants. Without a `dac` there is none. (The rivals' solvers are null in the executable that
/// has no rivals; it must list them all the same.)
template <class Problem>
std::vector<variant> loop_variants(Problem& problem, const loop_solvers<Problem>& solvers) {
  std::vector<variant> variants;
  const auto add = [&](std::string name, runtime_kind runtime, void (*solve)(Problem&)) {
    variants.push_back({std::move(name), runtime, [&problem, solve] { solve(problem); }});
  };
  add("serial", runtime_kind::serial, solvers.serial);
  add("managed", runtime_kind::tine, solvers.managed);
  add("heartbeat", runtime_kind::tine_heartbeat, solvers.managed);
  add("tuned", runtime_kind::tine_eager, solvers.tuned);
  if (solvers.dac != nullptr) add("dac", runtime_kind::tine, solvers.dac);
  add("tbb", runtime_kind::tbb, solvers.tbb);
  add("openmp", runtime_kind::openmp, solvers.openmp);
  return variants;
}

}  // namespace bench
