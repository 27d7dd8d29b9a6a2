// Finds the slot of libtine_space.so and puts a listener into it. Thread-safe.
#include "augment/space_listener.hpp"

#include "augment/preloaded_slot.hpp"

#include <tine/detail/base/atomic.hpp>

#include <cstdlib>

namespace tine::detail {
namespace {

using space_slot = base::atomic<space_listener>;

base::atomic<bool> heard_malloc{false};
void hear(std::int64_t) noexcept { heard_malloc.store(true, base::relaxed); }  // relaxed: a call on any thread is proof

/// Returns true if this program's malloc is that of the hook. A malloc that is linked into the program comes before
/// preloaded libraries.
bool hears(space_slot& slot) noexcept {
  const space_listener before = slot.exchange(&hear, base::acq_rel);  // pairs with itself, and as in listen_to_space
  heard_malloc.store(false, base::relaxed);
  void* volatile some = std::malloc(1);
  std::free(some);
  slot.store(before, base::release);  // pairs as in listen_to_space
  return heard_malloc.load(base::relaxed);
}

}  // namespace

space_hook listen_to_space(space_listener to) noexcept {
  const char* const text = std::getenv("TINE_SPACE_LISTENER");
  if (text == nullptr) return space_hook::absent;
  space_slot* const slot = preloaded_slot<space_slot>(text, "libtine_space");
  if (slot == nullptr) return space_hook::foreign;
  if (!hears(*slot)) return space_hook::bypassed;
  // Release pairs with the acquire in tell of the hook, so that a call of the listener sees the data that it reads.
  slot->store(to, base::release);
  return space_hook::listening;
}

}  // namespace tine::detail
