// Runs a program with a profile, and collects what its processes wrote.
#include "cli/profiled_run.hpp"

#include "cli/program_file.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

namespace tine::cli {
namespace {

namespace fs = std::filesystem;

// Identifies the file at a path by its inode number: a new profile is written under another name and renamed, so its
// number differs.
std::optional<std::pair<ino_t, dev_t>> file_at(const std::string& path) {
  struct stat there{};
  if (stat(path.c_str(), &there) != 0) return {};
  return std::pair{there.st_ino, there.st_dev};
}

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> all;
  std::ifstream in{path};
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

std::string with_number(std::string path, pid_t pid) {
  for (std::size_t at = 0; (at = path.find("%p", at)) != std::string::npos;) path.replace(at, 2, std::to_string(pid));
  return path;
}

// Moves the main profile to the front.
void put_main_first(std::vector<std::string>& written, const std::string& asked, const std::string& expected) {
  for (const std::string& wanted : {asked, expected}) {
    const auto at = std::ranges::find(written, wanted);
    if (at == written.end()) continue;
    std::rotate(written.begin(), at, at + 1);
    return;
  }
}

bool preloads_openmp() {
  const char* const preloaded = std::getenv("LD_PRELOAD");
  return preloaded != nullptr && std::strstr(preloaded, "libtine_omp.so") != nullptr;
}

bool needs_openmp(const std::string& program) {
  const std::string path = program_file(program);
  return mentions(path, "libgomp.so") || mentions(path, "libomp.so") || mentions(path, "libiomp5.so");
}

}  // namespace

temporary_folder::temporary_folder() {
  std::string name = (fs::temp_directory_path() / "tine-profiles-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::system_error{errno, std::generic_category(), "cannot make " + name};
  path_ = name;
}

temporary_folder::~temporary_folder() {
  std::error_code unknown;
  fs::remove_all(path_, unknown);
}

profiled_run run_for_profiles(const std::vector<std::string>& command, const std::string& analyses,
                              const std::string& asked, variables more, program_output output,
                              std::uint64_t time_limit) {
  // Each process that writes a profile appends its name to the list; the first process creates the list.
  const temporary_folder folder;
  const std::string list = folder / "list";
  more["TINE_PROFILE_LIST"] = list;
  const auto before = file_at(asked);
  profiled_run run;
  run.end = run_profiled(command, analyses, asked, more, output, time_limit);
  run.profiles = lines_of(list);
  run.expected = with_number(asked, run.end.pid);
  const auto after = file_at(run.expected);
  if (run.profiles.empty() && after && after != before)
    run.profiles.push_back(run.expected);  // another version of tine wrote it
  put_main_first(run.profiles, asked, run.expected);
  return run;
}

std::string why_no_profile(const profiled_run& run, const std::string& program) {
  std::string text = fmt::format("{} {}, and wrote no profile to {}. ", program, run.end.said, run.expected);
  if (run.end.exit_code > 128) {
    return text +
           "A profile is written when a program ends by itself, by an uncaught exception, by abort(), or by SIGTERM, SIGINT or SIGHUP, and after it has called into tine.";
  }
  if (!preloads_openmp() && needs_openmp(program))
    return fmt::format("{}It uses OpenMP: put `tine omp --` in front of {}, so that it runs on tine.", text, program);
  const char* const why = preloads_openmp()
                              ? "it has called no function of OpenMP"
                              : "it does not use tine, or it is linked with tine::runtime, which has no profiler";
  return fmt::format("{}Either {}, or it ended by _exit() or quick_exit(), or became another program.", text, why);
}

}  // namespace tine::cli
