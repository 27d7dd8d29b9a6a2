// Random well-formed programs, for the fuzzer: every construct of the language, nested and inlined into each other, without races
// and without traps, and short enough to run in a moment.
#pragma once

#include "spork/encode.hpp"

namespace tine::spork {

/// The program number `seed`. The same on every machine. `size` is about how many constructs a function has.
program generate(std::uint64_t seed, unsigned size, loop_form loops);

}  // namespace tine::spork
