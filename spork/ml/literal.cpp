// The values of constants, and the escapes in strings.
#include "ml/escape.hpp"
#include "ml/lex.hpp"

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>

namespace tine::ml {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

void set_whole(literal& l, std::string_view digits, int base) {
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), l.whole, base);
  l.is_too_large = result.ec == std::errc::result_out_of_range;
  if (l.is_too_large) l.whole = 0;
}

double real_of(std::string_view text) {
  std::string plain{text};
  for (char& c : plain) c = c == '~' ? '-' : c;
  double value = 0;
  const auto result = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (result.ec != std::errc::result_out_of_range) return value;
  // The exponent's sign tells whether the value is too small or too large: digits that outweigh it would not fit into a
  // file's line of a few hundred, so the one case left is a long row of digits without exponent, which is too large.
  const bool is_small =
      plain.find("e-") != std::string::npos || plain.find("E-") != std::string::npos ||
      plain.find_first_not_of("-0.") == std::string::npos ||
      (plain.find_first_of("eE") == std::string::npos && plain.find_first_not_of("-0") >= plain.find('.'));
  const double limit = is_small ? 0.0 : std::numeric_limits<double>::infinity();
  return plain.starts_with('-') ? -limit : limit;
}

// Returns the bytes between the quotes.
std::string bytes_of(std::string_view text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '\\') {
      bytes += text[at++];
      continue;
    }
    const escape e = read_escape(text.substr(at));
    if (e.value >= 0) bytes += static_cast<char>(e.value);
    at += e.length;
  }
  return bytes;
}

// Reads `count` digits behind the two characters of \u, or behind the backslash of \ddd.
escape numbered(std::string_view text, std::size_t from, std::size_t count, int base) {
  int value = 0;
  for (std::size_t i = from; i < from + count; ++i) {
    const int digit = i < text.size() ? hex_value(text[i]) : -1;
    if (digit < 0 || digit >= base) {
      return {i, 0, base == 16 ? "'\\u' takes four hexadecimal digits" : "a number takes three digits, such as \\009"};
    }
    value = value * base + digit;
  }
  if (value > 255)
    return {from + count, 0, "characters are bytes, up to 255; write the character itself, which is UTF-8"};
  return {from + count, value, {}};
}

escape gap(std::string_view text) {
  std::size_t at = 1;
  while (at < text.size() && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) ++at;
  if (at < text.size() && text[at] == '\\') return {at + 1, -1, {}};
  return {at, -1, "the gap that the backslash begins has no end; write another backslash behind the blanks"};
}

}  // namespace

escape read_escape(std::string_view text) {
  constexpr std::string_view letters = "abtnvfr\"\\", values = "\a\b\t\n\v\f\r\"\\";
  if (text.size() < 2) return {1, 0, "the text ends behind the backslash"};
  const char c = text[1];
  if (const std::size_t at = letters.find(c); at != std::string_view::npos) return {2, values[at], {}};
  if (is_digit(c)) return numbered(text, 1, 3, 10);
  if (c == 'u') return numbered(text, 2, 4, 16);
  if (c == ' ' || (c >= '\t' && c <= '\r')) return gap(text);
  if (c == '^') {
    if (text.size() > 2 && text[2] >= '@' && text[2] <= '_') return {3, text[2] - '@', {}};
    return {2, 0, "'\\^' takes a character from @ to _"};
  }
  return {1, 0, "there is no such escape; a backslash itself is written \\\\"};
}

literal literal_of(token_kind kind, std::string_view text) {
  literal l;
  if (kind == token_kind::word) {
    l.is = literal::kind::word;
    text.remove_prefix(2);
    set_whole(l, text.starts_with('x') ? text.substr(1) : text, text.starts_with('x') ? 16 : 10);
  } else if (kind == token_kind::real) {
    l.is = literal::kind::real;
    l.is_negative = text.starts_with('~');
    l.fraction = real_of(text);
  } else if (kind == token_kind::character) {
    l.is = literal::kind::character;
    const std::string bytes = bytes_of(text.substr(2, text.size() - 3));
    if (!bytes.empty()) l.whole = static_cast<unsigned char>(bytes[0]);
  } else if (kind == token_kind::string) {
    l.is = literal::kind::string;
    l.bytes = bytes_of(text.substr(1, text.size() - 2));
  } else {
    l.is_negative = text.starts_with('~');
    if (l.is_negative) text.remove_prefix(1);
    set_whole(l, text.starts_with("0x") ? text.substr(2) : text, text.starts_with("0x") ? 16 : 10);
  }
  return l;
}

}  // namespace tine::ml
