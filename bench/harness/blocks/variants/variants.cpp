// See program_of_phases.hpp.
#include "harness/blocks/variants/program_of_phases.hpp"

#include <utility>
#include <vector>

namespace bench {
namespace {

/// Returns all variants. (The rivals' functions are null in the executable without rivals, which lists them nevertheless.)
std::vector<variant> variants_of(problem& p) {
  std::vector<variant> all;
  const auto add = [&](std::string name, runtime_kind runtime, void (*perform)(problem&, stage)) {
    all.push_back({.name = std::move(name),
                   .runtime = runtime,
                   .run = [&p, perform] { perform(p, stage::solve); },
                   .prepare = [&p, perform] { perform(p, stage::place); }});
  };
  add("serial", runtime_kind::serial, serial);
  add("managed", runtime_kind::tine, managed);
  add("coro", runtime_kind::tine_tasks, coro);
  add("recorded", runtime_kind::tine, recorded);
  add("relaxed", runtime_kind::tine, relaxed);
  add("record-strict", runtime_kind::tine, record_strict);
  add("iterative-relaxed", runtime_kind::tine, iterative_relaxed);
  if constexpr (problem::is_of_grids) add("iterative-finest", runtime_kind::tine, iterative_finest);
  add("coarsened", runtime_kind::tine, coarsened);
  add("user-specified", runtime_kind::tine, user_specified);
  add("openmp-static", runtime_kind::openmp_team, openmp_static);
  add("openmp-tasks", runtime_kind::openmp, openmp_tasks);
  return all;
}

}  // namespace

program program_of_phases(problem& p, std::string name, std::string description,
                          std::function<void(options&)> add_options, std::function<parameters()> params) {
  return {
      .name = std::move(name),
      .description = std::move(description),
      .add_options = std::move(add_options),
      .params = std::move(params),
      .reset = [&p] { p.reset(); },
      .variants = variants_of(p),
      .examine = [&p]() -> finding { return {p.answer(), p.mistake()}; },
  };
}

}  // namespace bench
