// The report as one HTML page that needs no other file: for `tine report PROFILE --html FILE`. The page itself is in
// tools/report/page/; description.hpp and src/trace/description.hpp describe the data that the page reads.
#pragma once

#include "report/job.hpp"
#include "report/summary.hpp"
#include "trace/profile.hpp"

#include <filesystem>
#include <string>

namespace tine::report {

/// Returns the page as text in UTF-8, whatever bytes the profile's names consist of. `ranks` is null, or the job whose
/// profiles `p` joins.
std::string page(const trace::profile& p, const summary& s, const job* ranks = nullptr);

/// Writes the page to `file`. Returns the problem, with the file and the system's reason; an empty string if there is
/// none.
std::string write_page(const trace::profile& p, const summary& s, const std::filesystem::path& file,
                       const job* ranks = nullptr);

}  // namespace tine::report
