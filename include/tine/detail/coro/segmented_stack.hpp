// Geometric segmented stacks (libfork, §III-A), on which frames live. A stack is a list of stacklets, each at least
// twice as long as the one before. An emptied stacklet is kept, so that a call at the border does not pay for a
// stacklet again and again.
//
// Allocating and releasing are a few instructions on fiber-local words. A release only moves the top back; the next
// allocation notices that the top has left the newest stacklet.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/coro/fiber_state.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace tine::detail {

/// A stacklet's head; its memory follows. The head of the oldest stacklet also stands for the whole stack.
struct alignas(16) stacklet {
  stacklet* older;
  stacklet* newer;  ///< the next newer one; in the newest stacklet: an emptied one that is kept
  std::size_t length;

  std::byte* begin() noexcept { return base::bytes_of(*this) + sizeof(stacklet); }
  std::byte* end() noexcept { return begin() + length; }
  bool holds(const std::byte* top) noexcept { return begin() <= top && top <= end(); }

 protected:
  friend class segmented_stack;
  stacklet* newest_;  ///< in the oldest stacklet: the stack's newest
  std::byte* top_;    ///< in the oldest: the top when a strand last entered or left it; else: the top of the one before
  const sched::scope* scope_;  ///< in the oldest: the stop scope of the frames that live here
};
static_assert(sizeof(stacklet) == 48, "libfork's bound on the overhead counts on it");

/// A whole stack. It belongs to one strand at a time, or to a frame whose join has not been won yet.
class segmented_stack : private stacklet {
 public:
  /// The bytes of the first stacklet, head included.
  static constexpr std::size_t first_bytes = 4096 - 16;

  /// Gives the strand an empty stack, a spare one if there is one. Returns false if there is no memory for a stack.
  static bool begin() noexcept;
  /// Takes the strand's stack, which must be empty, away from it; the stack becomes a spare, or is freed.
  TINE_API static void end() noexcept;
  /// Takes the stack away from the strand, with everything that is on it. Returns the stack; null if the strand has
  /// none.
  static segmented_stack* leave() noexcept;
  /// Gives this stack to the strand, which must have none.
  void take() noexcept;
  /// Returns the innermost stop scope of the frames that live here.
  const sched::scope* scope() const noexcept { return scope_; }
  /// Returns the strand's stack; null if it has none.
  static segmented_stack* current() noexcept {
    return base::from_word<segmented_stack>(fiber_state::get<stack_object>());
  }

  /// Returns true if nothing is left in the stacklet that the top is in. To be called while no strand has the stack. (A
  /// frame too large for the first stacklet leaves the top in a later one when it ends.)
  bool is_empty() noexcept;

  /// The slow path of allocate, for three cases: the top has left the newest stacklet, there is no space in it, or
  /// there is no stack. Returns null if the system has no memory left.
  TINE_API static void* allocate_slowly(std::size_t bytes) noexcept;
  /// As allocate_slowly, for frames: ends the program with a message instead of returning null.
  TINE_API static void* allocate_frame_slowly(std::size_t bytes) noexcept;

  /// A strand leaves a longer stacklet than this when the array for which the stacklet was made is released.
  static constexpr std::size_t large_bytes = 16 << 10;
  /// The slow path of release_array: `where` is the begin of the newest stacklet, or outside of it.
  TINE_SLOW_PATH static void release_slowly(void* where) noexcept { release_plainly(where); }

  /// Returns the number of bytes that the strand, which has this stack, has released since the last call. To be called
  /// only with a listener (src/sched/frame_bytes.hpp).
  std::int64_t take_released() noexcept;

  /// Ends the program with a message unless the memory that ends at `end` is the newest that is still allocated.
  TINE_API static void check_top(const void* end) noexcept;

 private:
  friend class spare_stacks;
  TINE_API TINE_COLD static void release_plainly(void* where) noexcept;
  std::byte* begin_of_all() noexcept { return stacklet::begin(); }
  static segmented_stack* create() noexcept;
  static void destroy(segmented_stack* s) noexcept;
  stacklet* stacklet_of(const std::byte* top) noexcept;
  static void drop_if_too_large(stacklet* last) noexcept;
  static stacklet* grow(stacklet* last, std::size_t bytes) noexcept;
  void enter(stacklet* s, std::byte* top) noexcept;
};

/// Returns `bytes` of memory at the top of the strand's stack, aligned to 16; calls `slowly` if they do not fit there.
TINE_ALWAYS_INLINE void* allocate_or(void* (*slowly)(std::size_t) noexcept, std::size_t bytes) noexcept {
  bytes = (bytes + 15) & ~std::size_t{15};
  const sched::hot::block b;
  const std::uintptr_t top = fiber_state::get<stack_top>(b);
  if (sched::hot::is_outside_fiber_local<stacklet_begin, stacklet_length>(top, bytes, b)) [[unlikely]] {
    return slowly(bytes);
  }
  fiber_state::set<stack_top>(top + bytes, b);
  return base::from_word<void>(top);
}

/// Allocates memory for a frame. Never returns null.
TINE_ALWAYS_INLINE void* allocate_frame(std::size_t bytes) noexcept {
  return allocate_or(&segmented_stack::allocate_frame_slowly, bytes);
}

/// Allocates up to PTRDIFF_MAX bytes; an allocation of 0 bytes has an address, too. Throws std::bad_alloc.
TINE_ALWAYS_INLINE void* allocate_array(std::size_t bytes) {
  void* where = allocate_or(&segmented_stack::allocate_slowly, bytes);
  if (where == nullptr) [[unlikely]]
    throw std::bad_alloc{};
  return where;
}

/// Releases `where` and everything allocated after it.
TINE_ALWAYS_INLINE void release(void* where) noexcept { fiber_state::set<stack_top>(where); }

/// As `release`, but a stacklet that was made for one large array is no longer used.
TINE_ALWAYS_INLINE void release_array(void* where) noexcept {
  const sched::hot::block b;
  const std::uintptr_t offset = base::to_word(where) + fiber_state::get<stacklet_begin>(b);
  if (offset - 1 >= fiber_state::get<stacklet_length>(b)) [[unlikely]] {
    segmented_stack::release_slowly(where);
  } else {
    release(where);
  }
}

}  // namespace tine::detail
