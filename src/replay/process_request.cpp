// Reads what TINE_RECORD, TINE_REPLAY and TINE_PERTURB ask for, before the program's first root.
#include "replay/process_request.hpp"

#include "base/environment_variable.hpp"

#include <unistd.h>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace tine::detail {
namespace {

std::string variable(const char* name) {
  const char* const text = base::environment_variable(name);
  return text != nullptr ? text : "";
}

template <class N>
bool read_all(std::string_view text, N& number) noexcept {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return !text.empty() && error == std::errc{} && end == text.data() + text.size();
}

/// Replaces each %p by the process id.
std::string with_process_id(std::string path) {
  for (std::size_t at = 0; (at = path.find("%p", at)) != path.npos;) path.replace(at, 2, std::to_string(getpid()));
  return path;
}

/// Reads "N", a stamp of root 0, or "R.N", a stamp of root R.
bool read_stop(std::string_view text, process_request& into) noexcept {
  const std::size_t dot = text.find('.');
  if (dot != text.npos && !read_all(text.substr(0, dot), into.stop_root)) return false;
  return read_all(dot != text.npos ? text.substr(dot + 1) : text, into.stop_before);
}

void read_option(std::string_view word, process_request& into) {
  if (word == "serial") {
    into.how = replay_mode::serial;
  } else if (word == "by_ends") {
    into.how = replay_mode::serial;
    into.by_ends = true;
  } else if (word == "strict") {
    into.how = replay_mode::strict_ordered;
  } else if (word == "unordered") {
    into.how = replay_mode::strict_unordered;
  } else if (word == "relaxed") {
    into.how = replay_mode::relaxed;
  } else if (word == "must_match") {
    into.must_match = true;
  } else if (word == "any_program") {
    into.any_program = true;
  } else if (!word.starts_with("stop=") || !read_stop(word.substr(5), into)) {
    throw std::invalid_argument{
        "TINE_REPLAY: '" + std::string{word} +
        "' is no option; write FILE, and after commas serial, by_ends, strict, unordered or relaxed, must_match, any_program, stop=STAMP or stop=ROOT.STAMP"};
  }
}

void read_replay(const std::string& text, process_request& into) {
  std::size_t comma = text.find(',');
  into.replay = text.substr(0, comma);
  while (comma != text.npos) {
    const std::size_t next = text.find(',', comma + 1);
    read_option(std::string_view{text}.substr(comma + 1, next - comma - 1), into);
    comma = next;
  }
  if (into.replay.empty()) throw std::invalid_argument{"TINE_REPLAY has no file: write FILE, or FILE,serial"};
  if (into.stop_before != schedule::nothing && into.how != replay_mode::serial)
    throw std::invalid_argument{
        "TINE_REPLAY: a replay stops before a strand only if it is serial; write serial,stop=…"};
}

/// Reads "SEED:FILE".
void read_perturb(const std::string& text, process_request& into) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos || !read_all(std::string_view{text}.substr(0, colon), into.seed))
    throw std::invalid_argument{"TINE_PERTURB is '" + text + "', but it must be a number and a file, as 1:a.journal"};
  into.is_perturbed = true;
  into.record = with_process_id(text.substr(colon + 1));
}

constexpr const char* names[] = {"TINE_RECORD", "TINE_REPLAY", "TINE_PERTURB"};

}  // namespace

bool is_anything_requested() noexcept {
  for (const char* name : names) {
    if (base::environment_variable(name) != nullptr) return true;
  }
  return false;
}

process_request request_of_environment() {
  process_request r;
  r.record = with_process_id(variable(names[0]));
  if (const std::string text = variable(names[1]); !text.empty()) read_replay(text, r);
  if (const std::string text = variable(names[2]); !text.empty()) {
    if (!r.record.empty() || !r.replay.empty())
      throw std::invalid_argument{"TINE_PERTURB is set beside TINE_RECORD or TINE_REPLAY: unset one of them"};
    read_perturb(text, r);
  }
  if (const std::string text = variable("TINE_RECORD_MAX_MIB"); !text.empty()) {
    std::uint64_t mib = 0;
    if (!read_all(text, mib) || mib < 1 || mib > 4096)
      throw std::invalid_argument{"TINE_RECORD_MAX_MIB is '" + text + "', but it must be a number from 1 to 4096"};
    r.most_bytes = mib << 20;
  }
  return r;
}

}  // namespace tine::detail
