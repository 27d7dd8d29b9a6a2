// Data of which each worker has a slot of its own. The detector runs all strands on one worker, so they share its
// slot. That is no race if each strand chooses the slot anew after its forks, joins and waits, because another worker
// may continue the strand there. So a strand that has chosen a slot holds a lock of that slot until then, as far as
// accesses to slots are concerned. They are checked as accesses under locks.
//
// Blocks of the heap that a strand allocates meanwhile belong to the slot, too, as the elements of a vector in it do.
#pragma once

#include "race/context.hpp"

#include <cstddef>
#include <cstdint>

namespace tine::detail {

/// Returns the locks of the slots that the running strand has chosen, if it has neither forked nor waited since.
inline lockset chosen_slots(const context& c) noexcept {
  return c.slots.by == c.strand && c.slots.newest == c.order.last() ? c.slots.chosen : 0;
}

/// The running strand has chosen this slot.
void choose_slot(context& c, std::uintptr_t begin, std::size_t bytes) noexcept;
/// The running strand may continue on another worker.
inline void forget_slots(context& c) noexcept { c.slots.chosen = 0; }

}  // namespace tine::detail
