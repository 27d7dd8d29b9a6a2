// tine predict: how fast a program would be on more workers, as a table with a band drawn beside it.
#include "cli/command.hpp"
#include "cli/duration.hpp"
#include "cli/load.hpp"
#include "cli/narrow.hpp"
#include "cli/palette.hpp"
#include "cli/print.hpp"
#include "cli/table.hpp"
#include "cli/worker_numbers.hpp"

#include <unistd.h>
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace tine::cli {
namespace {

struct predict_options {
  std::string file;
  std::string workers = "1..1024";
  std::vector<std::string> of;
  bool json = false;
};

struct predicted_row {
  unsigned workers;
  report::band band;
};

// Draws the band on a logarithmic axis from 1 to `most`: full blocks up to its lower end, grey blocks up to its upper
// end.
std::string drawn(const report::band& b, double most, std::size_t width) {
  const auto position = [&](double speed) {
    const double share = most > 1 ? std::log(std::max(speed, 1.0)) / std::log(most) : 0;
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(width)));
  };
  std::string bar;
  for (std::size_t i = 0; i < position(b.high); ++i) bar += i < position(b.low) ? "█" : "░";
  return bar;
}

std::string as_text(const report::extent& e, const std::vector<predicted_row>& rows, std::size_t width) {
  double most = 1;
  for (const predicted_row& r : rows) most = std::max(most, r.band.high);
  constexpr std::size_t numbers = 44;
  const std::size_t bar = width > numbers + 10 ? width - numbers : 10;
  using enum table::side;
  table t{{{"workers"}, {"speed-up"}, {"time"}, {fmt::format("1 to {}, logarithmic", factor(most)), left, true, 1}}};
  const double work = static_cast<double>(e.work);
  for (const predicted_row& r : rows) {
    t.add({std::to_string(r.workers), range(r.band.low, r.band.high),
           duration(work / r.band.high) + "–" + duration(work / r.band.low), drawn(r.band, most, bar)});
  }
  const auto p = e.parallelism();
  return fmt::format("work {}, parallelism {}, burdened {}\n\n{}\n", duration(work), range(p.low, p.high),
                     factor(e.burdened_parallelism()), t.text(width, palette{STDOUT_FILENO})) +
         "Upper end: min(workers, work / span). Lower end: work / (work / P + 1.7 (1 − 1/P) × burdened span), as Cilkview.\n";
}

std::string as_json(const report::extent& e, const std::vector<predicted_row>& rows) {
  nlohmann::ordered_json out;
  const auto p = e.parallelism();
  out["work_ns"] = e.work;
  out["span_ns"] = {{"low", e.span_low}, {"high", e.span_high}};
  out["burdened_span_ns"] = e.burdened_span;
  out["parallelism"] = {{"low", p.low}, {"high", p.high}};
  out["burdened_parallelism"] = e.burdened_parallelism();
  for (const predicted_row& r : rows) {
    out["speed_up"].push_back({{"workers", r.workers}, {"low", r.band.low}, {"high", r.band.high}});
  }
  return out.dump(2) + "\n";
}

int predict(const predict_options& o) {
  const auto numbers = worker_numbers(o.workers);
  loaded l = load(o.file, symbols_for(o.of, symbols::leave));
  narrow(l, o.of);
  const report::extent& e = is_of_roots(o.of) ? l.summary.roots : l.summary.process;
  std::vector<predicted_row> rows;
  for (const unsigned w : numbers) rows.push_back({w, report::speed_up(e, w)});
  print(o.json ? as_json(e, rows) : as_text(e, rows, columns(STDOUT_FILENO)));
  return success;
}

}  // namespace

command add_predict(CLI::App& tine) {
  auto given = std::make_shared<predict_options>();
  CLI::App* app = tine.add_subcommand("predict", "Predict the speed-up on other numbers of workers, as a band.");
  app->add_option("PROFILE", given->file, "Profile, written by `tine profile` or TINE_PROFILE")
      ->required()
      ->type_name("FILE");
  app->add_option("--workers", given->workers, "Numbers of workers: FROM..TO in doublings, or a list such as 1,6,12")
      ->capture_default_str();
  add_of(*app, given->of, true);
  app->add_flag("--json", given->json, "Print JSON: speed-ups as factors, times in nanoseconds");
  app->footer(
      "No schedule is faster than the upper end of the band: min(workers, work / span). We expect a work-stealing scheduler\n"
      "to be at least as fast as the lower end: Cilkview's estimate (He, Leiserson, Leiserson 2010), where every fork on the\n"
      "critical path is stolen. Memory bandwidth and caches are not in the model.\n\n"
      "Exit codes: 0 success; 2 wrong usage, or the file cannot be read.");
  return {app, [given] { return predict(*given); }};
}

}  // namespace tine::cli
