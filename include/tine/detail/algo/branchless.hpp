// Loops that choose items without a branch where branches would be mispredicted.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace tine::detail {

/// True if items are so cheap to copy that copying one in vain takes less time than a mispredicted branch.
template <class It>
inline constexpr bool branchless_items =
    std::contiguous_iterator<It> && std::is_trivially_copyable_v<std::iter_value_t<It>> &&
    std::copyable<std::iter_value_t<It>> && sizeof(std::iter_value_t<It>) <= 16;

/// The number of items that `branchless_blocks` hands out at most.
inline constexpr std::uint64_t branchless_block = 256;

/// Uninitialised storage for the items of a block, and for one more.
template <class T>
class stage {
 public:
  stage() noexcept { base::begin_objects(bytes_, sizeof bytes_); }
  T* items() noexcept { return base::object_at<T>(bytes_); }

 private:
  alignas(T) std::byte bytes_[(branchless_block + 1) * sizeof(T)];
};

/// Runs `branching(begin, end)` or `branchless(begin, end)` for one block of items after another. Both do the same, and
/// return the number of items that they have chosen. If nearly none or nearly all items of a block are chosen, the
/// processor predicts the branches of the next block, and the branching loop is faster; otherwise a branch takes
/// several times as long as the branchless loop takes for an item.
template <class Branching, class Branchless>
TINE_ALWAYS_INLINE void branchless_blocks(std::uint64_t begin, std::uint64_t end, const Branching& branching,
                                          const Branchless& branchless) {
  constexpr std::uint64_t few = 6;
  std::uint64_t chosen = 0;  // in the previous block
  while (begin != end) {
    const std::uint64_t stop = begin + std::min(branchless_block, end - begin);
    const bool is_predictable = chosen <= few || chosen >= branchless_block - few;
    chosen = is_predictable ? branching(begin, stop) : branchless(begin, stop);
    begin = stop;
  }
}

}  // namespace tine::detail
