// Text to tokens.
#pragma once

#include "spork/diagnostic.hpp"

#include <string_view>
#include <vector>

namespace tine::spork {

struct token {
  enum class kind : std::uint8_t { word, whole, fraction, sign, end };

  kind what = kind::end;
  std::string_view text;  ///< points into the program
  place where;

  bool is(std::string_view wanted) const { return text == wanted && (what == kind::sign || what == kind::word); }
};

/// The tokens of `text`, the last of which is `end`. Characters that begin no token are reported and passed over.
std::vector<token> lex(std::string_view text, diagnostics& wrong);

/// Words that no name may be.
bool is_reserved(std::string_view word);

}  // namespace tine::spork
