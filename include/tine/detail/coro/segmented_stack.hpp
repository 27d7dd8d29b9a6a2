// Geometric segmented stacks, on which frames live (libfork, §III-A). A stack is a list of stacklets, each at least
// twice as long as the one before. We keep one emptied stacklet, so that a call at the border doesn't allocate again
// and again.
//
// Allocating and releasing take a few instructions on fiber-local words. A release only moves the top back; the next
// allocation notices when the top has left the newest stacklet.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/coro/fiber_state.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace tine::detail {

/// The head of a stacklet; its memory follows. The oldest stacklet's head also stands for the whole stack.
struct alignas(16) stacklet {
  stacklet* older;
  stacklet* newer;  ///< the next newer one; of the newest stacklet: an emptied one that we keep
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

/// A whole stack. It belongs to one strand at a time, or to a frame whose join has not been won yet; only the owner may
/// touch it.
class segmented_stack : private stacklet {
 public:
  /// The bytes of the first stacklet, including its head.
  static constexpr std::size_t first_bytes = 4096 - 16;

  /// Gives the strand an empty stack, if possible a spare one. Returns false if there is no memory for it.
  static bool begin() noexcept;
  /// Takes the empty stack away from the strand; it becomes a spare or is freed.
  TINE_API static void end() noexcept;
  /// Takes the stack away from the strand with everything that is on it, and returns it; null if the strand has none.
  static segmented_stack* leave() noexcept;
  /// Gives this stack to the strand, which must have none.
  void take() noexcept;
  /// Returns the innermost stop scope of the frames that live here.
  const sched::scope* scope() const noexcept { return scope_; }
  /// Returns the strand's stack; null if it has none.
  static segmented_stack* current() noexcept {
    return base::from_word<segmented_stack>(fiber_state::get<stack_object>());
  }

  /// Returns true if the stacklet that the top is in is empty. Call it while no strand has the stack. (A frame too
  /// large for the first stacklet leaves the top in a later one when it ends.)
  bool is_empty() noexcept;

  /// The slow path of allocate: the top has left the newest stacklet, or there is no space in it, or there is no stack.
  /// Returns null if the system has no memory left.
  TINE_API static void* allocate_slowly(std::size_t bytes) noexcept;
  /// As allocate_slowly, for frames: ends the program with a message if there is no memory.
  TINE_API static void* allocate_frame_slowly(std::size_t bytes) noexcept;

  /// Above this length a stacklet was made for one large array, and the strand leaves it when that array is released.
  static constexpr std::size_t large_bytes = 16 << 10;
  /// The slow path of release_array: `where` is at the start of the newest stacklet, or outside of it.
  TINE_SLOW_PATH static void release_slowly(void* where) noexcept { release_plainly(where); }

  /// Returns how many bytes the strand that has this stack has released since the last call. Call it only while a
  /// listener is installed (src/sched/frame_bytes.hpp).
  std::int64_t take_released() noexcept;

  /// Ends the program with a message unless the memory that ends at `end` is the newest that is allocated.
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

/// The strictest alignment of a frame that we know to give with every compiler.
inline constexpr std::size_t most_frame_alignment = 64;

/// Returns the alignment of the frame of the coroutine into which the compiler inlines this; `bytes` is its size. g++
/// doesn't tell, but the size is a multiple of the alignment.
TINE_ALWAYS_INLINE std::size_t alignment_of_frame([[maybe_unused]] std::size_t bytes) noexcept {
#ifdef __clang__
  return __builtin_coro_align();
#else
  return (bytes | most_frame_alignment) & -(bytes | most_frame_alignment);
#endif
}

/// Allocates memory for a frame. Never returns null. A frame that needs more than 16 bytes of alignment starts behind a
/// gap, whose last word holds the top before the gap.
TINE_ALWAYS_INLINE void* allocate_frame(std::size_t bytes, std::size_t alignment = 16) noexcept {
  if (alignment <= 16) return allocate_or(&segmented_stack::allocate_frame_slowly, bytes);
  void* const gap = allocate_or(&segmented_stack::allocate_frame_slowly, bytes + alignment);
  const std::uintptr_t where = (base::to_word(gap) + alignment) & -alignment;
  ::new (base::from_word<void>(where - sizeof gap)) void*(gap);
  return base::from_word<void>(where);
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

/// As `release`, for a frame of this alignment.
TINE_ALWAYS_INLINE void release_frame(void* where, std::size_t alignment) noexcept {
  release(alignment <= 16 ? where : *base::from_word<void*>(base::to_word(where) - sizeof where));
}

/// As `release`, but also leaves a stacklet that was made for one large array.
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
