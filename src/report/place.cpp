// How a place is written.
#include "report/place.hpp"

#include <cstdio>

namespace tine::report {

std::string hexadecimal(std::uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

std::string place::name() const { return at.function.empty() ? fallback : at.function; }

std::string place::full_line() const {
  if (at.file.empty()) return {};
  return at.line == 0 ? at.file : at.file + ":" + std::to_string(at.line);
}

std::string place::short_line() const {
  const std::string full = full_line();
  return full.substr(full.rfind('/') + 1);  // npos + 1 is 0
}

}  // namespace tine::report
