// The variants of a program of parallel loops, which all such programs have.
#pragma once

#include "harness/program.hpp"

#include <string>
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

/// `problem` must outlive the variants.
template <class Problem>
std::vector<variant> loop_variants(Problem& problem, const loop_solvers<Problem>& solvers) {
  const auto by = [&problem](std::string name, runtime_kind runtime, void (*solve)(Problem&)) -> variant {
    return {std::move(name), runtime, [&problem, solve] { solve(problem); }};
  };
  return {by("serial", runtime_kind::serial, solvers.serial),
          by("managed", runtime_kind::tine, solvers.managed),
          by("heartbeat", runtime_kind::tine_heartbeat, solvers.managed),
          by("tuned", runtime_kind::tine_eager, solvers.tuned),
          by("dac", runtime_kind::tine, solvers.dac),
          by("tbb", runtime_kind::tbb, solvers.tbb),
          by("openmp", runtime_kind::openmp, solvers.openmp)};
}

}  // namespace bench
