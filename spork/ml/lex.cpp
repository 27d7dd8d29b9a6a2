// The lexer of Standard ML (Definition, §2).
#include "ml/lex.hpp"

#include "base/utf8.hpp"
#include "ml/escape.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace tine::ml {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool continues_name(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '\''; }
bool is_symbolic(char c) {
  return c != '\0' && std::string_view{"!%&$#+-/:<=>?@\\~`^|*"}.find(c) != std::string_view::npos;
}
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

class lexer {
 public:
  lexer(const source& of, diagnostics& wrong) : text_{of.text()}, file_{of.number()}, wrong_{wrong} {}

  lexed run() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark, which some editors write
    if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF")) {
      wrong_.error(between(0, 2), "the file begins as UTF-16; save it as UTF-8");
      result_.is_cut = true;
      at_ = text_.size();
    }
    while (skip_blank()) {
      if (wrong_.is_full()) {
        result_.is_cut = true;
        break;
      }
      next();
    }
    const auto end = static_cast<std::uint32_t>(text_.size());
    result_.tokens.push_back({token_kind::end_of_file, end, end});
    return std::move(result_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  span from(std::size_t begin) const { return between(begin, at_); }
  span between(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  void add(token_kind kind, std::size_t begin) {
    result_.tokens.push_back({kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)});
  }
  void take(token_kind kind, std::size_t length) {
    at_ += length;
    add(kind, at_ - length);
  }
  // Moves on while `continues` holds.
  void pass(bool (*continues)(char)) {
    while (at_ < text_.size() && continues(text_[at_])) ++at_;
  }

  // Returns false at the end of the text.
  bool skip_blank() {
    while (at_ < text_.size()) {
      if (is_blank(peek())) {
        ++at_;
      } else if (peek() == '(' && peek(1) == '*') {
        skip_comment();
      } else {
        return true;
      }
    }
    return false;
  }

  void skip_comment() {
    const std::size_t begin = at_;
    std::size_t depth = 0;
    do {
      if (at_ >= text_.size()) {
        wrong_.error(between(begin, begin + 2), "the comment has no end; write '*)' where it ends");
        result_.is_cut = true;
        return;
      }
      if (peek() == '(' && peek(1) == '*') {
        ++depth, at_ += 2;
      } else if (peek() == '*' && peek(1) == ')') {
        --depth, at_ += 2;
      } else {
        skip_character("a comment");
      }
    } while (depth != 0);
  }

  // Passes a character of a comment or a string. One report for a run of bytes that are no UTF-8.
  void skip_character(std::string_view in) {
    const std::size_t length = base::utf8_length(text_.substr(at_));
    if (length != 0) {
      at_ += length;
      return;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && base::utf8_length(text_.substr(at_)) == 0) ++at_;
    wrong_.error(from(begin), "byte " + std::to_string(static_cast<unsigned char>(text_[begin])) + " in " +
                                  std::string{in} + " is not part of a UTF-8 character; save the file as UTF-8" +
                                  (in == "a string" ? ", or write the byte as \\ddd" : ""));
  }

  void next() {
    const char c = peek();
    if (is_letter(c)) return name();
    if (is_digit(c) || (c == '~' && is_digit(peek(1)))) return number();
    if (c == '"') return string(token_kind::string, 1);
    if (c == '#' && peek(1) == '"') return string(token_kind::character, 2);
    if (is_symbolic(c)) return symbol();
    if (c == '\'') {
      const std::size_t begin = at_;
      pass(continues_name);
      return add(token_kind::type_variable, begin);
    }
    if (c == '.' && peek(1) == '.' && peek(2) == '.') return take(token_kind::dots, 3);
    if (std::string_view{"()[]{},;_"}.find(c) != std::string_view::npos && c != '\0') {
      return take(reserved(text_.substr(at_, 1)), 1);
    }
    stray();
  }

  void symbol() {
    const std::size_t begin = at_;
    pass(is_symbolic);
    const token_kind kind = reserved(text_.substr(begin, at_ - begin));
    add(kind == token_kind::name ? token_kind::symbol : kind, begin);
  }

  // Takes a word, or a qualified name: words joined by dots, the last of which may be symbolic.
  void name() {
    const std::size_t begin = at_;
    pass(continues_name);
    const token_kind first = reserved(text_.substr(begin, at_ - begin));
    if (first != token_kind::name || !continues_qualified()) return add(first, begin);
    span wrong{};
    while (continues_qualified()) {
      const std::size_t part = ++at_;
      const bool is_word = is_letter(peek());
      pass(is_word ? continues_name : is_symbolic);
      if (wrong.end == 0 && reserved(text_.substr(part, at_ - part)) != token_kind::name) wrong = from(part);
      if (!is_word) break;
    }
    if (wrong.end == 0) return add(token_kind::qualified, begin);
    wrong_.error(wrong, quoted(text_.substr(wrong.begin, wrong.end - wrong.begin)) +
                            " is a reserved word; a qualified name cannot have it");
    add(token_kind::wrong, begin);
  }
  bool continues_qualified() const { return peek() == '.' && (is_letter(peek(1)) || is_symbolic(peek(1))); }

  void number() {
    const std::size_t begin = at_;
    if (peek() == '~') ++at_;
    const bool is_negative = at_ != begin;
    if (!is_negative && peek() == '0' && peek(1) == 'w' && (is_digit(peek(2)) || (peek(2) == 'x' && is_hex(peek(3))))) {
      const bool in_hex = peek(2) == 'x';
      at_ += in_hex ? 3 : 2;
      pass(in_hex ? is_hex : is_digit);
      return add(token_kind::word, begin);
    }
    if (peek() == '0' && peek(1) == 'x' && is_hex(peek(2))) {
      at_ += 2;
      pass(is_hex);
      return add(token_kind::integer, begin);
    }
    pass(is_digit);
    bool is_real = false;
    if (peek() == '.' && is_digit(peek(1))) {
      is_real = true, ++at_;
      pass(is_digit);
    }
    if (peek() == 'e' || peek() == 'E') {
      const std::size_t sign = peek(1) == '~' ? 1 : 0;
      if (is_digit(peek(1 + sign))) {
        is_real = true, at_ += 1 + sign;
        pass(is_digit);
      }
    }
    add(is_real ? token_kind::real : token_kind::integer, begin);
  }

  void string(token_kind kind, std::size_t prefix) {
    const std::size_t begin = at_, errors = wrong_.errors();
    at_ += prefix;
    while (peek() != '"') {
      if (at_ >= text_.size() || peek() == '\n' || peek() == '\r') {
        wrong_.error(between(begin, begin + prefix),
                     "the string has no end on its line; write '\"' where it ends, and \\n for a line's end in it");
        result_.is_cut |= at_ >= text_.size();
        return add(token_kind::wrong, begin);
      }
      string_character();
    }
    ++at_;
    if (wrong_.errors() != errors) return add(token_kind::wrong, begin);
    if (kind == token_kind::character) check_character(begin);
    add(kind, begin);
  }

  void string_character() {
    if (peek() == '\\') {
      const escape e = read_escape(text_.substr(at_));
      const std::size_t begin = at_;
      at_ += e.length;
      if (e.wrong.empty()) return;
      // The backslash alone is wrong because of the character behind it, unless the line ends there.
      const bool is_alone = e.length == 1 && at_ < text_.size() && peek() != '\n' && peek() != '\r';
      const std::size_t shown = at_ + (is_alone ? base::utf8_length(text_.substr(at_)) : 0);
      wrong_.error(from(begin), quoted(text_.substr(begin, shown - begin)) + " in a string: " + std::string{e.wrong});
      at_ = shown;
    } else if (static_cast<unsigned char>(peek()) < 32 || peek() == 127) {
      const std::string code = std::to_string(static_cast<unsigned char>(peek()));
      ++at_;
      wrong_.error(between(at_ - 1, at_), "the control character " + code +
                                              " stands in a string; write it as an escape, such as \\t or \\ddd");
    } else {
      skip_character("a string");
    }
  }

  void check_character(std::size_t begin) {
    const std::string_view inside = text_.substr(begin + 1, at_ - begin - 1);
    const std::size_t count = literal_of(token_kind::string, inside).bytes.size();
    if (count == 1) return;
    wrong_.error(from(begin), "the character " + quoted(inside) + " has " + std::to_string(count) +
                                  " bytes; it must have one, and a string has any number");
  }

  void stray() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && begins_nothing()) ++at_;
    if (++strays_ > most_strays) {
      wrong_.error(from(begin), "this is the " + std::to_string(strays_) +
                                    "th place that no program can have; give a text in Standard ML");
      result_.is_cut = true;
      at_ = text_.size();
      return;
    }
    const std::string_view run = text_.substr(begin, at_ - begin);
    const std::size_t length = base::utf8_length(run);
    const std::string shown = length == 0 || base::is_utf8_control(run)
                                  ? "byte " + std::to_string(static_cast<unsigned char>(run[0]))
                                  : quoted(run.substr(0, length));
    wrong_.error(from(begin), shown + " begins nothing in this language; remove it" +
                                  (run == "." ? ", or write a name on both sides without blanks" : ""));
    add(token_kind::wrong, begin);
  }
  bool begins_nothing() const {
    const char c = peek();
    const bool has_dots = c == '.' && peek(1) == '.' && peek(2) == '.';
    return !(is_letter(c) || is_digit(c) || is_symbolic(c) || is_blank(c) || has_dots) &&
           (c == '\0' || std::string_view{"\"'()[]{},;_"}.find(c) == std::string_view::npos);
  }

  static constexpr unsigned most_strays = 20;

  std::string_view text_;
  std::uint32_t file_;
  diagnostics& wrong_;
  std::size_t at_ = 0;
  unsigned strays_ = 0;
  lexed result_;
};

}  // namespace

lexed lex(const source& of, diagnostics& wrong) { return lexer{of, wrong}.run(); }

}  // namespace tine::ml
