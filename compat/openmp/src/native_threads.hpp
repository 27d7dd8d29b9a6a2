// Native threads for the members of a team. Most teams run as strands, many on one worker. But a threadprivate variable
// is a thread-local variable of the native thread, and a program that spins until another thread has written needs
// threads that run at once. Such programs get a native thread for each member, as libgomp gives them.
//
// Member 0 runs on the thread that meets the region. The others run on threads that belong to that thread, and wait
// there for its next region. So member `i` of one region is on the native thread of member `i` of the region before, as
// threadprivate asks for. All these threads are callers of one pool that has no workers of its own, and takes tasks of
// every root. A thread whose member waits is a thief. The thread numbers are bound (see thread_numbers.hpp), so that a
// task, too, sees the thread-local variables of the thread whose number it has.
//
// Why it can't deadlock: a member of such a team occupies no thread but its own. A thread that has stolen a task
// returns to its own member when the task ends or waits.
#pragma once

#include "task.hpp"

#include <atomic>
#include <cstdint>
#include <iterator>
#include <vector>

namespace tine::openmp {

struct team;

/// Returns true if the members of a region that calls `call` need native threads: TINE_OMP_THREADS says so, or the
/// program has OpenMP code in an executable or library with thread-local variables. Costs a few instructions, except
/// for the first regions of each function.
[[gnu::always_inline]] inline bool runs_natively(function call) noexcept;

class native_thread;

/// The members of a team but the first, from their start until all of them have ended. Belongs to the thread that meets
/// the region.
class native_members {
 public:
  /// Starts them. Ends the program with a message if the system gives no more threads.
  native_members(team& t, function call, void* data);
  ~native_members();
  native_members(const native_members&) = delete;
  native_members& operator=(const native_members&) = delete;

 private:
  std::vector<native_thread*> threads_;
};

/// Runs a member on the calling native thread. It returns when all members of the team have ended; meanwhile the thread
/// runs tasks of the team.
void run_native_member(team& t, int number, function call, void* data) noexcept;

/// Calls `f(argument)` in the pool of these threads.
void call_among_native_threads(void (*f)(void*), void* argument);

/// The slow path of `runs_natively`.
[[gnu::noinline]] bool looks_native(function call) noexcept;

namespace native {
/// Functions of regions that need no native threads, as far as we know; the lowest bits of an address choose its place.
inline std::atomic<function> seen[64];
}  // namespace native

inline bool runs_natively(function call) noexcept {
  const auto place = reinterpret_cast<std::uintptr_t>(call) / 4 % std::size(native::seen);
  // relaxed: nothing else depends on what was found
  if (native::seen[place].load(std::memory_order_relaxed) == call) [[likely]]
    return false;
  return looks_native(call);
}

}  // namespace tine::openmp
