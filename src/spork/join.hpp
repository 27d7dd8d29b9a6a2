// Many programs as one, so that what costs the same for each program that is compiled, or run, is paid once.
#pragma once

#include "spork/ir.hpp"

#include <span>

namespace tine::spork {

/// A program that runs well-formed programs one after another, and returns what the first returns, then what the second, and so on.
program join(std::span<const program> parts);

}  // namespace tine::spork
