// A checksum, by which two arrays can be compared bit by bit.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace bench {

/// Returns a polynomial of the elements' bits modulo 2^64; a single different element always changes it. `start` is the checksum of
/// the elements before `first`.
inline std::uint64_t checksum(const double* first, std::size_t size, std::uint64_t start = 0) {
  std::uint64_t sum = start;
  for (const double* each = first; each != first + size; ++each)
    sum = sum * 0x9e3779b97f4a7c15 + std::bit_cast<std::uint64_t>(*each);
  return sum;
}

}  // namespace bench
