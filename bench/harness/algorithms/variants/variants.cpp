// See program_of_algorithms.hpp.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include <utility>
#include <vector>

namespace bench {
namespace {

/// Returns all variants. (The functions that an executable does not have are null; it lists their variants nevertheless.)
std::vector<variant> variants_of(problem& p) {
  std::vector<variant> all;
  const auto add = [&](std::string name, runtime_kind runtime, void (*solve)(problem&)) {
    all.push_back({.name = std::move(name), .runtime = runtime, .run = [&p, solve] { solve(p); }});
  };
  add("serial", runtime_kind::serial, serial);
  add("managed", runtime_kind::tine, managed);
  add("heartbeat", runtime_kind::tine_heartbeat, managed);
  add("std_par_tine", runtime_kind::tine, std_par_tine);
  add("std_par_tbb", runtime_kind::tbb, std_par_tbb);
  add("tbb", runtime_kind::tbb, tbb);
  add("openmp", runtime_kind::openmp, openmp);
  return all;
}

}  // namespace

program program_of_algorithms(problem& p, std::string name, std::string description,
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
