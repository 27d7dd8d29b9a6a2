// The passes over a profile that `summarise` puts together. Inner header of report.
#pragma once

#include "report/summary.hpp"
#include "trace/profile.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace tine::report {

/// The sum, or the largest number if that is too large: profiles come from anywhere.
constexpr std::uint64_t sum(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t both = 0;
  return __builtin_add_overflow(a, b, &both) ? std::numeric_limits<std::uint64_t>::max() : both;
}

constexpr double ratio(std::uint64_t part, std::uint64_t whole) noexcept {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// A row for each site, in the profile's order; without what needs the roots or the dag.
std::vector<site_row> rows_of_sites(const trace::profile& p);

/// The critical path of a profile with nodes.
critical_path find_critical_path(const trace::profile& p);

}  // namespace tine::report
