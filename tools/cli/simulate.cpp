// tine simulate: the time of a program on other numbers of workers and other machines, by running its graph on a model
// of the scheduler.
#include "cli/calibration.hpp"
#include "cli/command.hpp"
#include "cli/duration.hpp"
#include "cli/load.hpp"
#include "cli/narrow.hpp"
#include "cli/palette.hpp"
#include "cli/print.hpp"
#include "cli/table.hpp"
#include "cli/worker_numbers.hpp"
#include "simulate/greedy.hpp"
#include "simulate/machine.hpp"
#include "simulate/program.hpp"
#include "simulate/stealing.hpp"

#include <unistd.h>
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tine::cli {
namespace {

struct simulate_options {
  std::string file;
  std::string workers = "1..1024";
  std::string topology;
  std::vector<std::string> of;
  std::string resume = "same_thread";
  std::vector<std::string> costs;
  std::string transfer;
  std::size_t last = 0;
  std::uint64_t seed = 1;
  bool greedy = false;
  bool json = false;
};

/// Returns true if times on so many workers are projections: simulated times were compared with measured ones on up to
/// two workers.
constexpr bool is_projected(unsigned workers) { return workers > 2; }

double nanoseconds_in(std::string_view text, const std::string& option) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= 0 && value <= 1e9))
    throw refusal{fmt::format("{}: '{}' is not a number of nanoseconds from 0 to 1e9", option, text)};
  return value;
}

void set_cost(known_costs& c, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string cost = text.substr(0, equals);
  const auto found = std::ranges::find(simulate::named_costs, cost, &simulate::named_cost::name);
  if (equals == std::string::npos || found == std::end(simulate::named_costs)) {
    std::vector<std::string_view> names;
    for (const simulate::named_cost& each : simulate::named_costs) names.push_back(each.name);
    throw refusal{
        fmt::format("--cost: '{}' sets no cost; write NAME=NANOSECONDS, with one of {}", text, fmt::join(names, ", "))};
  }
  c.what.*found->value = nanoseconds_in(std::string_view{text}.substr(equals + 1), "--cost");
  std::erase(c.usual, found->name);
}

known_costs costs_in(const simulate_options& o) {
  known_costs c = read_costs();
  for (const std::string& text : o.costs) set_cost(c, text);
  for (std::size_t at = 0; at <= o.transfer.size() && !o.transfer.empty();) {
    const std::size_t comma = std::min(o.transfer.find(',', at), o.transfer.size());
    c.what.transfer.push_back(nanoseconds_in(std::string_view{o.transfer}.substr(at, comma - at), "--transfer"));
    at = comma + 1;
  }
  return c;
}

simulate::stealing_options model_in(const simulate_options& o, const known_costs& c) {
  simulate::stealing_options model{
      .what = c.what, .resume = simulate::resumes::same_thread, .seed = o.seed, .on_stretch = {}};
  if (o.resume == "origin") model.resume = simulate::resumes::origin;
  if (o.resume == "finisher") model.resume = simulate::resumes::finisher;
  return model;
}

struct simulated_row {
  unsigned workers;
  simulate::outcome result;
  double time, low, high;  // simulated, and the bounds of greedy schedules
};

std::vector<simulated_row> rows_of(const simulate::program& p, const std::vector<unsigned>& workers,
                                   const simulate_options& o, const known_costs& c) {
  const simulate::stealing_options model = model_in(o, c);
  const double outside = is_of_roots(o.of) ? 0 : static_cast<double>(p.outside);
  const double work = static_cast<double>(p.work), span = static_cast<double>(p.span);
  std::vector<simulated_row> all;
  for (const unsigned w : workers) {
    if (w > simulate::most_workers)
      throw refusal{fmt::format("--workers: {} are more than the {} that can be simulated", w, simulate::most_workers)};
    simulated_row r{w, {}, 0, std::max(work / w, span) + outside, work / w + span + outside};
    try {
      r.result = o.greedy ? simulate::greedy(p, w) : simulate::stealing(p, simulate::machine{w, o.topology}, model);
    } catch (const std::invalid_argument& e) {
      throw refusal{fmt::format("--topology: {}", e.what())};
    } catch (const simulate::too_many_steps& e) {
      throw refusal{fmt::format("{} workers: {}; choose fewer roots by --last", w, e.what())};
    }
    r.time = static_cast<double>(r.result.in_roots) + outside;
    all.push_back(r);
  }
  return all;
}

double speed_up(const simulated_row& r, double serial) { return r.time > 0 ? serial / r.time : 1; }
double utilisation(const simulated_row& r) {
  return r.time > 0 ? static_cast<double>(r.result.work) / (r.time * r.workers) : 0;
}

std::string about_costs(const known_costs& c) {
  if (c.usual.empty()) return "";
  return fmt::format("not calibrated on this machine, so usual values are taken: {}. `tine calibrate` measures them.\n",
                     fmt::join(c.usual, ", "));
}

std::string as_text(const simulate::program& p, const std::vector<simulated_row>& rows, double serial,
                    const simulate_options& o, const known_costs& c, const std::string& doubt) {
  using enum table::side;
  table t{{{"workers", left},
           {"time"},
           {"speed-up"},
           {"utilisation", right, false, 1},
           {"greedy: from", right, false, 3},
           {"to", right, false, 3},
           {"steals", right, false, 2}}};
  for (const simulated_row& r : rows) {
    t.add({fmt::format("{}{}", r.workers, is_projected(r.workers) ? ", projected" : ""), duration(r.time),
           factor(speed_up(r, serial)), percent(utilisation(r)), duration(r.low), duration(r.high),
           count(r.result.steals)});
  }
  std::string text =
      fmt::format("work {}, span {}", duration(static_cast<double>(p.work)), duration(static_cast<double>(p.span)));
  if (!is_of_roots(o.of)) text += fmt::format(", outside of roots {}", duration(static_cast<double>(p.outside)));
  if (p.profiling > 0) text += fmt::format("; {} that profiling had added are taken out", duration(p.profiling));
  text += fmt::format("\n\n{}\n", t.text(columns(STDOUT_FILENO), palette{STDOUT_FILENO}));
  text += "Greedy schedules take from max(work / P, span) to work / P + span.\n";
  if (o.greedy) return text + "These are times of a greedy schedule without costs.\n";
  if (!doubt.empty()) text += fmt::format("rough: {}\n", doubt);
  return text + about_costs(c);
}

using json = nlohmann::ordered_json;

std::string as_json(const simulate::program& p, const std::vector<simulated_row>& rows, double serial,
                    const simulate_options& o, const known_costs& c, const std::string& doubt) {
  json out = {{"work_ns", p.work},           {"span_ns", p.span},    {"outside_ns", p.outside},
              {"profiling_ns", p.profiling}, {"strands", p.strands}, {"topology", o.topology},
              {"greedy", o.greedy}};
  if (!o.greedy) {
    for (const simulate::named_cost& each : simulate::named_costs)
      out["costs_ns"][std::string{each.name}] = c.what.*each.value;
    out["usual_costs"] = c.usual;
    if (!doubt.empty()) out["doubt"] = doubt;
  }
  out["rows"] = json::array();
  for (const simulated_row& r : rows) {
    const simulate::outcome& s = r.result;
    out["rows"].push_back({{"workers", r.workers},
                           {"projected", is_projected(r.workers)},
                           {"time_ns", r.time},
                           {"speed_up", speed_up(r, serial)},
                           {"utilisation", utilisation(r)},
                           {"greedy_ns", {{"low", r.low}, {"high", r.high}}},
                           {"overhead_ns", s.overhead},
                           {"idle_ns", s.idle},
                           {"promotions", s.promotions},
                           {"steals", s.steals},
                           {"reclaimed", s.reclaimed},
                           {"suspensions", s.suspensions},
                           {"sleeps", s.sleeps},
                           {"wakes", s.wakes},
                           {"signals", s.signals}});
  }
  return out.dump(2) + "\n";
}

int run_simulate(const simulate_options& o) {
  const std::vector<unsigned> workers = worker_numbers(o.workers);
  const known_costs costs = costs_in(o);
  loaded l = load(o.file, symbols_for(o.of, symbols::leave));
  narrow(l, o.of);
  if (l.profile.nodes.empty())
    throw refusal{"this profile has no trace; profile the program with `tine profile` or TINE_PROFILE=trace"};
  const simulate::program p = o.last > 0 ? simulate::program_of(l.profile, o.last) : simulate::program_of(l.profile);
  const std::vector<simulated_row> rows = rows_of(p, workers, o, costs);
  const double serial = static_cast<double>(p.work) + (is_of_roots(o.of) ? 0 : static_cast<double>(p.outside));
  const std::string& doubt = l.summary.costs.doubt;
  print(o.json ? as_json(p, rows, serial, o, costs, doubt) : as_text(p, rows, serial, o, costs, doubt));
  return success;
}

void add_model(CLI::App& app, simulate_options& o) {
  app.add_option("--topology", o.topology,
                 "Machine in hwloc's notation, e.g. \"node:2 core:32\"; it is repeated for more workers. "
                 "Without this option all workers are close to each other")
      ->type_name("TEXT");
  app.add_option("--cost", o.costs,
                 "Cost of a step of the scheduler in nanoseconds, e.g. steal=600, instead of the calibrated one")
      ->type_name("NAME=NS")
      ->allow_extra_args(false);
  app.add_option(
         "--transfer", o.transfer,
         "Time in nanoseconds that moving data adds to a steal, by the distance of the workers: 0,2000 for none within a node")
      ->type_name("NS,NS");
  app.add_option("--resume", o.resume, "Resume policy of the pool")
      ->check(CLI::IsMember({"same_thread", "origin", "finisher"}))
      ->capture_default_str();
  app.add_option("--seed", o.seed, "Seed for the choice of victims")->capture_default_str();
  app.add_flag("--greedy", o.greedy, "Simulate a greedy schedule without costs instead of the scheduler");
}

}  // namespace

command add_simulate(CLI::App& tine) {
  auto given = std::make_shared<simulate_options>();
  CLI::App* app = tine.add_subcommand("simulate", "Simulate a program on other numbers of workers and other machines.");
  app->add_option("PROFILE", given->file, "Profile with a trace, written by `tine profile` or TINE_PROFILE=trace")
      ->required()
      ->type_name("FILE");
  app->add_option("--workers", given->workers, "Numbers of workers: FROM..TO in doublings, or a list such as 1,6,12")
      ->capture_default_str();
  add_of(*app, given->of, true);
  app->add_option("--last", given->last, "Simulate only the last N roots, and the time between them")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000000));
  add_model(*app, *given);
  app->add_flag("--json", given->json, "Print JSON: times in nanoseconds");
  app->footer(
      "Runs the program's graph on a model of the scheduler: promotion when a worker is idle, tokens, work requests, steals\n"
      "by distance, sleep and wake-ups, and joins that continue on their thread. The costs are those that `tine calibrate`\n"
      "measured. Times on more than two workers are projections. Memory bandwidth is not in the model.\n\n"
      "Exit codes: 0 success; 2 wrong usage, or the file cannot be read or has no trace.");
  return {app, [given] { return run_simulate(*given); }};
}

}  // namespace tine::cli
