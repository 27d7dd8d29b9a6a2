// Errors of a program: the place, the rule that is broken, and how to mend it.
#pragma once

#include "ir/program.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tine::spork {

struct diagnostic {
  place where;
  std::string_view rule;  ///< a literal; spork/docs/spork.md lists the rules
  std::string message;    ///< what is wrong, and after a semicolon what to do
};

/// All errors, in the order of the text.
using diagnostics = std::vector<diagnostic>;

/// Returns `file:line:column`, or the file alone if there is no position. `sources`: those of the program.
std::string show(place where, std::string_view file, std::span<const std::string> sources);

/// Returns a line for each error: `file:line:column: rule: message`.
std::string render(const diagnostics& all, std::string_view file, std::span<const std::string> sources = {});

/// Sorts the errors by place, and keeps only the first of several with the same place and rule.
void tidy(diagnostics& all);

}  // namespace tine::spork
