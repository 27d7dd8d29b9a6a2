// Colours the texts for a terminal. The sequences are those of ECMA-48, section 8.3.117 (SGR).
#include "cli/palette.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>

namespace tine::cli {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The value of --color, which main sets once, before any palette exists.
std::string& chosen() {
  static std::string when = "auto";
  return when;
}

// The sequence for each `emphasis`, in their order.
constexpr std::array<std::string_view, 7> sequences{"", "1", "1;33", "1;31", "31", "32", "33"};

}  // namespace

void choose_colours(std::string_view when) { chosen() = when; }

bool obeys_escapes(int fd) { return isatty(fd) == 1 && variable("TERM") != "dumb"; }

palette::palette(int fd)
    : has_colours_{chosen() == "always" || (chosen() == "auto" && variable("NO_COLOR").empty() && obeys_escapes(fd))} {}

std::string palette::operator()(emphasis why, std::string_view text) const {
  if (!has_colours_ || why == emphasis::none || text.empty()) return std::string{text};
  return "\x1b[" + std::string{sequences[static_cast<std::size_t>(why)]} + "m" + std::string{text} + "\x1b[0m";
}

}  // namespace tine::cli
