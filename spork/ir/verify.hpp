// Checks whether a program is well-formed: the rules of Figure 4, and the rules of types.
#pragma once

#include "ir/diagnostic.hpp"

namespace tine::spork {

/// Returns all errors of `p`, sorted; an empty list if `p` is well-formed. The program must be free of sugar. Later
/// stages rely on the constants and names of a well-formed program, and check nothing again. A module, one of several
/// files of a program, needs no main; what it declares as extern has only types.
diagnostics verify(const program& p, bool is_module = false);

}  // namespace tine::spork
