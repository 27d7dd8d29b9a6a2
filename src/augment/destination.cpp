// Chooses the file of this process's profile by the variables that a profiled ancestor and `tine profile` have set. It
// uses only the environment and files.
#include "augment/destination.hpp"

#include "base/environment_variable.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

namespace tine::detail {
namespace {

constexpr const char* owner_variable = "TINE_PROFILE_OWNER";
constexpr const char* list_variable = "TINE_PROFILE_LIST";

std::string this_process() { return std::to_string(getpid()); }

bool has_profiled_ancestor() {
  const char* owner = base::environment_variable(owner_variable);
  return owner != nullptr && owner != this_process();
}

/// Returns true if this process is the first one under this `tine profile`.
bool is_first_of_list() noexcept {
  const char* list = base::environment_variable(list_variable);
  if (list == nullptr) return true;
  const int file = open(list, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file != -1) close(file);
  return file != -1;
}

/// Returns true if this process has left a profile there already, as another program.
bool is_listed(const std::string& path) {
  const char* list = base::environment_variable(list_variable);
  if (list == nullptr) return false;
  std::ifstream file{list};
  for (std::string line; std::getline(file, line);) {
    if (line == path) return true;
  }
  return false;
}

/// Returns the path, or if an earlier program of this process has left its profile there, the path with a number.
std::string unlisted(const std::string& path) {
  std::string free = path;
  for (int i = 2; is_listed(free); ++i) free = path + "." + std::to_string(i);
  return free;
}

/// Replaces `%p` in `path` by the number of the process. Returns false if there is no `%p`.
bool insert_number(std::string& path) {
  bool found = false;
  for (std::size_t at = 0; (at = path.find("%p", at)) != std::string::npos; found = true) {
    path.replace(at, 2, this_process());
  }
  return found;
}

/// This process's rank in its MPI job, as the launcher wrote it into the environment; empty without a launcher. (Open
/// MPI, PMIx, and MPICH with the launchers that it shares with other libraries.)
constinit char launched_as[16] = "";

/// Called before MPI is initialised, because that sets the same variables in a process without a launcher.
void read_rank() noexcept {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    const char* const rank = base::environment_variable(name);
    if (rank == nullptr || std::strlen(rank) >= sizeof launched_as) continue;
    std::strcpy(launched_as, rank);
    return;
  }
}

/// Returns the path with `.rankN` before its extension, or at the end if it has none.
std::string with_rank(const std::string& path, const char* rank) {
  const std::size_t name = path.rfind('/') + 1;  // 0 if there is no folder
  const std::size_t dot = path.rfind('.');
  const std::size_t at = dot == std::string::npos || dot <= name ? path.size() : dot;
  return path.substr(0, at) + ".rank" + rank + path.substr(at);
}

}  // namespace

void mark_first_process() noexcept {
  read_rank();
  if (base::environment_variable("TINE_PROFILE") == nullptr || base::environment_variable(owner_variable) != nullptr)
    return;
  char text[24];
  char* at = text + sizeof text;
  *--at = '\0';
  for (pid_t number = getpid(); number != 0; number /= 10) *--at = static_cast<char>('0' + number % 10);
  setenv(owner_variable, at, 1);
}

std::string destination_of(const std::string& asked) {
  std::string path = asked;
  if (insert_number(path)) {
    is_first_of_list();  // `tine profile` reads the list, which must exist
    return unlisted(path);
  }
  if (*launched_as != '\0' && !has_profiled_ancestor()) {
    is_first_of_list();
    return unlisted(with_rank(path, launched_as));
  }
  if (!has_profiled_ancestor() && is_first_of_list()) return path;
  return unlisted(path + "." + this_process());
}

std::string destination_of_fork(const std::string& asked) {
  std::string path = asked;
  return insert_number(path) ? path : path + "." + this_process();
}

void announce(const std::string& path) noexcept {
  const char* list = base::environment_variable(list_variable);
  if (list == nullptr) return;
  const int file = open(list, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file == -1) return;
  try {
    // One call of write, because other processes append to the list, too.
    const std::string line = path + "\n";
    [[maybe_unused]] const ssize_t written = ::write(file, line.data(), line.size());
  } catch (...) {  // out of memory: the profile exists all the same
  }
  close(file);
}

}  // namespace tine::detail
