// Random well-formed programs, for the fuzzer: every construct of the language, nested and inlined into each other, without races
// and without traps, and short enough to run in a moment.
#pragma once

#include "spork/encode.hpp"

namespace tine::spork {

/// The program number `seed`. The same on every machine. `size` is about how many constructs a function has.
program generate(std::uint64_t seed, unsigned size, loop_form loops);

/// A form for the loops of the program of that seed: for half of them that of the paper, in which most can happen.
loop_form some_loop_form(std::uint64_t seed);

}  // namespace tine::spork
