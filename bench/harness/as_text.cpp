// See as_text.hpp.
#include "harness/as_text.hpp"

#include "harness/peak_memory.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace bench {
namespace {

struct summary {
  double median = 0;
  double min = 0;
  double max = 0;
};

summary summarise(std::vector<double> xs) {
  if (xs.empty()) return {};
  std::ranges::sort(xs);
  const std::size_t half = xs.size() / 2;
  const double median = xs.size() % 2 == 1 ? xs[half] : (xs[half - 1] + xs[half]) / 2;
  return {median, xs.front(), xs.back()};
}

nlohmann::json as_json(const value& v) {
  return std::visit([](const auto& x) -> nlohmann::json { return x; }, static_cast<const value::variant&>(v));
}

/// Returns the problem's parameters, and the number of passes of a run if it is not 1.
nlohmann::json parameters_of(const program& program, const request& request) {
  nlohmann::json j = nlohmann::json::object();
  for (const auto& [name, v] : program.params()) j[name] = as_json(v);
  if (request.passes != 1) j["passes"] = request.passes;
  return j;
}

}  // namespace

std::string as_json(const program& program, const request& request, const result& result) {
  const summary s = summarise(result.seconds);
  nlohmann::json j{
      {"program", program.name},
      {"params", parameters_of(program, request)},
      {"variant", request.chosen->name},
      {"workers", request.workers},
      {"seconds", result.seconds},
      {"median_s", s.median},
      {"min_s", s.min},
      {"max_s", s.max},
      {"max_rss_kib", peak_memory_kib()},
      {"base_rss_kib", result.base_rss_kib},
      {"answer", as_json(result.answer)},
      {"verified", result.verified()},
      {"compiler", BENCH_COMPILER},
      {"flags", BENCH_FLAGS},
  };
  if (!result.verified()) j["mistake"] = result.mistake;
  if (!result.counts.empty()) j["counters"] = result.counts;
  return j.dump();
}

std::string as_text(const program& program, const request& request, const result& result) {
  const summary s = summarise(result.seconds);
  return format("{} {}, {} on {} worker{}: median {:.4f} s of {} [{:.4f}..{:.4f}], peak {:.1f} MiB, answer {} {}",
                program.name, parameters_of(program, request).dump(), request.chosen->name, request.workers,
                request.workers == 1 ? "" : "s", s.median, result.seconds.size(), s.min, s.max,
                static_cast<double>(peak_memory_kib()) / 1024, as_json(result.answer).dump(),
                result.verified() ? "verified" : "WRONG");
}

}  // namespace bench
