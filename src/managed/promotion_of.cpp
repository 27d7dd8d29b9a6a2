// Reads the promotion policy of a compiled program. A pure function of the text.
#include "managed/promotion_of.hpp"

#include <charconv>
#include <stdexcept>
#include <string>

namespace tine {
namespace {

[[noreturn]] void refuse(std::string_view text, const char* source) {
  throw std::invalid_argument{
      std::string{source} + " is \"" + std::string{text} +
      "\": give on-demand, heartbeat or eager; behind the first two may stand a period and a number of tokens, as in heartbeat:500us,30"};
}

// Takes a number from the front of `rest`.
template <class Number>
bool take(std::string_view& rest, Number& number) {
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error != std::errc{}) return false;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return true;
}

bool take(std::string_view& rest, std::string_view word) {
  if (!rest.starts_with(word)) return false;
  rest.remove_prefix(word.size());
  return true;
}

}  // namespace

promotion detail::promotion_of(std::string_view text, const char* source) {
  std::string_view rest = text;
  if (rest == "eager") return promotion::eager();
  const bool beats = take(rest, std::string_view{"heartbeat"});
  if (!beats && !take(rest, std::string_view{"on-demand"})) refuse(text, source);
  if (rest.empty()) return beats ? promotion::heartbeat() : promotion::on_demand();
  double period = 0;
  int tokens = 0;
  if (!take(rest, std::string_view{":"}) || !take(rest, period)) refuse(text, source);
  if (take(rest, std::string_view{"ms"})) {
    period *= 1000;
  } else if (!take(rest, std::string_view{"us"})) {
    refuse(text, source);
  }
  if (!take(rest, std::string_view{","}) || !take(rest, tokens) || !rest.empty()) refuse(text, source);
  return beats ? promotion::heartbeat(period, tokens) : promotion::on_demand(period, tokens);
}

}  // namespace tine
