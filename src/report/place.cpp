// Writes a place as text.
#include "report/place.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

namespace tine::report {

std::string hexadecimal(std::uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

std::string without_arguments(const std::string& function) { return function.substr(0, function.find_first_of("<(")); }

std::string place::name() const {
  std::string text = at.function.empty() ? fallback : at.function;
  for (std::size_t i = 0; i < shown_callers; ++i) text += " ← " + callers[i].function;
  return text;
}

std::string place::full_line() const {
  const frame& f = named_frame();
  if (f.file.empty()) return {};
  return f.line == 0 ? f.file : f.file + ":" + std::to_string(f.line);
}

std::string place::short_line() const {
  const std::string full = full_line();
  return full.substr(full.rfind('/') + 1);  // npos + 1 is 0
}

void tell_apart(std::vector<place>& places) {
  constexpr std::size_t most = 4;  // a name has to stay readable
  std::map<std::pair<std::string, std::string>, std::vector<place*>> same;
  for (place& p : places) same[{p.name(), p.full_line()}].push_back(&p);
  for (std::size_t round = 0; round < most; ++round) {
    std::map<std::pair<std::string, std::string>, std::vector<place*>> still;
    for (const auto& [name, group] : same) {
      if (group.size() < 2) continue;
      for (place* p : group) {
        if (p->shown_callers < p->callers.size()) ++p->shown_callers;
        still[{p->name(), p->full_line()}].push_back(p);
      }
    }
    same = std::move(still);
  }
  // If the callers do not distinguish the places, only the first caller is shown.
  for (const auto& [name, group] : same) {
    if (group.size() < 2) continue;
    for (place* p : group) p->shown_callers = std::min<std::size_t>(p->shown_callers, 1);
  }
}

}  // namespace tine::report
