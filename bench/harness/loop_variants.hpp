// The variants that all programs of parallel loops have.
#pragma once

#include "harness/program.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bench {

/// The functions that solve a problem. Each leaves the answer in the problem. `managed` makes two variants: one runs on tine with
/// default options, the other on tine with the policy `heartbeat`.
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

/// Returns the variants. `problem` must outlive them. If `dac` is null, there is no such variant. (The rivals' solvers are null in
/// the executable without rivals, which lists their variants nevertheless.)
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
