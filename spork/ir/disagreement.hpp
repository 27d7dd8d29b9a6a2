// Runs a program through every stage and engine, which must agree.
#pragma once

#include "ir/program.hpp"

#include <string>

namespace tine::spork {

/// Compares `p` with its elision: `p` printed and parsed again, the interpreter with several schedules, and the passes.
/// Returns the first disagreement, or an empty string if all agree. `explored` is how many states the explorer may look
/// at, 0 for none.
std::string disagreement(const program& p, std::size_t explored);

}  // namespace tine::spork
