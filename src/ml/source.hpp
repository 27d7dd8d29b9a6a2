// Positions in the text of a program.
#pragma once

#include <cstdint>

namespace tine::ml {

/// The number of the source file, and the range of bytes [begin, end) in it.
struct span {
  std::uint32_t file = 0, begin = 0, end = 0;
};

}  // namespace tine::ml
