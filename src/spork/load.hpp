// The entry to the compiler: turns text into a program that is ready for every other stage.
#pragma once

#include "spork/encode.hpp"

#include <string>
#include <string_view>

namespace tine::spork {

/// Parses the text, replaces its sugar and verifies the program, which is usable only if `wrong` is still empty afterwards.
program load(std::string_view text, std::string name, diagnostics& wrong, loop_form loops = loop_form::single);

}  // namespace tine::spork
