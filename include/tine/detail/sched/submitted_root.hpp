// Submitted roots: roots without a thread that waits for them inside the pool. A root lies on the heap, and counts its
// users: the handle, the worker that starts it, and a coroutine that has left that worker. Any of their threads may
// call its functions.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/end_listeners.hpp>
#include <tine/detail/sched/heap_task.hpp>
#include <tine/detail/sched/observer.hpp>
#include <tine/detail/sched/submission.hpp>
#include <tine/detail/sched/task.hpp>
#include <tine/sched/root_priority.hpp>

#include <exception>

namespace tine {
namespace sched {

class submitted_root : public heap_task {
 public:
  /// Submits the root to `pool`, where a worker starts it. The thread that has made the root calls this once. From now
  /// on the root has two users, the handle and the worker. If it throws std::bad_alloc, `drop` destroys the root.
  TINE_API void submit_to(pool_state& pool, root_priority how);
  void drop() noexcept { delete this; }

  bool has_ended() const noexcept { return listeners_.has_ended(); }
  /// Waits until the root has ended. A strand that waits leaves its worker to other work; inside tine::sequential, and
  /// outside of every pool, the thread waits.
  TINE_API void wait() noexcept;
  /// Calls `l` when the root has ended. Returns false if it has ended already.
  bool notify(end_listener& l) noexcept { return listeners_.add(l); }
  /// The root stops at its next fork or chunk. If it has not started, it doesn't start.
  TINE_API void request_stop() noexcept;
  /// If the root ends by an exception other than tine::stopped, the program ends with a message.
  TINE_API void detach() noexcept;

  void keep() noexcept { users_.fetch_add(1, base::relaxed); }  // relaxed: the caller is a user
  TINE_API void release() noexcept;
  /// Runs `body(*this)` as a root, so that the profiler sees the start and the end. For the `run` of a kind of root.
  TINE_API bool run_as_root(bool (*body)(task&) noexcept) noexcept;

 protected:
  explicit submitted_root(const descriptor& kind) noexcept : heap_task{kind} {}

  /// Called once, by the strand that ends the root, when the outcome is there. `threw`: the outcome is an exception.
  TINE_API void end(bool threw) noexcept;
  bool threw() const noexcept { return threw_; }

 private:
  void leave_worker() noexcept final { release(); }
  void wait_for_end() noexcept;
  void wait_inside() noexcept;
  virtual std::exception_ptr error() noexcept = 0;

  submission entry_{};
  site from_ = 0;  // where it was submitted, if the profiler asks for it
  pool_state* pool_ = nullptr;
  base::atomic<int> users_{2};
  base::atomic<unsigned> state_{0};
  end_listeners listeners_;
  bool threw_ = false;
};

}  // namespace sched
}  // namespace tine
