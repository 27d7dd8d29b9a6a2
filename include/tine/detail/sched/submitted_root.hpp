// Submitted roots: roots for which no thread waits inside the pool. A root lies on the heap, and counts its users: the
// handle, the worker that begins it, and a coroutine that has left that worker.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/end_listeners.hpp>
#include <tine/detail/sched/heap_task.hpp>
#include <tine/detail/sched/submission.hpp>
#include <tine/detail/sched/task.hpp>
#include <tine/sched/root_priority.hpp>

#include <exception>

namespace tine {
namespace sched {

class submitted_root : public heap_task {
 public:
  /// Submits the root to `pool`; a worker begins it. Called once, by the thread that has made it. From now on the root
  /// has two users, the handle and the worker. Throws std::system_error if the system refuses a thread; then `drop`
  /// destroys the root.
  TINE_API void submit_to(pool_state& pool, root_priority how);
  void drop() noexcept { delete this; }

  bool has_ended() const noexcept { return listeners_.has_ended(); }
  /// Waits until the root has ended. A strand that waits leaves its worker to other work; inside tine::sequential, and
  /// outside every pool, the thread waits.
  TINE_API void wait() noexcept;
  /// Calls `l` when the root has ended. Returns false if it has ended already.
  bool notify(end_listener& l) noexcept { return listeners_.add(l); }
  /// The root stops at its next fork or chunk; if it has not begun, it does not begin.
  TINE_API void request_stop() noexcept;
  /// If the root ends by an exception other than tine::stopped, the program ends with a message.
  TINE_API void detach() noexcept;

  void keep() noexcept { users_.fetch_add(1, base::relaxed); }  // relaxed: the caller is a user
  TINE_API void release() noexcept;

 protected:
  explicit submitted_root(const descriptor& kind) noexcept : heap_task{kind} {}

  /// Called once, by the strand that ends the root, when the outcome is there. `threw`: the outcome is an exception.
  TINE_API void end(bool threw) noexcept;
  bool threw() const noexcept { return threw_; }

 private:
  void leave_worker() noexcept final { release(); }
  virtual std::exception_ptr error() noexcept = 0;

  submission entry_{};
  pool_state* pool_ = nullptr;
  base::atomic<int> users_{2};
  base::atomic<unsigned> state_{0};
  end_listeners listeners_;
  bool threw_ = false;
};

/// Runs `body(t)` as a root: the profiler sees the begin and the end. For the `run` of a submitted root.
TINE_API bool run_as_root(task& t, bool (*body)(task&) noexcept) noexcept;

}  // namespace sched
}  // namespace tine
