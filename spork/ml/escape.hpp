// Inner header of the lexer: the escapes in strings.
#pragma once

#include <cstddef>
#include <string_view>

namespace tine::ml {

/// An escape at the front of a text, which begins with a backslash.
struct escape {
  std::size_t length = 1;
  int value = -1;               ///< the character; -1 for a gap
  std::string_view wrong = {};  ///< why it is wrong; empty if it is right
};

escape read_escape(std::string_view text);

}  // namespace tine::ml
