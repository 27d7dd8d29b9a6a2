// par, reduce and parfor in terms of spork and spoin (Spork, Figures 5 and 6).
#pragma once

#include "spork/diagnostic.hpp"

namespace tine::spork {

/// How loops are encoded.
enum class loop_form : std::uint8_t {
  single,  ///< Figure 6: each iteration is a spork's body
  chunked,  ///< as many iterations as take some microseconds are, if they are light: a plain loop, that LLVM can vectorise
  in_threes,  ///< three iterations are, so that short loops have several chunks; for tests
};

/// Replaces all sugar of `p`. Where a function that it needs is missing or of the wrong types, this is reported.
void encode(program& p, diagnostics& wrong, loop_form loops = loop_form::single);

}  // namespace tine::spork
