// The front door: text to a program that is ready for every other stage.
#pragma once

#include "spork/encode.hpp"

#include <string>
#include <string_view>

namespace tine::spork {

/// Parses, replaces sugar, verifies. The program is only of use if `wrong` is still empty afterwards.
program load(std::string_view text, std::string name, diagnostics& wrong, loop_form loops = loop_form::single);

}  // namespace tine::spork
