// What is wrong with a program: where, by which rule, and how to mend it.
#pragma once

#include "spork/ir.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tine::spork {

struct diagnostic {
  place where;
  std::string_view rule;  ///< a literal; docs/spork.md lists them
  std::string message;    ///< what is wrong, and after a semicolon what to do
};

/// All that is wrong, in the order of the text.
using diagnostics = std::vector<diagnostic>;

/// `file:line:column: rule: message`, a line for each.
std::string render(const diagnostics& all, std::string_view file);

/// Sorted by place; of several with one place and rule only the first stays.
void tidy(diagnostics& all);

}  // namespace tine::spork
