// Values of any type, numbers and texts, for reports and messages.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bench {

/// A number, a text, or a list of numbers.
struct value : std::variant<std::int64_t, std::uint64_t, double, std::string, std::vector<double>> {
  value() = default;
  value(std::signed_integral auto x) : variant{std::int64_t{x}} {}
  value(std::unsigned_integral auto x) : variant{std::uint64_t{x}} {}
  value(double x) : variant{x} {}
  value(std::string_view x) : variant{std::string{x}} {}
  value(const std::string& x) : variant{x} {}
  value(const char* x) : variant{std::string{x}} {}
  value(std::vector<double> x) : variant{std::move(x)} {}
};

/// Returns the text with each {} replaced by a value, as fmt does it. Throws fmt's exception if the text is not of that
/// form.
std::string format_values(std::string_view text, const std::vector<value>& values);

/// Returns the text with each {} replaced by a value. Callers use it instead of fmt, because fmt's header takes longer
/// to compile than most of the files that write a message.
template <class... Values>
std::string format(std::string_view text, const Values&... values) {
  return format_values(text, {value{values}...});
}

}  // namespace bench
