// Strands that a count of references orders: the strand that takes such a count to zero comes after all strands that
// have decremented it, in every schedule. So destroying an object of std::shared_ptr does not race with the accesses of
// its other owners. Only the thread that holds the detector comes here.
#pragma once

#include "race/context.hpp"

#include <cstdint>

namespace tine::detail {

/// The running strand has decremented the count at this address.
void note_decrement(context& c, std::uintptr_t count, bool to_zero) noexcept;

}  // namespace tine::detail
