// Remembers for each count what the strands knew that have decremented it. Only the thread that holds the detector
// comes here.
#include "race/note_decrement.hpp"

#include "race/detector_time.hpp"
#include "race/release_word.hpp"

#include <unordered_map>

namespace tine::detail {
namespace {

using counts = std::unordered_map<std::uintptr_t, known_strands>;  // by the address of the count

counts& all() {
  static counts& c = *new counts;  // never destroyed: programs run until their very end
  return c;
}

}  // namespace

void note_decrement(context& c, std::uintptr_t count, bool to_zero) noexcept {
  const detector_time here;
  if (!to_zero) {
    known_strands& known = all()[count];
    known = united(known, known_here(c, true));
    return;
  }
  const auto at = all().find(count);
  if (at == all().end()) return;
  acquire(c, at->second, 0);
  all().erase(at);
}

}  // namespace tine::detail
