// Prints names and constants.
#include "ml/print.hpp"

#include "base/utf8.hpp"
#include "ml/printer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tine::ml {
namespace {

constexpr std::size_t most_indented = 30;  // deeper lines begin in the same column

std::string real_text(double value) {
  if (std::isinf(value)) return value < 0 ? "~1E999" : "1E999";
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  std::string text;
  for (const char* c = digits; c != end.ptr; ++c) {
    if (*c != '+') text += *c == '-' ? '~' : *c == 'e' ? 'E' : *c;
  }
  return text.find_first_of(".E") == std::string::npos ? text + ".0" : text;
}

}  // namespace

std::string print(const syntax_tree& of) { return printer{}.print(of); }

std::string printer::print(const syntax_tree& t) {
  declarations(t.declarations);
  if (!out_.empty()) out_ += '\n';
  return std::move(out_);
}

void printer::new_line() {
  out_ += '\n';
  out_.append(2 * std::min(indent_, most_indented), ' ');
}

void printer::name(const long_name& n) {
  for (const std::string& part : n.path) {
    add(part);
    add(".");
  }
  add(n.last);
}

void printer::alone(std::string_view name) {
  if (fixities_.find(name)) add("op ");
  add(name);
}

void printer::variables(const std::vector<std::string>& names) {
  if (names.empty()) return;
  if (names.size() > 1) add("(");
  list(names, ", ", [&](const std::string& n) { add(n); });
  add(names.size() > 1 ? ") " : " ");
}

void printer::constant(const literal& l) {
  if (l.is == literal::kind::string) {
    add("\"");
    characters(l.bytes);
    return add("\"");
  }
  if (l.is == literal::kind::character) {
    add("#\"");
    const char c = static_cast<char>(l.whole);
    characters({&c, 1});
    return add("\"");
  }
  if (l.is == literal::kind::real) return add(real_text(l.fraction));
  char digits[32];
  const bool is_word = l.is == literal::kind::word;
  const auto end = std::to_chars(digits, digits + sizeof digits, l.whole, is_word ? 16 : 10);
  if (is_word) {
    add("0wx");
  } else if (l.is_negative) {
    add("~");
  }
  if (l.is_too_large) return add(is_word ? "10000000000000000" : "18446744073709551616");
  add({digits, end.ptr});
}

void printer::characters(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t length = base::utf8_length(bytes);
    if (length == 0 || base::is_utf8_control(bytes)) {
      const auto code = static_cast<unsigned char>(bytes[0]);
      if (code == '\n') {
        add("\\n");
      } else if (code == '\t') {
        add("\\t");
      } else {
        add(std::string{'\\', static_cast<char>('0' + code / 100), static_cast<char>('0' + code / 10 % 10),
                        static_cast<char>('0' + code % 10)});
      }
      bytes.remove_prefix(1);
      continue;
    }
    if (bytes[0] == '"' || bytes[0] == '\\') out_ += '\\';
    out_ += bytes.substr(0, length);
    bytes.remove_prefix(length);
  }
}

}  // namespace tine::ml
