// The interface of the printer, which turns a tree into a text.
#pragma once

#include "ml/syntax.hpp"

#include <string>

namespace tine::ml {

/// Returns a text that parses to the same tree, with the same infix operators and no more parentheses than it needs.
/// The tree must come from a text without errors; it has no comments.
std::string print(const syntax_tree& of);

}  // namespace tine::ml
