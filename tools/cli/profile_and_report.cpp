// Runs a program with a profile, and prints the report.
#include "cli/profile_and_report.hpp"

#include "cli/answer.hpp"
#include "cli/load.hpp"
#include "cli/palette.hpp"
#include "cli/print.hpp"
#include "cli/profiled_run.hpp"
#include "cli/refusal.hpp"
#include "cli/report_text.hpp"
#include "cli/table.hpp"
#include "trace/analyses.hpp"

#include <unistd.h>
#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <optional>
#include <utility>

namespace tine::cli {
namespace {

void list(const std::vector<std::string>& written) {
  print_error(fmt::format("\nprofiles of {} processes:\n", written.size()));
  for (const std::string& path : written) {
    std::string command;
    try {
      command = load(path, symbols::leave).profile.run.command;
    } catch (const std::exception& e) {
      command = e.what();
    }
    print_error(fmt::format("  {}  {}\n", path, shortened(command, 60)));
  }
}

// Loads the profiles of all processes if they are the ranks of a job, else the first one.
loaded load_main(const std::vector<std::string>& written, const report::shown_frames& shown) {
  std::string why_not;
  if (written.size() > 1) {
    if (std::optional<loaded> job = load_job(written, shown, why_not)) return *std::move(job);
  }
  return load(written.front(), symbols::resolve, shown);
}

}  // namespace

std::string usual_analyses() {
  return trace::words_of_analyses(",", [](const trace::analysis_entry& entry) { return entry.is_usual; });
}

int profile_and_report(const reported_run& o, const variables& more) {
  // The path is absolute, because the program may change its directory.
  const std::string asked =
      (std::filesystem::current_path() / (o.output.empty() ? "tine-%p.profile" : o.output)).string();
  const profiled_run run = run_for_profiles(o.command, o.analyses, asked, more);
  if (run.profiles.empty()) throw refusal{why_no_profile(run, o.command.front())};
  const palette paint{STDERR_FILENO};
  std::string answer;
  if (!o.quiet) {
    const loaded l = load_main(run.profiles, o.shown);
    print_error("\n" + report_text(l, columns(STDERR_FILENO), 25, paint));
    answer = answer_text(answer_of(l, run.profiles.front()), paint);
  }
  if (run.profiles.size() == 1) {
    print_error(fmt::format("\nprofile: {}\n", run.profiles.front()));
  } else {
    list(run.profiles);
  }
  if (!answer.empty()) print_error("\n" + answer);
  return run.end.exit_code;
}

}  // namespace tine::cli
