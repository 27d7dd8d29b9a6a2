// Links modules: the files of one program, each of which declares what it uses of the others (`extern`).
#pragma once

#include "ir/diagnostic.hpp"

#include <span>
#include <vector>

namespace tine::spork {

/// Returns the program that consists of all modules, which are parsed and not yet encoded: all functions and data have
/// one space of names. Reports in `wrong[i]` what is wrong with module i: what no module defines, what two define, and
/// declarations that differ from the definition.
program link(std::span<const program> modules, std::span<diagnostics> wrong);

}  // namespace tine::spork
