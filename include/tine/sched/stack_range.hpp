// The interface for garbage collectors, beside managed/abi.h. It finds the memory in which the strands of a process
// keep their values, the threads that work for pools, and the stack pointers of stopped threads. Any thread may call
// these functions; each says what it expects.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <cstddef>
#include <cstdint>

namespace tine::sched {

/// Memory that holds values of strands: a part of a native stack, or of the records of open forks.
struct stack_range {
  const void* begin;
  const void* end;
};

/// The stacks that a thread has left, and in which state. Only the functions below look inside.
struct thread_stacks;

/// A registered thread, stopped at any instruction.
struct stopped_thread {
  const thread_stacks* stacks;  ///< what `stacks_of_this_thread` returned on that thread
  /// of the code that it runs; if that is a handler on an alternate stack, of the interrupted code
  const void* stack_pointer;
  const void* bottom;  ///< the oldest end of the thread's own stack, that is, its highest address
};

/// Returns the stack pointer of the code that a signal interrupted, or 0 if tine doesn't know this processor. `context`
/// is the third argument of the signal's handler; call it in that handler.
TINE_API std::uintptr_t interrupted_stack_pointer(const void* context) noexcept;

/// Returns the offset of the stack pointer in a ucontext_t, for a collector that looks for contexts on an alternate
/// signal stack.
TINE_API std::size_t stack_pointer_in_context() noexcept;

/// From now on each thread calls `arrives` before it starts to work for a pool. A pool's thread does so once, any other
/// thread at each call of `run`, so `arrives` is usually called again and again. It runs on the stack that the thread
/// is on then; it may lock and allocate, but not fork. Call this once, from a garbage collector that has to know all
/// threads. If there already is a pool, its threads would not call, so this returns false and does nothing.
/// Thread-safe.
TINE_API bool listen_to_threads(void (*arrives)() noexcept);

/// Returns the stacks of the calling thread, for `stopped_thread`. The result is valid until the thread ends.
TINE_API const thread_stacks* stacks_of_this_thread() noexcept;

/// `hold_stacks` waits until no thread maps or unmaps a stack, and prevents it until `release_stacks`. Meanwhile the
/// caller may stop threads at any instruction: none of them holds the lock. The caller must not fork, and must not call
/// anything of tine but the functions below.
TINE_API void hold_stacks() noexcept;
/// Ends what `hold_stacks` started. Only the thread that holds the stacks may call it.
TINE_API void release_stacks() noexcept;

/// Returns the highest address of the fiber's native stack that holds this address, or null if no fiber's does. The
/// caller holds the stacks.
TINE_API const void* fiber_bottom_at(const void* stack_pointer) noexcept;

/// Calls `visit` for every range that holds values of strands. It leaves out the native stacks that the threads run on,
/// from their stack pointers on. The ranges are
///
/// - native stacks of suspended fibers, and the own stacks of threads that work on fibers.
/// - if a fiber's thread works for an inner pool, the fiber's native stack from the point where it was left.
/// - each fiber's records of open forks.
///
/// All threads that work for pools must be among `threads`, and stopped, except for the calling one. The caller holds
/// the stacks.
TINE_API void visit_stack_ranges(const stopped_thread* threads, std::size_t count,
                                 void (*visit)(void* data, stack_range), void* data);

}  // namespace tine::sched
