// Accesses under locks and by atomic operations. They are rare, so each location keeps a list of them, beside the cell that has the other
// accesses (ALL-SETS: Cheng, Feng, Leiserson, Randall and Stark 1998). Only the thread that holds the detector touches the lists.
#pragma once

#include "race/locksets.hpp"
#include "race/order.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tine::detail {

/// An access under a lock, to some bytes of an aligned word of 8 bytes.
struct guarded_access {
  strand_number strand;
  lockset held;
  std::uint16_t place;
  std::uint8_t bytes;  ///< a bit for each byte of the word
  bool writes, is_atomic;
};

/// Returns the accesses to the word of 8 bytes at this address; null if there are none.
std::vector<guarded_access>* guarded_at(std::uintptr_t word) noexcept;
/// As guarded_at, but makes an empty list if there is none.
std::vector<guarded_access>& guarded_list(std::uintptr_t word) noexcept;

void forget_guarded(std::uintptr_t begin, std::size_t bytes) noexcept;

}  // namespace tine::detail
