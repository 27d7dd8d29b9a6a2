// Writes a place as text.
#include "report/place.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string_view>
#include <utility>

namespace tine::report {

std::string hexadecimal(std::uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

std::string without_arguments(const std::string& function) {
  constexpr std::string_view of_operator = "operator", unnamed = "(anonymous namespace)";
  const std::string_view text = function;
  std::size_t end = 0;
  while (end < text.size()) {
    const std::string_view rest = text.substr(end);
    if (rest.starts_with(unnamed)) {
      end += unnamed.size();
    } else if (rest.starts_with(of_operator) && (end == 0 || text[end - 1] == ':' || text[end - 1] == ' ')) {
      end += of_operator.size();
      end += text.substr(end).starts_with("()") ? 2 : std::min(text.find_first_not_of("<>=-", end), text.size()) - end;
    } else if (text[end] == '<' || text[end] == '(') {
      break;
    } else {
      ++end;
    }
  }
  return function.substr(0, end);
}

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
