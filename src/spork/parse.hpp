// Text to program.
#pragma once

#include "spork/diagnostic.hpp"

#include <string>
#include <string_view>

namespace tine::spork {

/// The program that `text` says, as far as it can be read; `wrong` gets what cannot. Sugar is still in it (`encode`), and
/// nothing has been verified.
program parse(std::string_view text, std::string name, diagnostics& wrong);

}  // namespace tine::spork
