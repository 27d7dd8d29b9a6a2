// LLVM's stack maps after parsing: they locate the forks that compiled code has open at a call in the frame of that
// call. This part knows nothing of the scheduler.
#pragma once

#include <tine/managed/abi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace tine::detail {

/// An argument of an open fork, or its slot.
struct map_location {
  enum class anchor : std::uint8_t { none, stack_pointer, frame_pointer } from;
  std::int64_t value;  ///< the distance from the register, of a cell in the frame; or a constant

  friend bool operator==(const map_location&, const map_location&) = default;
};

struct mapped_fork {
  const tine_abi_kind* kind;
  map_location slot;
  std::span<const map_location> arguments;
};

/// The shape of a frame. It is looked up by the address to which the call in the frame returns.
struct frame_shape {
  std::uint64_t bytes =
      0;  ///< from the stack pointer, after the return, to that of the caller (x86-64: to the return address); 0: no such frame
  std::span<const mapped_fork> forks;  ///< outermost first
};

/// The maps of one module.
class stack_maps {
 public:
  /// Throws std::invalid_argument if they do not say what abi.h promises.
  explicit stack_maps(const tine_abi_frames& module);

  frame_shape at(std::uintptr_t return_address) const noexcept;

 private:
  struct call_site {
    std::uintptr_t return_address;
    std::uint64_t frame_bytes;
    std::uint32_t first, forks;  // a range of forks_
  };
  struct mapped_function {
    std::uintptr_t begin;
    std::uint64_t frame_bytes;
  };
  class reader;

  void add_call(reader& in, const mapped_function& f);

  std::uintptr_t code_, code_end_;
  const tine_abi_kind* const* kinds_;
  std::vector<mapped_function> functions_;  // sorted by begin
  std::vector<call_site> calls_;            // sorted by return address
  std::vector<mapped_fork> forks_;
  std::vector<map_location> arguments_;
};

}  // namespace tine::detail
