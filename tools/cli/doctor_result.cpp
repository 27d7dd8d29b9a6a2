// The results of `tine doctor`, counted and described.
#include "cli/doctor_result.hpp"

#include "cli/command.hpp"
#include "cli/printable.hpp"
#include "trace/read_profile.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace tine::cli {
namespace {

void make_printable(std::string& text) { text = printable(std::move(text)); }

void make_printable(report::place& where) {
  make_printable(where.fallback), make_printable(where.at.function), make_printable(where.at.file);
  for (std::vector<report::frame>* frames : {&where.chain, &where.callers}) {
    for (report::frame& f : *frames) make_printable(f.function), make_printable(f.file);
  }
}

}  // namespace

std::uint64_t doctor_result::findings() const {
  std::uint64_t all = 0;
  for (const doctor_process& each : processes) all += each.findings.size();
  return all;
}

bool doctor_result::is_judged() const { return std::ranges::any_of(processes, &doctor_process::is_judged); }

int doctor_result::exit_code() const {
  if (findings() != 0) return limit_exceeded;
  const bool all_read = std::ranges::all_of(processes, [](const auto& each) { return each.problem.empty(); });
  return is_judged() && all_read ? program_code : usage_error;
}

doctor_process read_doctor_process(const std::string& path) {
  doctor_process process{.path = path, .problem = {}, .profile = {}, .findings = {}};
  try {
    process.profile = trace::read_profile(path);
    make_printable(process.profile.run.command);
    report::lock_sources sources = report::resolve_locks(process.profile);
    for (report::place& where : sources.stacks) make_printable(where);
    for (auto& [address, where] : sources.steps) make_printable(where);
    for (auto& [address, global] : sources.data) make_printable(global.name);
    process.findings = report::find_lock_problems(process.profile, sources);
  } catch (const std::exception& e) {
    process.problem = printable(e.what());
  }
  return process;
}

}  // namespace tine::cli
