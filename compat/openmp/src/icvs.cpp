// Reads OpenMP's environment variables. A value that isn't one is ignored with a message, as libgomp does.
#include "icvs.hpp"

#include "fail.hpp"
#include "once.hpp"

#include <tine/sched/pool_defaults.hpp>

#include <dlfcn.h>
#include <sched.h>
#include <strings.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>

// A static executable has neither libgomp nor these functions.
#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlclose

namespace tine::openmp {
namespace {

/// In the order of their handles, which start at 1.
constexpr const char* allocators[] = {"omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_const_mem_alloc",
                                      "omp_high_bw_mem_alloc", "omp_low_lat_mem_alloc",   "omp_cgroup_mem_alloc",
                                      "omp_pteam_mem_alloc",   "omp_thread_mem_alloc"};

const char* skip_spaces(const char* at) noexcept {
  while (std::isspace(static_cast<unsigned char>(*at)) != 0) ++at;
  return at;
}

/// Returns the number at `at` and moves `at` behind it and the spaces that follow.
std::optional<unsigned long> number(const char*& at, unsigned long least) noexcept {
  at = skip_spaces(at);
  if (std::isdigit(static_cast<unsigned char>(*at)) == 0) return {};
  char* end = nullptr;
  errno = 0;
  const unsigned long n = std::strtoul(at, &end, 10);
  if (errno != 0 || n < least || n > INT_MAX) return {};
  at = skip_spaces(end);
  return n;
}

void ignore(const char* name, const char* value, const char* allowed) noexcept {
  warn("%s is '%s', but it must be %s: ignored.", name, value, allowed);
}

template <class Take>
void read(const char* name, const char* allowed, Take take) {
  const char* const value = std::getenv(name);
  if (value != nullptr && !take(skip_spaces(value))) ignore(name, value, allowed);
}

template <class T>
void read_number(const char* name, unsigned long least, T& into) {
  read(name, "a whole number in its range", [&](const char* at) {
    const auto n = number(at, least);
    if (!n || *at != '\0') return false;
    into = static_cast<T>(*n);
    return true;
  });
}

bool take_word(const char*& at, const char* word) noexcept {
  const std::size_t length = std::strlen(word);
  if (::strncasecmp(at, word, length) != 0) return false;
  at = skip_spaces(at + length);
  return true;
}

template <class T>
void read_truth(const char* name, T& into) {
  read(name, "true or false", [&](const char* at) {
    if (take_word(at, "true")) {
      into = true;
    } else if (take_word(at, "false")) {
      into = false;
    } else {
      return false;
    }
    return *at == '\0';
  });
}

void read_text(const char* name, std::string& into) {
  if (const char* const value = std::getenv(name)) into = value;
}

bool take_schedule(const char* at, icvs& into) noexcept {
  icvs found = into;
  if (take_word(at, "monotonic")) {
    found.monotonic = true;
    if (*at++ != ':') return false;
  } else if (take_word(at, "nonmonotonic")) {
    if (*at++ != ':') return false;
  }
  at = skip_spaces(at);
  constexpr struct {
    const char* name;
    schedule is;
  } names[] = {{"static", schedule::fixed},
               {"dynamic", schedule::dynamic},
               {"guided", schedule::guided},
               {"auto", schedule::automatic}};
  const auto* const name =
      std::find_if(std::begin(names), std::end(names), [&](const auto& n) { return take_word(at, n.name); });
  if (name == std::end(names)) return false;
  found.run_sched = name->is;
  found.run_chunk = name->is == schedule::fixed ? 0 : 1;
  if (*at == ',') {
    const auto n = number(++at, 0);
    if (!n || name->is == schedule::automatic) return false;
    found.run_chunk = static_cast<int>(*n);
    if (name->is != schedule::fixed) found.run_chunk = std::max(found.run_chunk, 1);
  }
  if (*at != '\0') return false;
  into = found;
  return true;
}

bool take_thread_list(const char* at, std::vector<unsigned>& into) {
  std::vector<unsigned> list;
  for (;;) {
    const auto n = number(at, 1);
    if (!n) return false;
    list.push_back(static_cast<unsigned>(*n));
    if (*at == '\0') break;
    if (*at++ != ',') return false;
  }
  into = list;
  return true;
}

unsigned workers() noexcept {
  try {
    return defaults_of_this_process().workers;
  } catch (const std::exception&) {  // the pool says what is wrong when it starts
    return 1;
  }
}

/// If the environment asks for places, libgomp, which the program loads as well, has bound the initial thread to the
/// first of them before main. The pool gets the processors of all places.
void undo_binding() noexcept {
  void* const libgomp = &::dlopen == nullptr ? nullptr : ::dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (libgomp == nullptr) return;
  const auto places = reinterpret_cast<int (*)()>(::dlsym(libgomp, "omp_get_num_places"));
  const auto size_of = reinterpret_cast<int (*)(int)>(::dlsym(libgomp, "omp_get_place_num_procs"));
  const auto list = reinterpret_cast<void (*)(int, int*)>(::dlsym(libgomp, "omp_get_place_proc_ids"));
  cpu_set_t all;
  CPU_ZERO(&all);
  const int n = places == nullptr || size_of == nullptr || list == nullptr ? 0 : places();
  for (int place = 0; place < n; ++place) {
    std::vector<int> numbers(static_cast<std::size_t>(size_of(place)));
    list(place, numbers.data());
    for (const int i : numbers) CPU_SET(static_cast<unsigned>(i), &all);
  }
  if (CPU_COUNT(&all) != 0) ::sched_setaffinity(::getpid(), sizeof all, &all);  // the number of the initial thread
  ::dlclose(libgomp);
}

process_icvs read_environment() {
  undo_binding();
  process_icvs p;
  cpu_set_t mask;
  p.processors = ::sched_getaffinity(0, sizeof mask, &mask) == 0 ? static_cast<unsigned>(CPU_COUNT(&mask)) : 1;
  read("OMP_NUM_THREADS", "a list of positive numbers",
       [&](const char* at) { return take_thread_list(at, p.thread_list); });
  p.is_recorded = std::getenv("TINE_RECORD") != nullptr || std::getenv("TINE_REPLAY") != nullptr;
  p.workers = workers();
  p.first.threads = p.thread_list.empty() ? p.workers : p.thread_list.front();
  const bool is_nested = p.thread_list.size() > 1 || (std::getenv("OMP_PROC_BIND") != nullptr &&
                                                      std::strchr(std::getenv("OMP_PROC_BIND"), ',') != nullptr);
  if (is_nested) p.first.max_active_levels = supported_active_levels;
  bool nested = false;
  if (std::getenv("OMP_NESTED") != nullptr) {
    read_truth("OMP_NESTED", nested);
    p.first.max_active_levels = nested ? supported_active_levels : 1;
  }
  read_number("OMP_MAX_ACTIVE_LEVELS", 0, p.first.max_active_levels);
  p.first.max_active_levels = std::min(p.first.max_active_levels, supported_active_levels);
  read("OMP_SCHEDULE", "[monotonic:|nonmonotonic:]static|dynamic|guided|auto[,chunk]",
       [&](const char* at) { return take_schedule(at, p.first); });
  read("TINE_OMP_THREADS", "strands or native", [&](const char* at) {
    p.threads_are = take_word(at, "native")    ? thread_kind::native
                    : take_word(at, "strands") ? thread_kind::strands
                                               : p.threads_are;
    return *at == '\0' && p.threads_are != thread_kind::as_needed;
  });
  read_truth("OMP_DYNAMIC", p.first.dynamic);
  read_number("OMP_THREAD_LIMIT", 1, p.first.thread_limit);
  read_number("OMP_DEFAULT_DEVICE", 0, p.first.default_device);
  read_truth("OMP_CANCELLATION", p.cancellation);
  read_number("OMP_MAX_TASK_PRIORITY", 0, p.max_task_priority);
  read_number("OMP_NUM_TEAMS", 1, p.num_teams);
  read_number("OMP_TEAMS_THREAD_LIMIT", 1, p.teams_thread_limit);
  read_truth("OMP_DISPLAY_AFFINITY", p.display_affinity);
  read_text("OMP_STACKSIZE", p.stack_size);
  read_text("OMP_WAIT_POLICY", p.wait_policy);
  read_text("OMP_PROC_BIND", p.proc_bind);
  read_text("OMP_PLACES", p.places);
  read_text("OMP_AFFINITY_FORMAT", p.affinity_format);
  read_text("OMP_TARGET_OFFLOAD", p.target_offload);
  read("OMP_ALLOCATOR", "the name of a predefined allocator", [&](const char* at) {
    const auto* const found = std::find_if(std::begin(allocators), std::end(allocators),
                                           [&](const char* a) { return ::strcasecmp(at, a) == 0; });
    if (found == std::end(allocators)) return false;
    p.first.allocator = static_cast<std::uintptr_t>(found - std::begin(allocators)) + 1;
    return true;
  });
  return p;
}

}  // namespace

process_icvs& process() {
  static std::atomic<process_icvs*> made{nullptr};  // never destroyed: other threads may run when the program ends
  return once(made, [] { return new process_icvs{read_environment()}; });
}

void display_environment(bool verbose) {
  const process_icvs& p = process();
  const auto truth = [](bool b) { return b ? "TRUE" : "FALSE"; };
  constexpr const char* names[] = {"", "STATIC", "DYNAMIC", "GUIDED", "AUTO"};
  std::string list = std::to_string(p.first.threads);
  for (std::size_t i = 1; i < p.thread_list.size(); ++i) list += ',' + std::to_string(p.thread_list[i]);
  std::string text = "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201511'\n";
  const auto add = [&](const char* name, const std::string& value) {
    text += std::string{"  "} + name + " = '" + value + "'\n";
  };
  add("OMP_DYNAMIC", truth(p.first.dynamic));
  add("OMP_NESTED", truth(p.first.max_active_levels > 1));
  add("OMP_NUM_THREADS", list);
  const int chunk = p.first.run_chunk;
  const bool is_default_chunk = chunk == (p.first.run_sched == schedule::fixed ? 0 : 1);
  add("OMP_SCHEDULE", std::string{p.first.monotonic ? "MONOTONIC:" : ""} + names[static_cast<int>(p.first.run_sched)] +
                          (is_default_chunk ? "" : ',' + std::to_string(chunk)));
  add("OMP_PROC_BIND", p.proc_bind);
  add("OMP_PLACES", p.places);
  add("OMP_STACKSIZE", p.stack_size);
  add("OMP_WAIT_POLICY", p.wait_policy);
  add("OMP_THREAD_LIMIT", std::to_string(p.first.thread_limit));
  add("OMP_MAX_ACTIVE_LEVELS", std::to_string(p.first.max_active_levels));
  add("OMP_NUM_TEAMS", std::to_string(p.num_teams));
  add("OMP_TEAMS_THREAD_LIMIT", std::to_string(p.teams_thread_limit));
  add("OMP_CANCELLATION", truth(p.cancellation));
  add("OMP_DEFAULT_DEVICE", std::to_string(p.first.default_device));
  add("OMP_MAX_TASK_PRIORITY", std::to_string(p.max_task_priority));
  add("OMP_DISPLAY_AFFINITY", truth(p.display_affinity));
  add("OMP_AFFINITY_FORMAT", p.affinity_format);
  add("OMP_ALLOCATOR", allocators[p.first.allocator - 1]);
  add("OMP_TARGET_OFFLOAD", p.target_offload);
  if (verbose) add("TINE_NUM_THREADS", std::to_string(p.workers));
  text += "OPENMP DISPLAY ENVIRONMENT END\n";
  std::fputs(text.c_str(), stderr);
}

namespace {

[[gnu::constructor]] void display_if_asked() {
  process();
  const char* const value = std::getenv("OMP_DISPLAY_ENV");
  if (value == nullptr) return;
  const char* at = skip_spaces(value);
  if (take_word(at, "true") || *at == '1') {
    display_environment(false);
  } else if (take_word(at, "verbose")) {
    display_environment(true);
  } else if (!take_word(at, "false") && *at != '0') {
    ignore("OMP_DISPLAY_ENV", value, "true, false or verbose");
  }
}

}  // namespace
}  // namespace tine::openmp
