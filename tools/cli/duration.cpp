// Numbers as people read them: three digits and a unit.
#include "cli/duration.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <span>
#include <string_view>
#include <utility>

namespace tine::cli {
namespace {

using unit = std::pair<double, std::string_view>;

constexpr std::array<unit, 5> times{{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}, {3600e9, "h"}}};
constexpr std::array<unit, 5> sizes{{{1, "B"}, {0x1p10, "KiB"}, {0x1p20, "MiB"}, {0x1p30, "GiB"}, {0x1p40, "TiB"}}};
constexpr std::array<unit, 5> counts{{{1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}}};

// Formats with three digits, in the largest unit that the number reaches. Small whole numbers stay whole.
std::string scaled(double number, std::span<const unit> units) {
  const double size = std::abs(number);
  const unit* best = &units.front();
  for (const unit& u : units) {
    if (size >= u.first * 0.9995) best = &u;  // 999.6 would be shown as 1000
  }
  const double value = number / best->first;
  const bool is_whole = best == &units.front() && value == std::floor(value);
  const int digits = is_whole || std::abs(value) >= 99.95 ? 0 : std::abs(value) >= 9.995 ? 1 : 2;
  return best->second.empty() ? fmt::format("{:.{}f}", value, digits)
                              : fmt::format("{:.{}f} {}", value, digits, best->second);
}

// Splits the text into a number and the text behind it, without the spaces in between.
std::optional<std::pair<double, std::string>> number_and_unit(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(number) || number < 0) return {};
  std::string rest{end};
  rest.erase(0, rest.find_first_not_of(' '));
  return std::pair{number, rest};
}

std::optional<double> parse(const std::string& text, std::span<const unit> units) {
  const auto parsed = number_and_unit(text);
  if (!parsed) return {};
  for (const auto& [size, name] : units) {
    if (parsed->second == name) return parsed->first * size;
  }
  return {};
}

}  // namespace

std::string duration(double nanoseconds) { return scaled(nanoseconds, times); }
std::string bytes(double number) { return scaled(number, sizes); }
std::string rough(double number) { return scaled(number, counts); }
std::string factor(double number) {
  return fmt::format("{:.{}f}", number, number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2);
}
std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }
std::string percent(const std::optional<double>& share) { return share ? percent(*share) : "–"; }

std::string count(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string plural(std::uint64_t number, const std::string& one) {
  return count(number) + " " + one + (number == 1 ? "" : "s");
}

std::string range(double low, double high) {
  const std::string from = factor(low), to = factor(high);
  return from == to ? from : from + "–" + to;
}

std::optional<double> parse_duration(const std::string& text) {
  constexpr std::array<unit, 7> names{
      {{1, "ns"}, {1e3, "us"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}, {60e9, "min"}, {3600e9, "h"}}};
  return parse(text, names);
}

std::optional<double> parse_share(const std::string& text) {
  constexpr std::array<unit, 2> names{{{1, ""}, {0.01, "%"}}};
  const auto share = parse(text, names);
  return share && *share <= 1 ? share : std::nullopt;
}

std::optional<double> parse_bytes(const std::string& text) {
  constexpr std::array<unit, 9> names{{{1, ""},
                                       {1, "B"},
                                       {0x1p10, "KiB"},
                                       {0x1p20, "MiB"},
                                       {0x1p30, "GiB"},
                                       {0x1p40, "TiB"},
                                       {1e3, "kB"},
                                       {1e6, "MB"},
                                       {1e9, "GB"}}};
  return parse(text, names);
}

}  // namespace tine::cli
