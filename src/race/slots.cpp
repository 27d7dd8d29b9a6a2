// Slots of workers. Only the thread that holds the detector comes here.
#include "race/slots.hpp"

#include "race/found_races.hpp"
#include "race/shadow.hpp"

namespace tine::detail {
namespace {

/// The lock of a slot differs from all other locks: those are aligned, and that of atomic operations is 1.
std::uintptr_t lock_of(std::uintptr_t slot) noexcept { return slot << 3 | 5; }

}  // namespace

void choose_slot(context& c, std::uintptr_t begin, std::size_t bytes) noexcept {
  c.slots = {with_lock(chosen_slots(c), lock_of(begin), false), c.strand, c.order.last()};
  unit* const u = shadow::unit_of(shadow::entry(begin));
  const bool is_marked = u != nullptr && u->cell_at(begin).writer == of_worker;
  if (!is_marked && !shadow::mark(begin, bytes, of_worker))
    found_races::give_up("no memory was left for the shadow of the program's memory");
}

}  // namespace tine::detail
