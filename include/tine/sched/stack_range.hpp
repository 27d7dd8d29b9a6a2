// The interface for garbage collectors, beside managed/abi.h: the memory in which the strands of a process keep their
// values, the threads that work for pools, and the stack pointers of threads that a signal has stopped. Any thread may
// call these functions; each says what it expects.
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

/// The state of the stacks that a thread has left. Only the functions below look inside.
struct thread_stacks;

/// A registered thread, stopped at any instruction.
struct stopped_thread {
  const thread_stacks* stacks;  ///< what `stacks_of_this_thread` returned on that thread
  const void*
      stack_pointer;  ///< of the code that it runs; if that is a handler on an alternate stack, of the interrupted code
  const void* bottom;  ///< the oldest end of the thread's own stack, that is, its highest address
};

/// Returns the stack pointer of the code that a signal interrupted; 0 if this processor is unknown to tine. `context`
/// is the third argument of the signal's handler. May be called in that handler.
TINE_API std::uintptr_t interrupted_stack_pointer(const void* context) noexcept;

/// Returns the offset of the stack pointer in a ucontext_t, for a collector that looks for contexts on an alternate
/// signal stack.
TINE_API std::size_t stack_pointer_in_context() noexcept;

/// From now on each thread calls `arrives` before it begins to work for a pool: a thread of the pool once, any other
/// thread at each of its calls of `run`, in which case `arrives` is usually called again and again. `arrives` runs on
/// the stack on which the thread is then; it may lock and allocate, but not fork. Returns false, and does nothing, if
/// there is a pool already, because its threads would not call. To be called once, by a garbage collector that has to
/// know all threads. Thread-safe.
TINE_API bool listen_to_threads(void (*arrives)() noexcept);

/// Returns the stacks of the calling thread, for `stopped_thread`. The result is valid until the thread ends.
TINE_API const thread_stacks* stacks_of_this_thread() noexcept;

/// `hold_stacks` waits until no thread maps or unmaps a stack, and prevents it until `release_stacks`. Meanwhile the
/// caller may stop threads at any instruction: none of them holds the lock. The caller must not fork, and must not call
/// anything of tine but the functions below.
TINE_API void hold_stacks() noexcept;
/// Ends what `hold_stacks` began. The caller has it since then.
TINE_API void release_stacks() noexcept;

/// Returns the highest address of the native stack of the fiber that holds this address; null if it is not in one. The
/// caller holds the stacks.
TINE_API const void* fiber_bottom_at(const void* stack_pointer) noexcept;

/// Calls `visit` for all ranges that hold values of strands, except for the native stacks on which the threads are at
/// present, from their stack pointers on: of suspended fibers, of threads that work on fibers, and of fibers whose
/// threads work for an inner pool, the native stack from the point at which it was left; and of each fiber the records
/// of open forks. All threads that work for pools must be among `threads`, and stopped, except for the calling one. The
/// caller holds the stacks.
TINE_API void visit_stack_ranges(const stopped_thread* threads, std::size_t count,
                                 void (*visit)(void* data, stack_range), void* data);

}  // namespace tine::sched
