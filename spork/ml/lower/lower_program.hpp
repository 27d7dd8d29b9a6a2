// The compiler's middle: from the typed program to Spork IR.
#pragma once

#include "ir/program.hpp"
#include "ml/source.hpp"
#include "ml/typed.hpp"

#include <string>

namespace tine::ml {

/// Compiles an elaborated program without errors to a program with a `main`, which runs the declarations in their
/// order. The result has sporks, and of the sugar exceptions and loops. `name` is the program's, for messages.
spork::program lower_program(typed::program& p, const source_files& files, std::string name);

}  // namespace tine::ml
