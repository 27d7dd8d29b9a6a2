// The lexer: words, numbers, signs, texts in quotes; `//` begins a comment.
#include "ir/lex.hpp"

#include "base/utf8.hpp"
#include "ir/operation.hpp"

#include <algorithm>
#include <array>

namespace tine::spork {
namespace {

using namespace std::string_view_literals;

// The words of the language; words of operations are in their table.
constexpr std::array reserved{"block"sv,  "call"sv,   "data"sv,   "declare"sv, "else"sv,   "export"sv, "extern"sv,
                              "f64"sv,    "fun"sv,    "global"sv, "goto"sv,    "i64"sv,    "if"sv,     "inf"sv,
                              "nan"sv,    "null"sv,   "par"sv,    "parfor"sv,  "ptr"sv,    "pure"sv,   "raise"sv,
                              "reduce"sv, "return"sv, "spoin"sv,  "spork"sv,   "switch"sv, "then"sv};

// Longer signs come first, because the lexer takes the first that fits.
constexpr std::array signs{">>>"sv, "||"sv, "->"sv, "<<"sv, ">>"sv, "<="sv, ">="sv, "=="sv, "!="sv, "("sv,
                           ")"sv,   "{"sv,  "}"sv,  "["sv,  "]"sv,  ","sv,  ":"sv,  "="sv,  "|"sv,  "&"sv,
                           "^"sv,   "@"sv,  "!"sv,  "+"sv,  "-"sv,  "*"sv,  "/"sv,  "%"sv,  "<"sv,  ">"sv};

constexpr unsigned most_strays = 20;  // more of them are not typing errors

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_word(char c) { return begins_word(c) || is_digit(c) || c == '.'; }

class lexer {
 public:
  lexer(std::string_view text, diagnostics& wrong) : text_{text}, wrong_{wrong} {}

  std::vector<token> run() {
    std::vector<token> tokens;
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = line_begin_ = 3;  // a byte order mark, which some editors write
    if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF")) {
      wrong_.push_back({here(), "syntax", "the file begins as UTF-16; save it as UTF-8"});
      at_ = text_.size();
    }
    for (;;) {
      skip_blank();
      if (at_ == text_.size()) break;
      if (const token t = next(); t.what != token::kind::end) tokens.push_back(t);
    }
    tokens.push_back({token::kind::end, "the end of the file", here()});
    return tokens;
  }

 private:
  place here() const { return place::at(line_, at_ - line_begin_ + 1); }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void skip_blank() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_, line_begin_ = at_ + 1;
      } else if (c == '/' && peek(1) == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return;
      }
    }
  }

  token next() {
    const char c = peek();
    if (begins_word(c)) return take(token::kind::word, continues_word);
    if (is_digit(c)) return number();
    if (c == '"') return quoted();
    for (const std::string_view s : signs) {
      if (text_.substr(at_).starts_with(s)) return take(token::kind::sign, s.size());
    }
    return stray();
  }

  token take(token::kind what, std::size_t length) {
    const token t{what, text_.substr(at_, length), here()};
    at_ += length;
    return t;
  }
  token take(token::kind what, bool (*continues)(char)) {
    std::size_t length = 1;
    while (continues(peek(length))) ++length;
    return take(what, length);
  }

  // Takes 12, 1.5 or 1e-9. Letters and digits that follow directly are part of it, so that 1x is one wrong number and
  // not two tokens.
  token number() {
    std::size_t length = 0;
    bool fraction = false;
    for (; continues_word(peek(length)); ++length) {
      const char c = peek(length);
      fraction |= c == '.' || c == 'e';
      if (c == 'e' && (peek(length + 1) == '-' || peek(length + 1) == '+')) ++length;
    }
    return take(fraction ? token::kind::fraction : token::kind::whole, length);
  }

  // Takes a text in quotes, which ends in its line. A backslash hides the next character.
  token quoted() {
    std::size_t length = 1;
    for (; peek(length) != '"'; ++length) {
      if (at_ + length >= text_.size() || peek(length) == '\n') {
        wrong_.push_back(
            {here(), "syntax", "this text has no end in its line; write '\"' behind it, and \\n for a new line"});
        const token rest = take(token::kind::text, length);
        return {token::kind::end, rest.text, rest.where};
      }
      if (peek(length) == '\\' && at_ + length + 1 < text_.size() && peek(length + 1) != '\n') ++length;
    }
    return take(token::kind::text, length + 1);
  }

  token stray() {
    if (++strays_ > most_strays) {
      wrong_.push_back({here(), "syntax", "this file is no program text; give a .spork file"});
      at_ = text_.size();
      return {};
    }
    const std::string_view rest = text_.substr(at_);
    const std::size_t length = base::utf8_length(rest);
    const std::string shown = length == 0 || base::is_utf8_control(rest)
                                  ? "byte " + std::to_string(static_cast<unsigned char>(rest[0]))
                                  : "'" + std::string{rest.substr(0, length)} + "'";
    wrong_.push_back({here(), "syntax", shown + " begins nothing in this language; remove it"});
    while (at_ < text_.size() && begins_nothing())
      ++at_;  // one report for a run, because a file that is no text has many
    return {};
  }
  bool begins_nothing() const {
    const char c = peek();
    return !begins_word(c) && !is_digit(c) && c != '"' && c != ' ' && c != '\t' && c != '\r' && c != '\n' &&
           std::ranges::none_of(signs, [&](std::string_view s) { return text_.substr(at_).starts_with(s); });
  }

  std::string_view text_;
  diagnostics& wrong_;
  std::size_t at_ = 0, line_begin_ = 0;
  std::uint32_t line_ = 1;
  unsigned strays_ = 0;
};

}  // namespace

std::vector<token> lex(std::string_view text, diagnostics& wrong) { return lexer{text, wrong}.run(); }

bool is_reserved(std::string_view word) {
  return word_for(word) != operation::copy || std::ranges::find(reserved, word) != reserved.end();
}

}  // namespace tine::spork
