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

/// The functions in which time outside of roots was sampled. `places`: of the profile's samples, or less.
sampled_time sampled_outside(const trace::profile& p, std::vector<place> places);

/// When a root ended.
constexpr std::uint64_t end_of(const trace::root& r) noexcept { return sum(r.begin, r.wall); }

/// The indices of roots, in the order in which they began.
std::vector<std::size_t> by_begin(const std::vector<trace::root>& roots);

/// A chain of roots, each of which began after the one before had ended.
struct root_chain {
  std::uint64_t length = 0;
  std::vector<std::uint64_t> before;  ///< for each root: the length of the heaviest chain that had ended when it began
  std::vector<bool> goes_through;     ///< for each root
};

/// The heaviest one, weighed by `span`.
root_chain heaviest_chain(const std::vector<trace::root>& roots, std::uint64_t trace::totals::* span);

/// The critical path of a profile with nodes. Its length is `span_high` of all roots.
critical_path find_critical_path(const trace::profile& p);

}  // namespace tine::report
