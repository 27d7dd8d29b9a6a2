// The classes of submitted roots.
#pragma once

namespace tine {

/// The class of a submitted root. Running work is never interrupted for a root. An idle worker begins an urgent root
/// before it takes any other work, and a normal one when it finds nothing to steal. Roots of one class begin in the
/// order in which they were submitted.
enum class root_priority : unsigned char {
  normal,  ///< begins when a worker finds nothing to steal
  urgent,  ///< begins before an idle worker takes any other work
};

}  // namespace tine
