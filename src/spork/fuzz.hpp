// Random programs through every stage and engine, which have to agree.
#pragma once

#include "spork/ir.hpp"

#include <string>

namespace tine::spork {

/// What of `p` disagrees with its elision: printing and parsing it again, the interpreter with several schedules, the passes.
/// Empty if all agree. `explored` is how many states the explorer may look at, 0 for none.
std::string disagreement(const program& p, std::size_t explored);

}  // namespace tine::spork
