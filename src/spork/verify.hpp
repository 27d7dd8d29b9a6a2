// Whether a program is well-formed: the rules of Figure 4, and those of types.
#pragma once

#include "spork/diagnostic.hpp"

namespace tine::spork {

/// All that is wrong with `p`, sorted; empty if it is well-formed. The program must be free of sugar. Constants and names of a
/// well-formed program are as every later stage expects them: nothing is checked again.
diagnostics verify(const program& p);

}  // namespace tine::spork
