// The passes over a profile that `summarise` puts together. Inner header of report.
#pragma once

#include "report/summary.hpp"
#include "trace/profile.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace tine::report {

/// Returns the sum, or the largest number if the sum is too large: profiles may come from any source.
constexpr std::uint64_t sum(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t both = 0;
  return __builtin_add_overflow(a, b, &both) ? std::numeric_limits<std::uint64_t>::max() : both;
}

constexpr double ratio(std::uint64_t part, std::uint64_t whole) noexcept {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// Returns a row for each site, in the profile's order, without the figures that need the roots or the dag.
std::vector<site_row> rows_of_sites(const trace::profile& p);

/// Returns the functions in which time outside of roots was sampled. `places` are those of the profile's samples; some
/// may be missing.
sampled_time sampled_outside(const trace::profile& p, std::vector<place> places);

/// Returns the time at which a root ended.
constexpr std::uint64_t end_of(const trace::root& r) noexcept { return sum(r.begin, r.wall); }

/// Returns the indices of the roots, in the order in which the roots began.
std::vector<std::size_t> by_begin(const std::vector<trace::root>& roots);

/// A chain of roots, in which each root began after the previous root had ended.
struct root_chain {
  std::uint64_t length = 0;
  std::vector<std::uint64_t> before;  ///< for each root: the length of the heaviest chain that had ended when it began
  std::vector<bool> goes_through;     ///< for each root: true if it is in the chain
};

/// Returns the heaviest chain, weighted by `span`.
root_chain heaviest_chain(const std::vector<trace::root>& roots, std::uint64_t trace::totals::* span);

/// Returns the critical path of a profile with nodes. Its length is `span_high` of all roots.
critical_path find_critical_path(const trace::profile& p);

}  // namespace tine::report
