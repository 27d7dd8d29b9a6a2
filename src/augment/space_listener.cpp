// See space_listener.hpp.
#include "augment/space_listener.hpp"

#include "augment/preloaded_slot.hpp"

#include <tine/detail/base/atomic.hpp>

#include <cstdlib>

namespace tine::detail {
namespace {

using slot_type = base::atomic<space_listener>;

base::atomic<bool> heard{false};
void hear(std::int64_t) noexcept { heard.store(true, base::relaxed); }  // relaxed: a call on any thread is proof

/// Returns true if this program's malloc is the hook's. A malloc that is linked into the program comes before preloaded
/// libraries.
bool hears(slot_type& slot) noexcept {
  const space_listener before = slot.exchange(&hear, base::acq_rel);  // pairs with itself, and as in listen_to_space
  heard.store(false, base::relaxed);
  void* volatile some = std::malloc(1);
  std::free(some);
  slot.store(before, base::release);  // pairs as in listen_to_space
  return heard.load(base::relaxed);
}

}  // namespace

space_hook listen_to_space(space_listener to) noexcept {
  const char* const text = std::getenv("TINE_SPACE_LISTENER");
  if (text == nullptr) return space_hook::absent;
  slot_type* const slot = preloaded_slot<slot_type>(text, "libtine_space");
  if (slot == nullptr) return space_hook::foreign;
  if (!hears(*slot)) return space_hook::bypassed;
  // Release pairs with the acquire in tell of the hook, so that a call of the listener sees the data that it reads.
  slot->store(to, base::release);
  return space_hook::listening;
}

}  // namespace tine::detail
