// Finds forks of compiled code that have no record yet in the native frames of the calling strand, and writes records
// of them.
#pragma once

#include <tine/managed/abi.h>

#include <cstddef>

namespace tine::detail {

void open_frames(tine_abi_frames& module);
void close_frames(tine_abi_frames& module) noexcept;
/// `returns`: the place on the stack where the return address into the module's frame lies.
void poll_frames(const tine_abi_frames& module, const std::byte* returns) noexcept;

}  // namespace tine::detail
