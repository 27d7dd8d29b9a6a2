// The report as one HTML page that needs nothing else: for `tine report PROFILE --html FILE`. The page itself is in
// src/report/page/; what it is given is said in src/report/page/data.ts.
#pragma once

#include "report/summary.hpp"
#include "trace/profile.hpp"

#include <filesystem>
#include <string>

namespace tine::report {

/// The page as text: UTF-8, whatever bytes the profile's names are made of.
std::string page(const trace::profile& p, const summary& s);

/// Writes the page to `file`. Returns what went wrong, with the file and the system's reason; an empty string if nothing did.
std::string write_page(const trace::profile& p, const summary& s, const std::filesystem::path& file);

}  // namespace tine::report
