// The output of `tine schedule show` as JSON, for programs.
#include "cli/schedule/paths.hpp"
#include "cli/schedule/schedule_text.hpp"
#include "cli/schedule/timeline.hpp"

#include <nlohmann/json.hpp>

#include <vector>

namespace tine::cli {
namespace {

using nlohmann::ordered_json;

// Returns for each strand the strands that led to it, by their stamps.
std::vector<ordered_json> sources(const timeline& when) {
  std::vector<ordered_json> from(when.strands().size(), ordered_json::array());
  for (const timeline::arrow& a : when.arrows()) from[a.to].push_back(when.strands()[a.from].run.stamp);
  return from;
}

ordered_json strands(const schedule& s) {
  const timeline when{s};
  const paths where{s};
  std::vector<ordered_json> from = sources(when);
  ordered_json all = ordered_json::array();
  for (std::size_t i = 0; i < when.strands().size(); ++i) {
    const timeline::strand& strand = when.strands()[i];
    const schedule::segment& r = strand.run;
    all.push_back({{"stamp", r.stamp},
                   {"worker", r.owner},
                   {"what", describe(where, strand)},
                   {"begin_ns", r.begin_ns},
                   {"end_ns", r.end_ns},
                   {"from", std::move(from[i])}});
  }
  return all;
}

}  // namespace

std::string schedule_json(const schedule& s) {
  ordered_json workers = ordered_json::array();
  for (const worker_row& r : worker_rows(s)) {
    workers.push_back({{"worker", r.worker}, {"strands", r.strands}, {"busy_ns", r.busy_ns}, {"idle_ns", r.idle_ns}});
  }
  const ordered_json all{{"pool_workers", s.workers()},    {"steals", s.steals()},
                         {"joins", joins_of(s)},           {"size_bytes", s.size_bytes()},
                         {"duration_ns", s.duration_ns()}, {"workers", std::move(workers)},
                         {"strands", strands(s)}};
  return all.dump(1) + "\n";
}

}  // namespace tine::cli
