// Sequences of indices whose memory is exactly as large as their elements.
#pragma once

#include "studies/quickhull/counted.hpp"

#include <tine/managed/par_for.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bench::quickhull {

using index = std::uint32_t;
using sequence = std::vector<index, counted<index>>;

/// Returns the indices for which `keep` returns true, in their order. Counts them by blocks first, so that the result has the
/// right size from the start.
template <class Keep>
sequence filter(const sequence& from, const Keep& keep) {
  constexpr std::size_t block = 4096;
  const std::size_t blocks = (from.size() + block - 1) / block;
  const auto begin = [&](std::size_t b) { return from.begin() + static_cast<std::ptrdiff_t>(b * block); };
  const auto end = [&](std::size_t b) { return b + 1 < blocks ? begin(b + 1) : from.end(); };

  std::vector<std::ptrdiff_t> starts(blocks + 1);
  tine::par_for(std::size_t{0}, blocks, [&](std::size_t b) { starts[b + 1] = std::count_if(begin(b), end(b), keep); });
  for (std::size_t b = 0; b < blocks; ++b) starts[b + 1] += starts[b];

  sequence to(static_cast<std::size_t>(starts[blocks]), purpose::filtered);
  tine::par_for(std::size_t{0}, blocks,
                [&](std::size_t b) { std::copy_if(begin(b), end(b), to.begin() + starts[b], keep); });
  return to;
}

/// Returns the elements of all `parts`, one part after the other.
inline sequence flatten(const std::vector<sequence>& parts) {
  std::size_t size = 0;
  for (const sequence& part : parts) size += part.size();
  sequence all(size, purpose::flattened);
  auto at = all.begin();
  for (const sequence& part : parts) at = std::copy(part.begin(), part.end(), at);
  return all;
}

/// Frees the memory, which std::vector's `clear` would keep.
inline void clear(sequence& s) { sequence{}.swap(s); }

}  // namespace bench::quickhull
