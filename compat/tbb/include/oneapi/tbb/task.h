// tbb::task: a strand that suspends until a thread resumes it. Any thread may resume it.
#ifndef __TBB_task_H
#define __TBB_task_H

#include <tine/sched/pool.hpp>
#include <tine/sync/semaphore.hpp>

#include <concepts>

#if __has_include(<oneapi/tbb/detail/_task.h>)
#include <oneapi/tbb/detail/_task.h>  // oneTBB's containers expect its declarations of the header whose guard this is
#endif

namespace tbb {
namespace detail {
namespace on_tine {

class suspended_strand {
 public:
  void wait() noexcept { resumed_.acquire(); }
  void resume() noexcept { resumed_.release(); }

 private:
  tine::binary_semaphore resumed_{0};
};

/// Names a strand that is suspended, or about to be.
using suspend_point = suspended_strand*;

/// Calls `f(point)`, and suspends the strand until `resume(point)` has been called, maybe by `f`. Meanwhile its worker
/// runs other work. The strand continues on the same thread.
template <std::invocable<suspend_point> F>
void suspend(F f) {
  tine::run([&] {
    suspended_strand here;
    f(&here);
    here.wait();
  });
}

/// Resumes a strand, once for each `suspend`.
inline void resume(suspend_point point) { point->resume(); }

template <class T>
inline constexpr bool is_never = false;

template <class T = void>
void current_context() {
  static_assert(is_never<T>,
                "tine: tbb::task::current_context isn't supported: pass the task_group_context to the body");
}

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
namespace task {
using detail::on_tine::current_context;
using detail::on_tine::resume;
using detail::on_tine::suspend;
using detail::on_tine::suspend_point;
}  // namespace task
}  // namespace v1
}  // namespace tbb

#endif
