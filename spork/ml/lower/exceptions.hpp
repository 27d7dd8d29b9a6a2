// Removes exceptions that cannot be raised, when the whole program is known.
#pragma once

#include "ir/program.hpp"

namespace tine::ml::lower {

/// Removes blocks that no path leads to: those behind a raise, and handlers of what raises nothing.
void remove_unreachable_blocks(spork::function& f);

/// Finds the functions that raise nothing, and removes `raises` and the handlers of their calls. All functions with an
/// address raise.
void remove_unraised_exceptions(spork::program& p);

}  // namespace tine::ml::lower
