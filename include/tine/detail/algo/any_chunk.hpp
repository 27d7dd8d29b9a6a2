// The loop under the algorithms that answer yes or no: the first subrange that settles the answer ends all others.
#pragma once

#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/base/atomic.hpp>

#include <cstdint>
#include <utility>

namespace tine::detail {

/// Returns true if `settles(begin, end)` returns true for one of the consecutive subranges of the numbers from 0 up to
/// `n`, which the runtime chooses. A subrange that settles the answer also stores it in a flag, which every chunk
/// reads, so that earlier subranges end, too.
template <class Settles>
TINE_ALWAYS_INLINE bool any_chunk(std::uint64_t n, Settles settles) {
  base::atomic<bool> is_settled{false};
  return fold_chunks_until(
      n, [] { return false; },
      [&is_settled, settles = std::move(settles)](bool& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        if (so_far) return;
        // relaxed, here and below: a hint to end early; the joins carry the answer to the caller
        so_far = is_settled.load(base::relaxed);
        if (so_far || !settles(begin, end)) return;
        so_far = true;
        is_settled.store(true, base::relaxed);
      },
      [](bool& so_far, bool later) { so_far = so_far || later; }, [](bool so_far) { return so_far; });
}

}  // namespace tine::detail
