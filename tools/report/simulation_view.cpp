// Simulates the speed-up for the page.
#include "report/simulation_view.hpp"

#include "simulate/machine.hpp"
#include "simulate/program.hpp"
#include "simulate/stealing.hpp"

#include <algorithm>
#include <stdexcept>

namespace tine::report {
namespace {

constexpr unsigned most_simulated = 1024;
constexpr std::uint64_t most_steps = 3'000'000;  // for each number of workers

}  // namespace

std::optional<simulation_view> view_of_simulation(const trace::profile& p, const simulate::costs& what,
                                                  bool is_calibrated) {
  if (p.nodes.empty()) return {};
  simulation_view view;
  view.is_calibrated = is_calibrated;
  try {
    const simulate::program program = simulate::program_of(p);
    const double outside = static_cast<double>(program.outside), work = static_cast<double>(program.work);
    const double span = static_cast<double>(program.span);
    if (program.work == 0) return {};
    simulate::stealing_options o;
    o.what = what;
    o.most_steps = most_steps;
    for (unsigned w = 1; w <= most_simulated; w *= 2) {
      const simulate::outcome run = simulate::stealing(program, simulate::machine{w}, o);
      const double time = static_cast<double>(run.time());
      view.workers.push_back(w);
      view.speed_up.push_back((work + outside) / time);
      view.low.push_back((work + outside) / (work / w + span + outside));
      view.high.push_back((work + outside) / (std::max(work / w, span) + outside));
      view.utilisation.push_back(work / (time * w));
    }
  } catch (const std::length_error&) {
    return {};
  } catch (const simulate::too_many_steps&) {  // the numbers before are shown
  }
  if (view.workers.empty()) return {};
  return view;
}

}  // namespace tine::report
