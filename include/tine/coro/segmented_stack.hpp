// Geometric segmented stacks (libfork, §III-A): where frames live. A stack is a list of stacklets, each at least twice
// as long as the one before; an emptied one is kept, so that a call at the border does not pay for it again and again.
//
// Allocating and releasing are a few instructions on the strand's words. A release only moves the top back; that it has
// left the newest stacklet is noticed by the next allocation.
#pragma once

#include <tine/coro/strand.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace tine::detail {

/// A stacklet's head; its memory follows. The oldest one's also stands for the whole stack.
struct alignas(16) stacklet {
  stacklet* older;
  stacklet* newer;  ///< an emptied one, kept
  std::size_t length;

  std::byte* begin() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
  std::byte* end() noexcept { return begin() + length; }
  bool holds(const std::byte* top) noexcept { return begin() <= top && top <= end(); }

 protected:
  friend class segmented_stack;
  stacklet* newest_;  ///< of the oldest one: the stack's newest
  std::byte* top_;    ///< of the oldest one: the top, when a strand entered or left it last; else: the one before's top
  const sched::scope* scope_;  ///< of the oldest one: the stop scope of those who live here
};
static_assert(sizeof(stacklet) == 48, "libfork's bound on the overhead counts on it");

/// A whole stack. Belongs to one strand at a time, or to a frame whose join nobody has won yet.
class segmented_stack : private stacklet {
 public:
  /// The bytes of the first stacklet, head included.
  static constexpr std::size_t first_bytes = 4096 - 16;

  /// Gives the strand an empty stack, a spare one if there is one. False: there is no memory for it.
  static bool begin() noexcept;
  /// Takes the strand's stack, which is empty, away from it; it becomes a spare.
  static void end() noexcept;
  /// The strand leaves its stack, with all that is on it.
  static segmented_stack* leave() noexcept;
  /// The strand, which has none, gets this stack.
  void take() noexcept;
  /// The innermost stop scope of the frames that live here.
  const sched::scope* scope() const noexcept { return scope_; }
  /// The strand's stack; null if it has none.
  static segmented_stack* current() noexcept { return reinterpret_cast<segmented_stack*>(strand::get<stack_object>()); }

  /// Whether nothing is left in the stacklet that the top is in; while no strand has it. (A frame too large for the first
  /// stacklet leaves the top in a later one when it goes.)
  bool is_empty() noexcept;

  /// The slow path of allocate: the top has left the newest stacklet, or there is no room in it, or there is no stack.
  /// Null if the system has no memory left.
  static void* allocate_slowly(std::size_t bytes) noexcept;
  /// The same for frames: ends the program with a message instead.
  static void* allocate_frame_slowly(std::size_t bytes) noexcept;

  /// A longer stacklet is left when what it was made for is released.
  static constexpr std::size_t large_bytes = 16 << 10;
  /// The slow path of release_array: `where` is the begin of the newest stacklet, or outside of it.
  TINE_SLOW_PATH static void release_slowly(void* where) noexcept { release_plainly(where); }

  /// The bytes that the strand, which has this stack, has released since it was asked last. Only with a listener
  /// (src/sched/frame_bytes.hpp).
  std::int64_t take_released() noexcept;

  /// Ends the program with a message unless what was allocated up to `end` is the newest that is still there.
  static void check_top(const void* end) noexcept;

 private:
  friend class spare_stacks;
  TINE_COLD static void release_plainly(void* where) noexcept;
  std::byte* begin_of_all() noexcept { return stacklet::begin(); }
  static segmented_stack* create() noexcept;
  static void destroy(segmented_stack* s) noexcept;
  stacklet* stacklet_of(const std::byte* top) noexcept;
  static void drop_if_too_large(stacklet* last) noexcept;
  static stacklet* grow(stacklet* last, std::size_t bytes) noexcept;
  void enter(stacklet* s, std::byte* top) noexcept;
};

/// `bytes` of memory at the top of the strand's stack, aligned to 16; from `slowly` when it is not that simple.
TINE_ALWAYS_INLINE void* allocate_or(void* (*slowly)(std::size_t) noexcept, std::size_t bytes) noexcept {
  bytes = (bytes + 15) & ~std::size_t{15};
  const std::uintptr_t top = strand::get<stack_top>();
  if (sched::hot::is_outside_strand<stacklet_begin, stacklet_length>(top, bytes)) [[unlikely]] {
    return slowly(bytes);
  }
  strand::set<stack_top>(top + bytes);
  return reinterpret_cast<void*>(top);
}

/// Never null.
TINE_ALWAYS_INLINE void* allocate_frame(std::size_t bytes) noexcept {
  return allocate_or(&segmented_stack::allocate_frame_slowly, bytes);
}

/// Up to PTRDIFF_MAX bytes; no bytes have an address, too. Throws std::bad_alloc.
TINE_ALWAYS_INLINE void* allocate_array(std::size_t bytes) {
  void* where = allocate_or(&segmented_stack::allocate_slowly, bytes);
  if (where == nullptr) [[unlikely]]
    throw std::bad_alloc{};
  return where;
}

/// Releases `where` and everything allocated after it.
TINE_ALWAYS_INLINE void release(void* where) noexcept { strand::set<stack_top>(where); }

/// The same, and a stacklet that was made for one large array is no longer used.
TINE_ALWAYS_INLINE void release_array(void* where) noexcept {
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(where) + strand::get<stacklet_begin>();
  if (offset - 1 >= strand::get<stacklet_length>()) [[unlikely]] {
    segmented_stack::release_slowly(where);
  } else {
    release(where);
  }
}

}  // namespace tine::detail
