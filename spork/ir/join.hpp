// Joins many programs into one, so that the fixed cost of compiling or running a program is paid once.
#pragma once

#include "ir/program.hpp"

#include <span>

namespace tine::spork {

/// Returns a program that runs the well-formed programs `parts` one after another, and returns their results in this
/// order.
program join(std::span<const program> parts);

}  // namespace tine::spork
