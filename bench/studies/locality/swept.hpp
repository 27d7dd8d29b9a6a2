// An array in blocks, and the phases over it, which fork in halves down to single blocks.
#pragma once

#include "harness/untouched.hpp"

#include <cstddef>
#include <cstdint>

namespace bench::locality {

/// How a sweep goes over a block.
enum class order : bool {
  ascending,  ///< adds 1 to each element: the processor fetches what comes next in time
  linked      ///< from line to line of the cache, as the elements say: it cannot
};

class swept {
 public:
  swept(order way, std::size_t block_bytes, std::size_t blocks)
      : way_{way}, lines_{block_bytes / sizeof(line)}, blocks_{blocks} {}

  /// Fresh memory, which `initialise` is the first to touch.
  void renew() { all_.renew(lines_ * blocks_); }
  /// Takes some nanoseconds for an element, as initialisers do that compute something; so there is time to share the work.
  void initialise();
  void sweep();
  bool is_right(std::uint64_t sweeps) const;

 private:
  struct line {
    std::uint64_t elements[8];
  };

  std::uint64_t first_value(std::size_t element) const;
  std::uint64_t link_from(std::size_t from) const;
  void sweep_ascending();
  void sweep_linked();

  const order way_;
  const std::size_t lines_, blocks_;  // lines of a block, a power of two; how many blocks
  untouched<line> all_;
};

}  // namespace bench::locality
