// An array in blocks, and phases over it that fork in halves down to single blocks.
#pragma once

#include "harness/untouched.hpp"

#include <cstddef>
#include <cstdint>

namespace bench::locality {

/// The order in which a sweep visits a block.
enum class order : bool {
  ascending,  ///< adds 1 to each element in turn: the processor prefetches the next lines
  linked      ///< follows links in the elements from cache line to cache line: the processor cannot prefetch
};

class swept {
 public:
  swept(order way, std::size_t block_bytes, std::size_t blocks)
      : way_{way}, lines_{block_bytes / sizeof(line)}, blocks_{blocks} {}

  /// Replaces the array by fresh memory, which `initialise` is the first to touch.
  void renew() { all_.renew(lines_ * blocks_); }
  /// Takes some nanoseconds for an element, like an initialisation that computes something, so that there is time to
  /// divide the work.
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
  const std::size_t lines_, blocks_;  // number of lines of a block, a power of two, and of blocks
  untouched<line> all_;
};

}  // namespace bench::locality
