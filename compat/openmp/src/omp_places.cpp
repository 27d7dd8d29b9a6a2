// Places and affinity. A pool pins its workers itself, and a member of a team may be on any of them, so there are no
// places to choose from: the program sees an empty list. Any thread may call these functions.
#include "icvs.hpp"
#include "task.hpp"
#include "team.hpp"

#include <sched.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#pragma GCC visibility push(default)

using namespace tine::openmp;

extern "C" {
int omp_get_team_num();
int omp_get_num_teams();
}

namespace {

std::string processors() {
  cpu_set_t mask;
  std::string text;
  if (::sched_getaffinity(0, sizeof mask, &mask) != 0) return text;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &mask)) continue;
    int last = i;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &mask)) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(i) + (last == i ? "" : '-' + std::to_string(last));
    i = last;
  }
  return text;
}

std::string field(char name) {
  const task& t = current();
  switch (name) {
    case 't':
      return std::to_string(omp_get_team_num());
    case 'T':
      return std::to_string(omp_get_num_teams());
    case 'L':
      return std::to_string(t.team->level);
    case 'n':
      return std::to_string(t.number);
    case 'N':
      return std::to_string(t.team->size);
    case 'a':
      return std::to_string(ancestor_at(t, static_cast<int>(t.team->level) - 1).number);
    case 'P':
      return std::to_string(::getpid());
    case 'i':
      return std::to_string(::gettid());
    case 'A':
      return processors();
    case 'H': {
      char machine[256] = "";
      ::gethostname(machine, sizeof machine - 1);
      return machine;
    }
    default:
      return "undefined";
  }
}

char short_name(const std::string& name) {
  constexpr struct {
    const char* name;
    char letter;
  } names[] = {{"team_num", 't'},
               {"num_teams", 'T'},
               {"nesting_level", 'L'},
               {"thread_num", 'n'},
               {"num_threads", 'N'},
               {"ancestor_tnum", 'a'},
               {"ho"
                "st",
                'H'},
               {"process_id", 'P'},
               {"native_thread_id", 'i'},
               {"thread_affinity", 'A'}};
  const auto* const found =
      std::find_if(std::begin(names), std::end(names), [&](const auto& n) { return name == n.name; });
  return found == std::end(names) ? '?' : found->letter;
}

/// Fills in a format: `%[0][.][width]letter`, or `{name}` in place of the letter; `.` aligns to the right.
std::string filled(const char* format) {
  if (format == nullptr || *format == '\0') format = process().affinity_format.c_str();
  if (*format == '\0') format = "level %L thread %i affinity %A";
  std::string text;
  for (const char* at = format; *at != '\0'; ++at) {
    if (*at != '%' || at[1] == '\0') {
      text += *at;
      continue;
    }
    if (*++at == '%') {
      text += '%';
      continue;
    }
    const bool zeros = *at == '0', right = at[zeros ? 1 : 0] == '.';
    at += (zeros ? 1 : 0) + (right ? 1 : 0);
    std::size_t width = 0;
    while (*at >= '0' && *at <= '9')
      width = std::min<std::size_t>(width * 10 + static_cast<std::size_t>(*at++ - '0'), 512);
    char letter = *at;
    if (letter == '{') {
      const char* const end = std::strchr(at, '}');
      if (end == nullptr) break;
      letter = short_name({at + 1, end});
      at = end;
    }
    if (letter == '\0') break;
    std::string value = field(letter);
    if (value.size() < width) value.insert(right ? 0 : value.size(), width - value.size(), zeros && right ? '0' : ' ');
    text += value;
  }
  return text;
}

std::size_t copy(const std::string& from, char* to, std::size_t size) {
  if (to != nullptr && size != 0) {
    const std::size_t n = std::min(from.size(), size - 1);
    std::memcpy(to, from.data(), n);
    to[n] = '\0';
  }
  return from.size();
}

/// Fortran's strings have a length, and blanks at the end.
std::string from_fortran(const char* text, std::size_t length) {
  while (length != 0 && text[length - 1] == ' ') --length;
  return {text, length};
}
std::size_t to_fortran(const std::string& from, char* to, std::size_t size) {
  std::fill_n(std::copy_n(from.data(), std::min(from.size(), size), to), size - std::min(from.size(), size), ' ');
  return from.size();
}

}  // namespace

extern "C" {

int omp_get_proc_bind() { return 0; }
int omp_get_num_places() { return 0; }
int omp_get_place_num_procs(int) { return 0; }
void omp_get_place_proc_ids(int, int*) {}
int omp_get_place_num() { return -1; }
int omp_get_partition_num_places() { return 0; }
void omp_get_partition_place_nums(int*) {}

void omp_set_affinity_format(const char* format) { process().affinity_format = format; }
std::size_t omp_get_affinity_format(char* buffer, std::size_t size) {
  return copy(process().affinity_format, buffer, size);
}
void omp_display_affinity(const char* format) { std::fprintf(stderr, "%s\n", filled(format).c_str()); }
std::size_t omp_capture_affinity(char* buffer, std::size_t size, const char* format) {
  return copy(filled(format), buffer, size);
}

void omp_set_affinity_format_(const char* format, std::size_t length) {
  process().affinity_format = from_fortran(format, length);
}
int omp_get_affinity_format_(char* buffer, std::size_t size) {
  return static_cast<int>(to_fortran(process().affinity_format, buffer, size));
}
void omp_display_affinity_(const char* format, std::size_t length) {
  omp_display_affinity(from_fortran(format, length).c_str());
}
int omp_capture_affinity_(char* buffer, const char* format, std::size_t size, std::size_t length) {
  return static_cast<int>(to_fortran(filled(from_fortran(format, length).c_str()), buffer, size));
}

}  // extern "C"

#pragma GCC visibility pop
