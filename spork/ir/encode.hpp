// Encodes par, reduce and parfor in terms of spork and spoin (Spork, Figures 5 and 6), and exceptions in terms of
// results.
#pragma once

#include "ir/diagnostic.hpp"

namespace tine::spork {

/// The encoding of loops.
enum class loop_form : std::uint8_t {
  single,     ///< Figure 6: each iteration is a spork's body
  chunked,    ///< a spork's body is a plain loop of some microseconds over light iterations; LLVM can vectorise it
  in_threes,  ///< a spork's body is three iterations, so that short loops have several chunks; for tests
};

/// Replaces all sugar of `p`. Reports functions of the wrong types in loops, and exceptions that nothing handles; the
/// verifier reports functions that are missing.
void encode(program& p, diagnostics& wrong, loop_form loops = loop_form::single);

}  // namespace tine::spork
