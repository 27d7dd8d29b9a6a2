// Strands that a count of references orders: the strand that takes such a count to zero comes after all strands that
// have decremented it, in every schedule. So the destruction of an object of std::shared_ptr does not race with the
// accesses of its other owners.
#pragma once

#include "race/order.hpp"

#include <cstdint>

namespace tine::detail {

/// The running strand has decremented the count at this address.
void note_decrement(strand_number by, std::uintptr_t count, bool to_zero) noexcept;

/// Returns true if the running strand has taken a count to zero that the strand `earlier` had decremented before.
bool is_ordered_by_count(strand_number running, strand_number earlier) noexcept;

}  // namespace tine::detail
