// The interface of the parser, which turns text into a program.
#pragma once

#include "ir/diagnostic.hpp"

#include <string>
#include <string_view>

namespace tine::spork {

/// Returns the program of `text`, as far as it can be read; adds the errors to `wrong`. The program still contains
/// sugar (`encode`), and has not been verified.
program parse(std::string_view text, std::string name, diagnostics& wrong);

}  // namespace tine::spork
