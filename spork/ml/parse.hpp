// The interface of the parser, which turns a text into a tree.
#pragma once

#include "ml/diagnostic.hpp"
#include "ml/source.hpp"
#include "ml/syntax.hpp"

namespace tine::ml {

/// Parses a file. Reports what is wrong and returns the rest of the tree, with `broken` in the places of what could not
/// be parsed. Ends for every text, in time and memory linear in its length.
syntax_tree parse(const source& of, diagnostics& wrong);

}  // namespace tine::ml
