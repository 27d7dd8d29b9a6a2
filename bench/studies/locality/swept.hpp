// An array in blocks, and phases over it that fork in halves down to single blocks.
#pragma once

#include "harness/blocks/halved.hpp"
#include "harness/loops/managed.hpp"
#include "harness/splitmix.hpp"
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
  void initialise() {
    for_blocks([this](line* block) {
      for (std::size_t i = 0; i < lines_; ++i)
        for (std::size_t k = 0; k < 8; ++k)
          block[i].elements[k] = first_value(8 * (static_cast<std::size_t>(block - all_.data()) + i) + k);
    });
  }

  void sweep() { way_ == order::ascending ? sweep_ascending() : sweep_linked(); }

  bool is_right(std::uint64_t sweeps) const {
    for (std::size_t i = 0; i < 8 * all_.size(); ++i) {
      const bool is_swept = way_ == order::ascending || i % 8 == 1;
      if (all_[i / 8].elements[i % 8] != first_value(i) + (is_swept ? sweeps : 0)) return false;
    }
    return true;
  }

 private:
  struct line {
    std::uint64_t elements[8];
  };

  /// Calls work(block) for each block.
  template <class Work>
  void for_blocks(const Work& work) {
    halved_blocks<managed_loops>{}(static_cast<int>(blocks_),
                                   [all = all_.data(), size = lines_, &work](int b, int /*e*/) {
                                     work(all + static_cast<std::size_t>(b) * size);
                                   });
  }

  /// Returns the initial value of an element. Each line of a linked block begins with a link to another line. The links
  /// form a cycle through all lines of a block, in an order that looks random (Hull and Dobell 1962).
  std::uint64_t first_value(std::size_t element) const {
    if (way_ == order::linked && element % 8 == 0) return (element / 8 * 5 + 1) % lines_;
    std::uint64_t value = element;
    for (int round = 0; round < 8; ++round) value = splitmix{value}();
    return value;
  }

  void sweep_ascending() {
    for_blocks([size = lines_](line* block) {
      for (line* each = block; each != block + size; ++each)
        for (std::uint64_t& element : each->elements) ++element;
    });
  }

  void sweep_linked() {
    for_blocks([size = lines_](line* block) {
      std::size_t at = 0;
      for (std::size_t i = 0; i < size; ++i) {
        ++block[at].elements[1];
        at = block[at].elements[0];
      }
    });
  }

  const order way_;
  const std::size_t lines_, blocks_;  // number of lines of a block, a power of two, and of blocks
  untouched<line> all_;
};

}  // namespace bench::locality
