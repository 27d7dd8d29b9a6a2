// Programs of `tine ir` as the proofs write them (proofs/spork/syntax.v): temporaries are places in a scope, and each
// block states its scope and its nesting. This code computes both by itself, and shares nothing with
// spork/ir/attributes.cpp, which is under test.
#pragma once

#include "ir/program.hpp"

#include <string>

namespace bridge {

/// Takes out what the proofs do not model, and leaves a program of the same kind: sporks share half of their tokens, no
/// spoin has a way for an unstolen child, no block is unreachable, and constants are assigned at the beginning of a
/// function and nowhere else.
void normalise(tine::spork::program& p);

/// Returns true if every operation of the program is one of the proofs', so that its results can be compared.
bool is_modelled(const tine::spork::program& p);

/// Returns a normalised program as words (compare_spork.ml reads them). Other operations than the proofs' become a sum
/// of their operands, which has the same scope. A block, function or temporary that is not there has the number 999999.
std::string exported(const tine::spork::program& p);

}  // namespace bridge
