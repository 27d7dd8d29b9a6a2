// The search for the allocation hook through the environment. The variable may outlive the hook: children inherit it, and exec
// keeps the process id. So the word is written only if the variable names this process and the word lies in a library of the hook's
// name.
#include "augment/space_listener.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/object_at.hpp>

#include <dlfcn.h>
#include <unistd.h>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace tine::detail {
namespace {

using slot_type = base::atomic<space_listener>;

/// Reads all of `text` as a number.
template <class N>
bool read(std::string_view text, N& number, int radix) noexcept {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, radix);
  return error == std::errc{} && end == text.data() + text.size();
}

/// Returns the published slot, or null.
slot_type* published(std::string_view text) noexcept {
  const std::size_t colon = text.find(':');
  long process = 0;
  std::uintptr_t address = 0;
  if (colon == text.npos || !read(text.substr(0, colon), process, 10) || !read(text.substr(colon + 1), address, 16)) {
    return nullptr;
  }
  if (process != static_cast<long>(getpid()) || address % alignof(slot_type) != 0) return nullptr;
  auto* const slot = base::from_word<slot_type>(address);
  Dl_info object{};
  if (dladdr(slot, &object) == 0 || object.dli_fname == nullptr) return nullptr;
  return std::string_view{object.dli_fname}.find("libtine_space") != std::string_view::npos ? slot : nullptr;
}

base::atomic<bool> heard{false};
void hear(std::int64_t) noexcept { heard.store(true, base::relaxed); }  // relaxed: a call on any thread is proof

/// Returns true if this program's malloc is the hook's. A malloc that is linked into the program comes before preloaded libraries.
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
  slot_type* const slot = published(text);
  if (slot == nullptr) return space_hook::foreign;
  if (!hears(*slot)) return space_hook::bypassed;
  // Release pairs with the acquire in tell of the hook, so that a call of the listener sees the data that it reads.
  slot->store(to, base::release);
  return space_hook::listening;
}

}  // namespace tine::detail
