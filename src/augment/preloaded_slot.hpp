// The search for the word of a preloaded library that holds its listener. The library publishes it in an environment
// variable, as "<process id>:<address>". The variable may outlive the library: children inherit it, and exec keeps the
// process id. So the word is used only if the variable names this process and the word lies in a library of the right
// name.
#pragma once

#include <tine/detail/base/object_at.hpp>

#include <dlfcn.h>
#include <unistd.h>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace tine::detail {

/// Reads all of `text` as a number.
template <class N>
bool read_number(std::string_view text, N& number, int radix) noexcept {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, radix);
  return error == std::errc{} && end == text.data() + text.size();
}

/// Returns the slot that `text`, the value of the variable, publishes; null if it is not one of a library whose path
/// has `library` in it.
template <class Slot>
Slot* preloaded_slot(std::string_view text, std::string_view library) noexcept {
  const std::size_t colon = text.find(':');
  long process = 0;
  std::uintptr_t address = 0;
  if (colon == text.npos || !read_number(text.substr(0, colon), process, 10) ||
      !read_number(text.substr(colon + 1), address, 16)) {
    return nullptr;
  }
  if (process != static_cast<long>(getpid()) || address % alignof(Slot) != 0) return nullptr;
  auto* const slot = base::from_word<Slot>(address);
  Dl_info object{};
  if (dladdr(slot, &object) == 0 || object.dli_fname == nullptr) return nullptr;
  return std::string_view{object.dli_fname}.find(library) != std::string_view::npos ? slot : nullptr;
}

}  // namespace tine::detail
