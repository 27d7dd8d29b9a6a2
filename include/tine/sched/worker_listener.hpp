// worker_listener: code that threads call when they begin and end to work for a pool.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/sched/pool.hpp>

namespace tine {

/// Code that threads of a pool call before they work for it, and afterwards: to bind a thread to a processor, to set
/// its floating-point control words, or to count. Attach it by `tine::listen`.
///
/// A thread calls `begins` before it runs its first task, or its next one if the listener is new, and `ends` before it
/// sleeps, for want of work, or leaves the pool. So the two calls alternate on each thread.
///
/// Thread-safety: several threads may call the functions at once. They must not fork, wait for strands of the pool, or
/// throw.
class worker_listener {
 public:
  /// The calling thread is going to work. `is_caller`: it has called `pool::run`; otherwise it is the pool's own.
  virtual void begins(bool is_caller) noexcept = 0;
  /// The calling thread won't work for a while. There was a call of `begins` before.
  virtual void ends(bool is_caller) noexcept = 0;

 protected:
  worker_listener() = default;
  worker_listener(const worker_listener&) = default;
  worker_listener& operator=(const worker_listener&) = default;
  ~worker_listener() = default;
};

/// From now on the threads of the pool call the listener. It must live until `stop_listening`. Throws std::bad_alloc.
/// Thread-safety: any thread may call it, also a worker.
TINE_API void listen(pool& to, worker_listener& with);

/// When this returns, no thread is in a call of the listener, and none will call it: threads that have called `begins`
/// don't call `ends` any more. Don't call it in a function of a listener.
TINE_API void stop_listening(pool& to, worker_listener& with) noexcept;

}  // namespace tine
