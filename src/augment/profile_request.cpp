// Reading TINE_PROFILE.
#include "augment/profile_request.hpp"

#include "base/environment_variable.hpp"
#include "trace/analyses.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace tine::detail {
namespace {

/// Returns the flags of the analysis `word` and of the analyses that it needs.
std::uint32_t flags_of(std::string_view word) {
  const trace::analysis_entry* const entry = trace::analysis_named(word);
  if (entry != nullptr) return entry->flag | entry->needs;
  throw std::invalid_argument{"TINE_PROFILE: there is no analysis '" + std::string{word} + "'; write a list of " +
                              trace::words_of_analyses() +
                              ", and after a colon the file, as in work,grain:app.profile"};
}

/// Refuses a check beside other analyses, and a stricter form without its check.
void check_combination(const profile_request& request, std::uint32_t strict) {
  constexpr std::uint32_t always = trace::work_span;
  for (const trace::analysis_entry& entry : trace::analyses) {
    const std::string word{entry.words.front()};
    if ((strict & entry.flag) != 0 && (request.analyses & entry.flag) == 0)
      throw std::invalid_argument{"TINE_PROFILE: '" + std::string{entry.strict} + "' is a form of '" + word +
                                  "'; write " + word + "," + std::string{entry.strict}};
    if (entry.is_check && (request.analyses & entry.flag) != 0 && (request.analyses & ~always) != entry.flag)
      throw std::invalid_argument{"TINE_PROFILE: '" + word +
                                  "' looks for errors and is measured alone; leave the other analyses out"};
    if (entry.is_partial && (request.analyses & entry.flag) != 0 &&
        (request.analyses & ~(entry.flag | entry.needs)) != 0)
      throw std::invalid_argument{"TINE_PROFILE: '" + word + "' observes only some of the forks, so it stands beside " +
                                  "work and span alone; leave the other analyses out"};
  }
}

struct unit {
  std::string_view name;
  double factor;
};
constexpr unit times[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}};
constexpr unit sizes[] = {{"", 1}, {"B", 1}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}};

/// Reads a number with a unit. Returns not-a-number if the text has another form.
template <std::size_t N>
double with_unit(const std::string& text, const unit (&units)[N]) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !(number >= 0)) return std::nan("");
  while (*end == ' ') ++end;
  for (const unit& u : units) {
    if (u.name == end && number * u.factor < 0x1p62) return number * u.factor;
  }
  return std::nan("");
}

/// Returns the number of a signal, 0 for "none", or -1 if the name is not that of a signal that can be handled.
int signal_named(std::string name) {
  if (name == "none") return 0;
  if (name.rfind("SIG", 0) == 0) name.erase(0, 3);
  constexpr std::pair<std::string_view, int> known[] = {
      {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"QUIT", SIGQUIT}, {"WINCH", SIGWINCH}, {"HUP", SIGHUP}};
  for (const auto& [its, number] : known) {
    if (its == name) return number;
  }
  char* end = nullptr;
  const long number = std::strtol(name.c_str(), &end, 10);
  const bool is_one = end != name.c_str() && *end == '\0' && number > 0 && number <= SIGRTMAX;
  const bool is_fixed = number == SIGKILL || number == SIGSTOP || (number >= 32 && number < SIGRTMIN);
  return is_one && !is_fixed ? static_cast<int>(number) : -1;
}

[[noreturn]] void refuse(const std::string& name, const std::string& text, const char* allowed) {
  throw std::invalid_argument{"TINE_PROFILE_" + name + " is '" + text + "', but it must be " + allowed};
}

}  // namespace

void parse_setting(profile_request& into, const std::string& name, const std::string& text) {
  if (name == "SIGNAL") {
    const int number = signal_named(text);
    if (number < 0) refuse(name, text, "USR1, USR2, QUIT, HUP, WINCH, the number of a signal, or none");
    into.snapshot_signal = number;
  } else if (name == "CALLERS") {
    if (text.size() != 1 || text[0] < '0' || text[0] > '8') refuse(name, text, "a number from 0 to 8");
    into.callers = static_cast<unsigned>(text[0] - '0');
  } else if (name == "SAMPLING") {
    if (text != "on" && text != "off") refuse(name, text, "on or off");
    into.samples = text == "on";
  } else if (name == "MAX_SIZE") {
    const double bytes = with_unit(text, sizes);
    if (!(bytes >= static_cast<double>(least_profile_bytes) && bytes <= 0x1p30))
      refuse(name, text, "a size from 64KiB to 1GiB");
    into.max_bytes = static_cast<std::uint64_t>(bytes);
  } else {
    const double nanoseconds = with_unit(text, times);
    const double least = name == "EVERY" ? 1e7 : 0;
    if (!(nanoseconds >= least)) refuse(name, text, name == "EVERY" ? "a time from 10ms" : "a time, as 100us or 1ms");
    std::uint64_t& time = name == "EVERY"         ? into.every
                          : name == "LAST"        ? into.last
                          : name == "LONGER_THAN" ? into.longer_than
                                                  : into.threshold;
    time = static_cast<std::uint64_t>(std::max(1.0, nanoseconds));
  }
}

bool may_sample() noexcept {
  const auto has = [](const char* variable, std::string_view text) {
    const char* const value = base::environment_variable(variable);
    return value != nullptr && std::string_view{value}.find(text) != std::string_view::npos;
  };
  return !has("TINE_PROFILE_SAMPLING", "off") && !has("LD_PRELOAD", "vgpreload");
}

profile_request profile_request_of_environment() {
  const char* const text = base::environment_variable("TINE_PROFILE");
  if (text == nullptr) return {};
  profile_request request = parse_profile_request(text);
  for (const char* name : {"THRESHOLD", "MAX_SIZE", "EVERY", "LAST", "SIGNAL", "CALLERS", "LONGER_THAN", "SAMPLING"}) {
    const char* const value = base::environment_variable((std::string{"TINE_PROFILE_"} + name).c_str());
    if (value != nullptr) parse_setting(request, name, value);
  }
  request.samples = request.samples && may_sample();
  return request;
}

profile_request parse_profile_request(const std::string& text) {
  const std::size_t colon = text.find(':');
  profile_request request{.analyses = trace::work_span,
                          .path = colon != std::string::npos ? text.substr(colon + 1) : ""};
  std::uint32_t strict = 0;
  std::string_view names{text.data(), colon != std::string::npos ? colon : text.size()};
  for (;;) {
    const std::size_t comma = names.find(',');
    const std::string_view word = names.substr(0, comma);
    if (const trace::analysis_entry* const check = trace::check_with_strict(word)) {
      strict |= check->flag;
    } else {
      request.analyses |= flags_of(word);
    }
    if (comma == std::string_view::npos) break;
    names.remove_prefix(comma + 1);
  }
  check_combination(request, strict);
  if ((request.analyses & trace::sampled) != 0) request.threshold = usual_longest_skipped;
  request.is_strict = strict != 0;
  if (request.path.empty()) request.path = "tine-%p.profile";
  return request;
}

}  // namespace tine::detail
