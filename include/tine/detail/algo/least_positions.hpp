// The positions of the least items of a range that must not change. Each series of items keeps its own.
#pragma once

#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/heap.hpp>
#include <tine/detail/base/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tine::detail {

/// Returns the positions of the `most` least of `n` items, in any order. `less(a, b)` compares the items at two
/// positions.
template <class Less>
std::vector<std::uint64_t> least_positions(std::uint64_t n, std::uint64_t most, const Less& less) {
  using positions = std::vector<std::uint64_t>;
  if (most == 0) return {};
  const auto heap_of = [&less](positions& least) {
    return item_heap{least.data(), static_cast<std::ptrdiff_t>(least.size()), less};
  };
  const auto add = [most, &less, heap_of](positions& least, std::uint64_t at) TINE_INLINED {
    if (least.size() != most) {
      least.push_back(at);
      if (least.size() == most) heap_of(least).make();
    } else if (less(at, least.front())) {
      heap_of(least).replace_top(&at);
    }
  };
  return fold_chunks(
      n, [] { return positions{}; },
      [&add](positions& least, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        for (; begin != end; ++begin) add(least, begin);
      },
      [&add](positions& least, positions&& later) {
        if (least.empty()) {
          least = std::move(later);
        } else {
          for (const std::uint64_t at : later) add(least, at);
        }
      });
}

}  // namespace tine::detail
