// Inner header of the parser: the tokens that are still to be read, and errors at them.
#pragma once

#include "ml/lex.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tine::ml {

/// Thrown after a syntax error was reported. The bracket or the declaration that can find its end catches it.
struct lost {};

class token_stream {
 public:
  token_stream(const source& of, diagnostics& wrong);

  const token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  bool at(token_kind k) const { return peek().kind == k; }
  /// Returns true if the next token is a name, alphanumeric or symbolic.
  bool at_name(std::size_t ahead = 0) const {
    return peek(ahead).kind == token_kind::name || peek(ahead).kind == token_kind::symbol;
  }
  bool at(std::string_view name) const { return at_name() && text(peek()) == name; }
  std::string_view text(const token& t) const { return of_.text().substr(t.begin, t.end - t.begin); }
  span where(const token& t) const { return {of_.number(), t.begin, t.end}; }
  /// Returns the span from a token's begin to the end of the token that was taken last.
  span from(const token& t) const { return from(t.begin); }
  span from(std::uint32_t begin) const { return {of_.number(), begin, std::max(begin, last_end_)}; }

  token take() {
    const token t = peek();
    last_end_ = t.end;
    if (t.kind != token_kind::end_of_file) ++at_;
    return t;
  }
  bool accept(token_kind k) {
    if (!at(k)) return false;
    take();
    return true;
  }
  /// Takes a token of this kind, or fails with `wanted`, which names it and where it stands.
  token expect(token_kind k, std::string_view wanted) {
    if (!at(k)) fail(wanted);
    return take();
  }
  /// Takes the token that closes what `open` opened.
  void close(token_kind k, const token& open, std::string_view of_what);

  /// Reports that the next token is not `wanted`, and throws `lost`. A token whose error is reported already is no
  /// second error.
  [[noreturn]] void fail(std::string_view wanted, std::vector<note> notes = {});
  void report(span at, std::string message, std::vector<note> notes = {}) {
    wrong_.error(at, std::move(message), std::move(notes));
  }
  /// Returns the next token as messages show it.
  std::string shown() const;

  /// Skips to the next declaration, or to the `in`, `end` or end of the file that ends the declarations. With `at_top`,
  /// a semicolon ends the skipped part, too.
  void skip_to_declaration(bool at_top);
  /// Skips the inside of brackets, and takes `close`. Returns false if something stands before it that cannot be in
  /// such brackets.
  bool skip_to_close(token_kind close);
  /// Skips the inside of a phrase that has declarations and ends with `end`, and takes that. Returns false at the end
  /// of the file.
  bool skip_to_matching_end();
  /// Skips to the end of the file if further errors would not be shown.
  void stop_if_full() {
    if (wrong_.is_full()) stop();
  }
  /// Skips to the end of the file, which is no further error.
  void stop() { at_ = tokens_.size() - 1, is_cut_ = true; }

 private:
  const source& of_;
  diagnostics& wrong_;
  std::vector<token> tokens_;
  bool is_cut_ = false;
  std::size_t at_ = 0;
  std::uint32_t last_end_ = 0;
};

/// Returns true if a token of this kind begins a declaration or a specification.
bool begins_declaration(token_kind k);
/// Returns true for `)`, `]` and `}`.
bool closes_bracket(token_kind k);

}  // namespace tine::ml
