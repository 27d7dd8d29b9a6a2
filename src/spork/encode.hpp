// par, reduce and parfor in terms of spork and spoin (Spork, Figures 5 and 6).
#pragma once

#include "spork/diagnostic.hpp"

namespace tine::spork {

/// Replaces all sugar of `p`. Where a function that it needs is missing or of the wrong types, this is reported.
void encode(program& p, diagnostics& wrong);

}  // namespace tine::spork
