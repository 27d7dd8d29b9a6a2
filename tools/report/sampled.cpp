// Sums up the samples outside of roots by function.
#include "report/root_chain.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace tine::report {
namespace {

std::string problem_of(const trace::run& r) {
  switch (r.sampled) {
    case trace::sampling::replaced:
      return "the program handles the signal by which it is sampled, or no real-time signal was free";
    case trace::sampling::blocked:
      return "the program blocked the signal by which it is sampled for a part of the time";
    case trace::sampling::refused:
      return "the system refused a timer of a thread's processor time";
    case trace::sampling::no_registers:
      return "the portable fallback of tine does not know where a thread was interrupted";
    case trace::sampling::none:
    case trace::sampling::on:
      break;
  }
  return {};
}

/// Returns a key that all places of a function have in common: without symbols, the file.
std::string function_of(const place& p) {
  return p.at.function.empty() ? p.fallback.substr(0, p.fallback.find("+0x")) : p.name() + "\n" + p.at.file;
}

std::string label_of(const place& p) {
  if (p.at.function.empty()) return function_of(p);
  const std::string line = p.short_line();
  return line.empty() ? p.name() : p.name() + " (" + line + ")";
}

std::uint64_t times(std::uint64_t count, std::uint64_t period) noexcept {
  std::uint64_t all = 0;
  return __builtin_mul_overflow(count, period, &all) ? std::numeric_limits<std::uint64_t>::max() : all;
}

}  // namespace

sampled_time sampled_outside(const trace::profile& p, std::vector<place> places) {
  sampled_time s{.is_known = p.run.sampled == trace::sampling::on || p.run.samples != 0,
                 .problem = problem_of(p.run),
                 .all = times(p.run.samples, p.run.sample_period),
                 .unlocated = times(p.run.unlocated, p.run.sample_period),
                 .functions = {}};
  places.resize(p.samples.size());
  // Samples are sorted by descending count, so the first place of a function has most of them, if tine's writer wrote
  // the file.
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < places.size(); ++i) {
    place& where = places[i];
    if (where.fallback.empty()) where.fallback = hexadecimal(p.samples[i].address);
    const auto [at, is_new] = known.try_emplace(function_of(where), s.functions.size());
    if (is_new) s.functions.push_back({.where = where, .label = label_of(where)});
    std::uint64_t& time = s.functions[at->second].time;
    time = sum(time, times(p.samples[i].count, p.run.sample_period));
  }
  for (sampled_function& f : s.functions) f.share = ratio(f.time, s.all);
  std::ranges::sort(s.functions,
                    [](const auto& a, const auto& b) { return std::tie(b.time, a.label) < std::tie(a.time, b.label); });
  return s;
}

}  // namespace tine::report
