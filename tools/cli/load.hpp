// Loads a profile with its summary: the first step of every subcommand that reads a profile.
#pragma once

#include "report/job.hpp"
#include "report/resolve_sites.hpp"
#include "report/summary.hpp"
#include "trace/profile.hpp"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tine::cli {

struct loaded {
  report::summary summary;
  std::optional<report::job> job;      ///< if they are of several ranks
  std::string of;                      ///< the part of the run, if `narrow` has taken one
  std::vector<std::string> unmatched;  ///< patterns of --skip that match nothing on the way to a site or sample
  trace::profile profile;
};

/// Selects whether `load` looks up the source of sites, which takes a while.
enum class symbols : bool { leave, resolve };

/// Reads the profile `path` and computes its summary. For `shown` see report::shown_frames. Leaves out the races that a
/// suppression matches, and counts them there. Says which patterns match nothing. Throws the exceptions of the reader.
loaded load(const std::string& path, symbols wanted, const report::shown_frames& shown = {});
loaded load(const std::string& path, symbols wanted, const report::shown_frames& shown,
            std::vector<report::suppression>& suppressed);

/// Reads the profiles of the ranks of one job, and joins them. Findings of checks are left out. Returns nothing if they
/// are no job, and says in `why_not` why they are none. Throws the exceptions of the reader.
std::optional<loaded> load_job(const std::vector<std::string>& paths, const report::shown_frames& shown,
                               std::string& why_not);

/// Adds the options --skip and --wrappers to a subcommand that shows sites.
void add_shown_frames(CLI::App& app, report::shown_frames& shown);

/// Returns a label such as "fib (fib.cpp:12)"; "(no fork)" if `site` is trace::nothing, for strands below no site.
std::string label(const report::summary& s, std::uint32_t site);

}  // namespace tine::cli
