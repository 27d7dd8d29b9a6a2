// The interface of the lexer, which turns text into tokens.
#pragma once

#include "ir/diagnostic.hpp"

#include <string_view>
#include <vector>

namespace tine::spork {

struct token {
  enum class kind : std::uint8_t { word, whole, fraction, sign, text, end };

  kind what = kind::end;
  std::string_view text;  ///< points into the program's text; a token of kind `text` has its quotes
  place where;

  bool is(std::string_view wanted) const { return text == wanted && (what == kind::sign || what == kind::word); }
};

/// Returns the tokens of `text`, the last of which is `end`. Reports and skips characters that begin no token.
std::vector<token> lex(std::string_view text, diagnostics& wrong);

/// Returns true if `word` belongs to the language, so that no name may be this word.
bool is_reserved(std::string_view word);

}  // namespace tine::spork
