// The classes of submitted roots. A plain value.
#pragma once

namespace tine {

/// The class of a submitted root. We never interrupt running work for a root. Roots of one class start in the order in
/// which they were submitted.
enum class root_priority : unsigned char {
  normal,  ///< starts when a worker finds nothing to steal
  urgent,  ///< starts before an idle worker takes any other work
};

}  // namespace tine
