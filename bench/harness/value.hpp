// Numbers and texts without a type of their own: what reports hold, and what messages are made of.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bench {

/// A number, a text, or some numbers.
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

/// Values in a text that has {} where they go, as fmt would do it. Throws what fmt throws if the text is not of that form.
std::string format_values(std::string_view text, const std::vector<value>& values);

/// The same, and the reason for it: fmt's header takes longer to compile than most of the files that write a message.
template <class... Values>
std::string format(std::string_view text, const Values&... values) {
  return format_values(text, {value{values}...});
}

}  // namespace bench
