// The interface of the lexer, which turns a text into tokens.
#pragma once

#include "ml/diagnostic.hpp"
#include "ml/source.hpp"
#include "ml/syntax.hpp"
#include "ml/token.hpp"

#include <string_view>
#include <vector>

namespace tine::ml {

struct lexed {
  std::vector<token> tokens;  ///< the last one is end_of_file
  bool is_cut = false;        ///< the rest of the text is lost, and that is reported: the end is no further error
};

/// Splits a text. Characters that begin no token become tokens of the kind `wrong`.
lexed lex(const source& of, diagnostics& wrong);

/// Returns the value of a constant that `lex` accepted.
literal literal_of(token_kind kind, std::string_view text);

}  // namespace tine::ml
