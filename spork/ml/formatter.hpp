// Inner header of the formatter: recursive descent over the tokens of a program without syntax errors. It reads tokens
// and not the tree, because a tree has neither comments nor parentheses nor the spelling of constants. Each function
// takes the tokens of a phrase and returns its layout; its caller has taken the gap in front of the first token, which
// holds blanks and comments.
//
// Where the style allows a line break, one of the writer's stays. All others are gone, and long lines get new ones.
#pragma once

#include "ml/document.hpp"
#include "ml/fixity.hpp"
#include "ml/source.hpp"
#include "ml/token.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tine::ml {

class formatter {
 public:
  formatter(const source& of, const std::vector<token>& tokens) : text_{of.text()}, tokens_{tokens} {}

  std::string run(std::size_t columns);

 private:
  using part = document::part;

  /// The layout of an expression, and how it may stand behind the words in front of it.
  struct piece {
    part is = document::nothing;
    /// Its first line may stand behind them, even if it has more lines. Otherwise it begins on a line of its own then.
    bool may_hang = false;
    /// Its later lines are indented from the line where it begins.
    bool is_lambda = false;
    /// It begins with a bracket, and its later lines are aligned to that.
    bool is_bracket = false;
    /// The parts of a function with one rule: `fn x =>`, and the body. The body of a last argument is indented from the
    /// line where the call begins.
    part head = document::nothing, body = document::nothing;
  };
  struct infix_word {
    part is, gap;
    bool is_assignment;
  };
  /// An element of a list in brackets, with the gap in front of it.
  struct element {
    part gap;
    piece is;
    part separator;
  };

  // --- tokens and gaps (format_gaps.cpp) ---
  enum class gap_kind : std::uint8_t { none, space, line, hard };
  /// Where a gap is: `first` behind the word that begins a list of declarations, `between` phrases, where an empty line
  /// stays, or `last`.
  enum class place : std::uint8_t { inside, first, between, last };

  token_kind at(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)].kind; }
  bool at_any(std::initializer_list<token_kind> kinds) const { return std::ranges::find(kinds, at()) != kinds.end(); }
  std::string_view text_of(std::size_t token) const {
    return text_.substr(tokens_[token].begin, tokens_[token].end - tokens_[token].begin);
  }
  /// Takes a token.
  part word();
  /// Takes a gap and the token behind it.
  part word(gap_kind before, place where = place::inside) {
    const part g = gap(before, where);
    return out_.join(g, word());
  }
  /// Returns the layout of the blanks and comments in front of the next token.
  part gap(gap_kind kind, place where = place::inside);
  part separator(gap_kind kind, place where, std::size_t breaks);
  /// Returns true if the next token stands directly behind the one before it.
  bool is_adjacent() const { return at_ != 0 && tokens_[at_].begin == tokens_[at_ - 1].end; }
  /// Puts a piece behind a gap: on the same line if it fits or may hang there; otherwise on the next line, `columns`
  /// further right.
  part behind(part gap, const piece& p, std::uint32_t columns);
  part text(std::string_view t) { return out_.text(t); }

  // --- brackets, patterns and types (format_runs.cpp) ---
  /// Takes brackets, and by `one` each element.
  piece bracket(piece (formatter::*one)());
  std::size_t hanging_function(const std::vector<element>& all) const;
  piece filled(part open, const std::vector<element>& all, part close);
  piece pattern_element();
  /// Takes a pattern, or the head of a function, up to one of these tokens.
  part pattern_until(std::initializer_list<token_kind> ends);
  /// Takes a type, also with constructors and `of` in front of it if `also` has that.
  part type(std::initializer_list<token_kind> also = {});

  // --- expressions (format_expressions.cpp, format_operators.cpp) ---
  piece expression();
  piece alternatives();
  piece typed();
  piece infix();
  piece joined(const piece& left, const infix_word& op, const piece& right);
  std::optional<fixity> next_operator() const;
  piece application();
  piece atom();
  bool begins_atom() const;
  bool begins_open_ended() const;
  piece open_ended();
  piece conditional();
  piece loop();
  piece match();
  piece function();
  part rule(std::uint32_t columns);
  part more_rules(std::uint32_t bar);
  part handlers();
  piece parenthesised();
  piece let();
  part sequence();
  piece record_field();

  // --- declarations (format_declarations.cpp, format_modules.cpp) ---
  part declarations(gap_kind between);
  part declaration();
  part one_function();
  part one_value();
  part one_type();
  part one_datatype();
  part one_structure();
  part one_signature();
  part words(std::initializer_list<token_kind> kinds);
  part local();
  part fixities();
  part definitions(part (formatter::*one)());
  part structure();
  part signature();
  part specification();
  part ascription();
  part module(part before, part (formatter::*one)());

  std::string_view text_;
  const std::vector<token>& tokens_;
  std::size_t at_ = 0;
  document out_;
  fixity_scope fixities_;
};

}  // namespace tine::ml
