// The interface of the formatter, which lays a program's text out and keeps its comments.
#pragma once

#include "ml/source.hpp"

#include <cstddef>
#include <string>

namespace tine::ml {

/// Lines of a formatted program have at most this many characters, where that is possible.
inline constexpr std::size_t format_columns = 120;

/// Returns the text of a program in the style of this project, with lines of at most `columns` characters where that is
/// possible. It has the same tokens and the same comments as `of`, in the same order; formatting it again changes
/// nothing. `of` must have no syntax errors. Line ends become \n. Throws std::logic_error if the result has other
/// tokens or comments, which would be a mistake of the formatter.
std::string format(const source& of, std::size_t columns = format_columns);

}  // namespace tine::ml
