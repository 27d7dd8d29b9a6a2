// Reading TINE_PROFILE.
#include "augment/asked.hpp"

#include "trace/profile.hpp"

#include <unistd.h>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace tine::detail {
namespace {

constexpr std::pair<std::string_view, std::uint32_t> analyses[] = {
    {"work", trace::work_span}, {"span", trace::work_span}, {"grain", trace::grain},
    {"space", trace::space},    {"trace", trace::dag},
};

std::uint32_t analysis_named(std::string_view name) {
  for (const auto& [known, bit] : analyses) {
    if (known == name) return bit;
  }
  throw std::invalid_argument{"TINE_PROFILE: there is no analysis '" + std::string{name} +
                              "'; write a list of work, span, grain, space, trace, and after a colon the file, as in "
                              "work,grain:app.profile"};
}

}  // namespace

asked_profile parse_asked(const std::string& text) {
  const std::size_t colon = text.find(':');
  asked_profile asked{trace::work_span, colon != std::string::npos ? text.substr(colon + 1) : ""};
  std::string_view names{text.data(), colon != std::string::npos ? colon : text.size()};
  for (;;) {
    const std::size_t comma = names.find(',');
    asked.analyses |= analysis_named(names.substr(0, comma));
    if (comma == std::string_view::npos) break;
    names.remove_prefix(comma + 1);
  }
  // who holds the bytes, and where a node is, is known by path
  if ((asked.analyses & (trace::space | trace::dag)) != 0) asked.analyses |= trace::grain;
  if (asked.path.empty()) asked.path = "tine-" + std::to_string(getpid()) + ".profile";
  return asked;
}

}  // namespace tine::detail
