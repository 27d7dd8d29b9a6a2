// Generates random well-formed programs for the fuzzer. They have every construct of the language, nested and inlined
// into each other, have neither races nor traps, and are short enough to run in a moment.
#pragma once

#include "ir/encode.hpp"

namespace tine::spork {

/// The part of the language that generated programs use.
enum class fragment : std::uint8_t {
  everything,
  whole_numbers,  ///< values are i64, and no operation has an effect: what proofs/spork models
};

/// Returns program number `seed`, which is the same on every machine. A function has about `size` constructs.
program generate(std::uint64_t seed, unsigned size, loop_form loops, fragment f = fragment::everything);

/// Returns the form for the loops of the program of that seed. Half of the programs have the paper's form, in which
/// most can happen.
loop_form some_loop_form(std::uint64_t seed);

}  // namespace tine::spork
