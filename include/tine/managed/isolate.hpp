// isolate: a region whose strands fork in parallel, but do no other work while they wait. It acts on the calling strand
// and on what that strand forks. Any thread may enter one.
#pragma once

#include <tine/detail/sched/region.hpp>
#include <tine/detail/sched/scope.hpp>
#include <tine/managed/sequential.hpp>
#include <tine/sched/pool.hpp>

#include <utility>

namespace tine {

/// Runs `f()`, and returns its result. Forks and loops inside run in parallel as elsewhere, but a strand that waits
/// there for a branch blocks its thread, instead of leaving it to other work. So nothing else runs on this thread until
/// `f` has ended: `f` may hold a mutex over forks, or keep data for each thread or `worker_index()` over them.
///
///     const std::lock_guard held{mutex};
///     tine::isolate([&] { tine::par_for(0, n, [&](int i) { table[i] = entry(i); }); });
///
/// Branches and iterations that other workers take are isolated in turn, on the threads of those workers. They must not
/// lock what `f` has locked, because `f` waits for them. Forks made before the call may still be stolen meanwhile, and
/// tasks submitted inside are not isolated.
///
/// The price is processor time: a worker that waits does nothing, where it otherwise would steal. Entering costs some
/// nanoseconds, and a fork inside costs what it costs elsewhere. An exception leaves `isolate` as it would leave `f`.
/// Nested calls change nothing. Waits at locks and for task groups block the thread, too, so they must not need this
/// thread to end. Don't wait inside for a submitted root: it starts on an idle worker, and all workers may be waiting.
///
/// Code inside can't run a `tine::task`, which may continue on other threads: that throws std::logic_error. While a run
/// is recorded or replayed, `isolate` is `tine::sequential`, so that the schedule says what happened.
template <class F>
auto isolate(F&& f) -> decltype(std::forward<F>(f)()) {
  if (sched::hot::self() == nullptr) {
    const auto inside = [&]() -> decltype(auto) { return tine::isolate(std::forward<F>(f)); };
    return sched::call_in_default_pool(inside);
  }
  if (sched::region_strand::current() != nullptr) return tine::sequential(std::forward<F>(f));
  const sched::isolation here;
  return std::forward<F>(f)();
}

/// Returns true if the calling code is inside `tine::isolate`, or in a branch that was forked there.
inline bool is_isolated() noexcept { return sched::is_isolated(); }

}  // namespace tine
