// Phases on tine's managed forks: halves down to single blocks, or a loop over the blocks.
#pragma once

#include "harness/blocks/halved.hpp"
#include "harness/loops/managed.hpp"

#include <type_traits>

namespace bench {

struct looped_blocks {
  template <class Body>
  void operator()(int count, const Body& body) const {
    managed_loops{}.for_each(0, count, [&body](int block) { body(block, block + 1); });
  }
};

/// The form of phases that the problem selects.
template <class Problem>
using managed_blocks = std::conditional_t<Problem::forks_in_halves, halved_blocks<managed_loops>, looped_blocks>;

}  // namespace bench
