// The races of a random program, found by comparing all pairs of its accesses. It shares no code with the detector: it
// visits the program's parts in the serial order, keeps the graph of its strands and the bytes of its memory, and knows
// for each access which earlier ones come before it.
#pragma once

#include "part.hpp"

#include <set>
#include <utility>

namespace race_test {

/// Bytes, as the number of the buffer and the place in it. Buffer -1 is the memory.
using byte_set = std::set<std::pair<int, int>>;

struct racing_bytes {
  byte_set all;
  /// Those that a detector finds that keeps one reader for each byte. An access that an atomic operation orders before
  /// a later one may hide a third access, which races with it.
  byte_set certain;
};

/// `determinism`: accesses race although they hold a common lock, are atomic, or are ordered by atomic operations in
/// the serial order.
racing_bytes races_of(const part& program, bool determinism);

}  // namespace race_test
