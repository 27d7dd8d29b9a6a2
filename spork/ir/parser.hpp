// Inner header of the parser: the tokens still to be read, and the names of the function being read.
#pragma once

#include "ir/lex.hpp"
#include "ir/parse.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tine::spork {

/// Thrown after a syntax error was reported. A function that can find the next block, or the next function, catches it.
struct lost {};

/// The parser stops after this many errors.
inline constexpr std::size_t enough_errors = 100;

/// The tokens, read from the front.
class token_stream {
 public:
  token_stream(std::string_view text, diagnostics& wrong) : wrong_{wrong}, tokens_{lex(text, wrong)} {
    for (const diagnostic& d : wrong) strays_.insert(d.where.line);
  }

  const token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  place here() const { return peek().where; }
  /// Returns how many braces are open.
  int depth() const { return depth_; }
  bool done() const { return peek().what == token::kind::end || wrong_.size() >= enough_errors; }

  token take() {
    const token t = peek();
    if (t.what != token::kind::end) ++at_;
    depth_ += t.is("{") ? 1 : t.is("}") ? -1 : 0;
    return t;
  }
  bool accept(std::string_view text) {
    if (!peek().is(text)) return false;
    take();
    return true;
  }
  void expect(std::string_view text, std::string_view why) {
    if (!accept(text)) fail("'" + std::string{text} + "' " + std::string{why});
  }
  /// Takes a name, or reports an error that says what should have been named.
  token name(std::string_view of_what) {
    const token& t = peek();
    if (t.what != token::kind::word) fail("the name of " + std::string{of_what});
    if (is_reserved(t.text)) {
      const token word = take();
      report(word.where, "'" + std::string{word.text} + "' is a word of the language; give " + std::string{of_what} +
                             " another name");
      throw lost{};
    }
    return take();
  }

  /// Returns the names that follow `word` from here on, up to one of the words `stop` and `stop_too`.
  std::vector<token> names_behind(std::string_view word, std::string_view stop = {},
                                  std::string_view stop_too = {}) const {
    std::vector<token> found;
    for (std::size_t i = at_; i + 1 < tokens_.size() && !tokens_[i].is(stop) && !tokens_[i].is(stop_too); ++i) {
      const token& next = tokens_[i + 1];
      if (tokens_[i].is(word) && next.what == token::kind::word && !is_reserved(next.text)) found.push_back(next);
    }
    return found;
  }

  /// Reports that `expected` should stand here, and throws `lost`. Behind something that the lexer has reported this
  /// would be the same mistake again.
  [[noreturn]] void fail(std::string_view expected) {
    const place before = at_ == 0 ? here() : tokens_[at_ - 1].where;
    if (!strays_.contains(here().line) && !strays_.contains(before.line)) {
      report(here(), "'" + std::string{peek().text} + "' stands where " + std::string{expected} +
                         " is expected; write that instead");
    }
    throw lost{};
  }
  /// Takes a whole number of at most `most` that is not 0.
  std::uint32_t ordinal(std::string_view of_what, std::uint32_t most);
  void report(place where, std::string message, std::string_view rule = "syntax") {
    wrong_.push_back({where, rule, std::move(message)});
  }

 private:
  diagnostics& wrong_;
  std::vector<token> tokens_;
  std::set<std::uint32_t> strays_;  // lines with errors of the lexer
  std::size_t at_ = 0;
  int depth_ = 0;
};

/// Maps the names of one function to numbers. A name has a number from its first mention on.
class function_scope {
 public:
  function_scope(token_stream& in, function& f) : in_{in}, f_{f} {}

  temp_id mention(const token& name);
  block_id mention_block(const token& name);
  /// Defines a temporary; reports a second definition.
  temp_id define(const token& name, type t);
  block_id define_block(const token& name);
  /// Adds a temporary that has no name in the text.
  temp_id anonymous(place where);
  /// Gives each anonymous temporary a name that no other temporary has.
  void name_anonymous();

 private:
  token_stream& in_;
  function& f_;
  std::map<std::string_view, temp_id> temps_;
  std::map<std::string_view, block_id> blocks_;
};

/// Maps the names of functions to numbers.
class program_scope {
 public:
  explicit program_scope(program& p) : p_{p} {}

  /// Returns how many sources the program has so far.
  std::size_t sources() const { return p_.sources.size(); }

  function_id mention(const token& name);
  bool knows(const token& function) const { return functions_.contains(function.text); }
  /// Gives data of this name a number, unless there are data of this name.
  void add_data(const token& name);
  data_id find_data(const token& name) const;
  /// Returns the address of the data or of the function with this name.
  atom address_of(const token& name);

 private:
  program& p_;
  std::map<std::string_view, function_id> functions_;
  std::map<std::string_view, data_id> data_;
};

/// Reads expressions, which nest in the text, and turns them into statements of one operation each.
class expression_parser {
 public:
  expression_parser(token_stream& in, program_scope& functions, function_scope& names)
      : in_{in}, functions_{functions}, names_{names} {}

  /// Returns the outermost operation of an expression, which is not yet a statement of `into`; its operands are.
  statement expression(std::vector<statement>& into) { return infix(into, 1); }
  /// Returns the value of an expression.
  atom value(std::vector<statement>& into) { return as_atom(into, expression(into)); }
  /// Returns the values between commas up to `close`, which is taken.
  std::vector<atom> values(std::vector<statement>& into, std::string_view close);
  /// Returns p and i of p[i]; p alone means p[0]. A sum with a pointer needs parentheses: load i64 p + 1 is (load i64
  /// p) + 1.
  std::pair<atom, atom> cell(std::vector<statement>& into);
  atom as_atom(std::vector<statement>& into, statement s);

 private:
  statement infix(std::vector<statement>& into, unsigned least);
  statement prefix(std::vector<statement>& into);
  statement primary(std::vector<statement>& into);
  statement word(std::vector<statement>& into);
  statement listed(std::vector<statement>& into, operation o);
  atom number(bool negative);
  type loaded_type();

  token_stream& in_;
  program_scope& functions_;
  function_scope& names_;
  unsigned depth_ = 0;
};

/// Returns the bytes of a text in quotes.
std::string bytes_of(token_stream& in, const token& quoted);

/// Reads the name and the contents of data, behind the word `data` or `global`; only the name if they are external.
datum read_datum(token_stream& in, program_scope& names, bool is_constant, bool is_external);

}  // namespace tine::spork
