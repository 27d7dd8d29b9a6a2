// The parts of a report that only a job of several ranks has.
#pragma once

#include "cli/palette.hpp"
#include "report/job.hpp"

#include <cstddef>
#include <string>

namespace tine::cli {

/// Returns the table of the ranks, their timelines, and a line about ranks without a profile, in lines of at most
/// `width` columns.
std::string job_text(const report::job& j, std::size_t width, const palette& paint);

/// Returns the timeline of a rank in `columns` columns of the same time: · where the rank is outside of roots, a block
/// as high as the share of the time with work in roots, and blanks before the process began and after its profile.
std::string timeline(const report::rank_view& v, std::uint64_t wall, std::size_t columns);

}  // namespace tine::cli
