// Shows what a phase would be alone: its work and span, with its serial time between calls into pools.
#include "cli/phase_text.hpp"

#include "cli/duration.hpp"
#include "cli/table.hpp"
#include "report/part.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>

namespace tine::cli {
namespace {

constexpr std::uint32_t most_shown = 20;

void add_row(table& t, const loaded& l, std::uint32_t phase) {
  const std::string name = report::name_of_phase(l.profile, phase), opened = count(l.profile.phases[phase].count);
  const auto ns = [](std::uint64_t n) { return duration(static_cast<double>(n)); };
  try {
    const report::summary s = report::summarise(report::in_phase(l.profile, name));
    const double share = static_cast<double>(s.process.work) / static_cast<double>(l.summary.process.work);
    t.add({name, opened, ns(s.process.work), percent(share), ns(s.process.span_high), ns(s.outside),
           factor(s.process.parallelism().low)});
  } catch (const std::runtime_error&) {  // the profile lacks what is needed for it
    t.add({name, opened, "–", "–", "–", "–", "–"});
  }
}

}  // namespace

std::string phase_text(const loaded& l, std::size_t width, const palette& paint) {
  using enum table::side;
  table t{{{"phase", left, true},
           {"opened", right, false, 1},
           {"work"},
           {"share", right, false, 2},
           {"span"},
           {"outside of roots", right, false, 3},
           {"parallelism"}}};
  for (std::uint32_t i = 0; i < l.profile.phases.size() && t.rows() < most_shown; ++i) {
    if (l.profile.phases[i].count != 0) add_row(t, l, i);
  }
  return t.empty() ? "" : t.text(width, paint) + "\n";
}

}  // namespace tine::cli
