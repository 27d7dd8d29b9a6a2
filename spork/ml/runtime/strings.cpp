// Strings: comparison, copies, and the texts of numbers and characters.
#include "ml/runtime/ml.h"
#include "ml/runtime/string.hpp"

#include <locale.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

using tine::ml::string_of;
using tine::ml::text_of;

namespace {

/// Appends a character as it is written in a string constant of SML.
void append_escaped(std::string& to, unsigned char c) {
  constexpr std::string_view letters = "abtnvfr";  // of the characters from 7 to 13
  if (c == '"' || c == '\\') {
    to += {'\\', static_cast<char>(c)};
  } else if (c >= 7 && c <= 13) {
    to += {'\\', letters[c - 7U]};
  } else if (c < 32) {
    to += {'\\', '^', static_cast<char>(c + 64)};
  } else if (c < 127) {
    to += static_cast<char>(c);
  } else {
    to +=
        {'\\', static_cast<char>('0' + c / 100), static_cast<char>('0' + c / 10 % 10), static_cast<char>('0' + c % 10)};
  }
}

/// Returns true if the number has a text without digits, and appends it.
bool append_special(std::string& to, double x) {
  if (std::isnan(x)) {
    to += "nan";
    return true;
  }
  if (std::signbit(x)) to += '~';
  if (!std::isinf(x)) return false;
  to += "inf";
  return true;
}

/// The digits of x >= 0, rounded to `count` of them, or as few as tell it from all other reals if `count` is 0:
/// 0.d₁d₂… · 10^exponent.
struct decimal {
  decimal(double x, int count) {
    std::string text(static_cast<std::size_t>(count) + 40, '\0');
    const auto end =
        count == 0 ? std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::scientific)
                   : std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::scientific, count - 1);
    const std::string_view all{text.data(), static_cast<std::size_t>(end.ptr - text.data())};
    const std::size_t e = all.find('e');
    std::from_chars(all.data() + e + (all[e + 1] == '+' ? 2 : 1), all.data() + all.size(), exponent);
    exponent += x == 0 ? 0 : 1;
    digits = all[0];
    if (e > 2) digits += all.substr(2, e - 2);
  }
  void drop_zeros() { digits.erase(std::max<std::size_t>(digits.find_last_not_of('0') + 1, 1)); }

  std::string digits;
  int exponent = 0;
};

std::string power_of_ten(int n) { return (n < 0 ? "E~" : "E") + std::to_string(std::abs(n)); }

/// SCI: one digit, then `places` behind the point.
std::string in_scientific(double x, int places) {
  const decimal d{x, places + 1};
  return d.digits.substr(0, 1) + (places > 0 ? "." + d.digits.substr(1) : "") +
         power_of_ten(x == 0 ? 0 : d.exponent - 1);
}

/// FIX.
std::string in_fixed(double x, int places) {
  std::string text(static_cast<std::size_t>(places) + 320, '\0');  // the largest number has 309 digits
  const auto end = std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::fixed, places);
  return {text.data(), end.ptr};
}

/// GEN: at most `most` digits, in scientific form if the number is small, or has more digits before its point.
std::string in_general(double x, int most) {
  decimal d{x, most};
  d.drop_zeros();
  const auto count = static_cast<int>(d.digits.size());
  if (x == 0) return "0.0";
  if (d.exponent < -3 || d.exponent > most)
    return d.digits.substr(0, 1) + (count > 1 ? "." + d.digits.substr(1) : "") + power_of_ten(d.exponent - 1);
  if (d.exponent <= 0) return "0." + std::string(static_cast<std::size_t>(-d.exponent), '0') + d.digits;
  const auto whole = static_cast<std::size_t>(d.exponent);
  if (count <= d.exponent) return d.digits + std::string(whole - d.digits.size(), '0') + ".0";
  return d.digits.substr(0, whole) + "." + d.digits.substr(whole);
}

/// EXACT: the digits behind the point, as few as tell the number from all others.
std::string in_exact(double x) {
  decimal d{x, 0};
  d.drop_zeros();
  return "0." + d.digits + (d.exponent == 0 ? "" : power_of_ten(d.exponent));
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Reads a text from its start.
class scanner {
 public:
  explicit scanner(std::string_view text) noexcept : rest_{text} {}

  void skip_blanks() noexcept {
    const std::size_t first = rest_.find_first_not_of(" \t\n\v\f\r");
    rest_.remove_prefix(std::min(first, rest_.size()));
  }
  /// Skips a sign; returns true if it is that of negative numbers.
  bool skip_sign() noexcept {
    if (rest_.empty() || (rest_[0] != '+' && rest_[0] != '-' && rest_[0] != '~')) return false;
    const bool negative = rest_[0] != '+';
    rest_.remove_prefix(1);
    return negative;
  }
  /// Skips a word, in upper or lower case.
  bool skip_word(std::string_view word) noexcept {
    const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b; };
    if (rest_.size() < word.size() ||
        !std::equal(word.begin(), word.end(), rest_.begin(), [&](char b, char a) { return same(a, b); }))
      return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  /// Takes digits to `to`; returns how many.
  std::size_t take_digits(std::string& to) {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_digit);
    const auto n = static_cast<std::size_t>(end - rest_.begin());
    to += rest_.substr(0, n);
    rest_.remove_prefix(n);
    return n;
  }
  bool starts_with_digit_after(std::size_t n) const noexcept { return rest_.size() > n && is_digit(rest_[n]); }
  char next() const noexcept { return rest_.empty() ? '\0' : rest_[0]; }
  void skip() noexcept { rest_.remove_prefix(1); }
  std::string_view rest() const noexcept { return rest_; }

 private:
  std::string_view rest_;
};

/// Takes the digits of a number in SML's syntax as C writes them. Returns an empty string if there is no number.
std::string take_number(scanner& from) {
  std::string number;
  const std::size_t whole = from.take_digits(number);
  if (from.next() == '.' && from.starts_with_digit_after(1)) {
    number += whole == 0 ? "0." : ".";
    from.skip();
    from.take_digits(number);
  } else if (whole == 0) {
    return {};
  }
  if (from.next() != 'e' && from.next() != 'E') return number;
  scanner exponent = from;
  exponent.skip();
  std::string digits = exponent.skip_sign() ? "e-" : "e+";
  return exponent.take_digits(digits) == 0 ? number : number + digits;
}

/// Reads a number as C writes it, whatever the program's locale.
double read(const std::string& number) noexcept {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(number.c_str(), nullptr, plain);
}

}  // namespace

extern "C" {

int64_t tine_ml_compare_strings(const void* a, const void* b) {
  const int order = text_of(a).compare(text_of(b));
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

void tine_ml_copy_bytes(void* to, int64_t to_offset, const void* from, int64_t from_offset, int64_t n) {
  if (n > 0)
    std::memmove(tine::ml::bytes_of_string(to) + to_offset, text_of(from).data() + from_offset,
                 static_cast<std::size_t>(n));
}

void* tine_ml_int_to_string(int64_t i) {
  std::string text = std::to_string(i);
  if (i < 0) text[0] = '~';
  return string_of(text);
}

void* tine_ml_word_to_string(int64_t w) {
  std::array<char, 16> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), static_cast<std::uint64_t>(w), 16);
  std::transform(text.data(), end.ptr, text.data(), [](char c) { return c >= 'a' ? static_cast<char>(c - 32) : c; });
  return string_of({text.data(), static_cast<std::size_t>(end.ptr - text.data())});
}

void* tine_ml_char_to_string(int64_t c) {
  std::string text;
  append_escaped(text, static_cast<unsigned char>(c));
  return string_of(text);
}

void* tine_ml_string_to_string(const void* s) {
  std::string text;
  for (const char c : text_of(s)) append_escaped(text, static_cast<unsigned char>(c));
  return string_of(text);
}

void* tine_ml_real_to_text(int64_t form, int64_t digits, double x) {
  constexpr std::int64_t most = 10'000;
  const int n = static_cast<int>(std::clamp<std::int64_t>(digits, form == TINE_ML_GEN ? 1 : 0, most));
  std::string text;
  if (append_special(text, x)) return string_of(text);
  x = std::fabs(x);
  return string_of(text + (form == TINE_ML_SCI   ? in_scientific(x, n)
                           : form == TINE_ML_FIX ? in_fixed(x, n)
                           : form == TINE_ML_GEN ? in_general(x, n)
                                                 : in_exact(x)));
}

int64_t tine_ml_real_of_string(const void* s, double* value) {
  scanner from{text_of(s)};
  from.skip_blanks();
  const bool negative = from.skip_sign();
  double x = 0;
  if (from.skip_word("inf")) {
    x = HUGE_VAL;
  } else if (from.skip_word("nan")) {
    x = std::nan("");
  } else {
    const std::string number = take_number(from);
    if (number.empty()) return 0;
    x = read(number);
  }
  *value = negative ? -x : x;
  return 1;
}

}  // extern "C"
