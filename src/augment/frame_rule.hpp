// Unwinding a native stack as often as a program forks: the rule for each return address is read from the unwind tables
// once, and then a step to the caller is a few loads. Thread-safe.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>

#include <cstdint>

namespace tine::detail {

/// A function that has called another one, and waits for its return.
struct calling_frame {
  std::uintptr_t pc;  ///< the return address of the call; 0: there is no caller
  std::uintptr_t stack_pointer;
  std::uintptr_t frame_pointer;
  std::uintptr_t frame_pointer_at = 0;  ///< the word that holds the frame pointer's value; 0: only the register does
};

/// How a frame leads to its caller. The *canonical frame address* (CFA) is the stack pointer before the call.
struct frame_rule {
  /// `realigned`: the function has moved its frame to a multiple of more than 16. The CFA is in a word of the frame.
  enum class from : std::uint8_t { unknown, stack_pointer, frame_pointer, realigned };
  from base = from::unknown;
  bool saves_frame_pointer = false;  ///< otherwise the register still has the caller's
  std::int32_t cfa = 0;  ///< the CFA is this behind the register; realigned: the word is, from the frame pointer
  std::int32_t return_address = 0;  ///< where the return address is, from the CFA
  std::int32_t frame_pointer = 0;   ///< where the caller's frame pointer is, from the CFA; realigned: from the register
};

/// Returns the frame of the function into which this one is inlined, as if it had called another one here. Where we
/// don't know the registers, its `pc` is 0.
TINE_ALWAYS_INLINE calling_frame frame_here() noexcept {
  calling_frame f{0, 0, 0};
#if defined(__x86_64__)
  asm volatile("leaq 0(%%rip), %0; movq %%rsp, %1; movq %%rbp, %2"
               : "=&r"(f.pc), "=&r"(f.stack_pointer), "=&r"(f.frame_pointer));
#elif defined(__aarch64__)
  asm volatile("adr %0, .; mov %1, sp; mov %2, x29" : "=&r"(f.pc), "=&r"(f.stack_pointer), "=&r"(f.frame_pointer));
  f.pc += 4;  // as behind a call
#endif
  return f;
}

/// Returns the rule for a frame with this return address; an unknown one if the tables need more than a `frame_rule`,
/// as for frames of signals. Slow: it reads the tables.
frame_rule rule_for(std::uintptr_t pc) noexcept;

/// Moves to the caller of a frame. Returns false if the rule is unknown. Calls `note(address, word)` for each word that
/// decides where the caller's frame is, in the order in which we read them. The frame pointer is such a word where a
/// rule needs it; its address is 0 while the register has it.
template <class Note>
TINE_ALWAYS_INLINE bool step(calling_frame& f, const frame_rule& r, const Note& note) noexcept {
  using from = frame_rule::from;
  const auto behind = [](std::uintptr_t start, std::int32_t offset) {
    return start + static_cast<std::uintptr_t>(std::int64_t{offset});
  };
  const auto word = [](std::uintptr_t at) { return *base::from_word<const std::uintptr_t>(at); };
  const auto noted = [&](std::uintptr_t at) {
    const std::uintptr_t found = word(at);
    note(at, found);
    return found;
  };
  if (r.base == from::unknown) return false;
  if (r.base != from::stack_pointer) note(f.frame_pointer_at, f.frame_pointer);
  std::uintptr_t cfa = behind(r.base == from::stack_pointer ? f.stack_pointer : f.frame_pointer, r.cfa);
  std::uintptr_t saved = behind(cfa, r.frame_pointer);
  if (r.base == from::realigned) [[unlikely]] {
    cfa = noted(cfa);
    saved = behind(f.frame_pointer, r.frame_pointer);
  }
  f.pc = noted(behind(cfa, r.return_address));
  if (r.saves_frame_pointer) {
    f.frame_pointer = word(saved);
    f.frame_pointer_at = saved;
  }
  f.stack_pointer = cfa;
  return true;
}
TINE_ALWAYS_INLINE bool step(calling_frame& f, const frame_rule& r) noexcept {
  return step(f, r, [](std::uintptr_t, std::uintptr_t) {});
}

}  // namespace tine::detail
