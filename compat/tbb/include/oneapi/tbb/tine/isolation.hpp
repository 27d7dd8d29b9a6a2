// isolated: a call during which the calling thread runs nothing from outside of it, and waits for mutexes of that kind.
// Any strand may call them.
#pragma once

#include <tine/managed/isolate.hpp>
#include <tine/sched/pool.hpp>

#include <functional>

namespace tbb {
namespace detail {
namespace on_tine {

template <class F>
auto isolated(F& f) -> decltype(f()) {
  // A thread outside of every pool does no other work: while its algorithm waits, it works for that algorithm only.
  if (!tine::this_worker()) return f();
  return tine::isolate(f);
}

/// Locks a mutex of tine as oneTBB does: a thread that waits for it runs nothing else, because programs keep data of
/// the thread meanwhile. `try_lock()` and `lock()` are the functions of the mutex.
template <class TryLock, class Lock>
void lock_on_this_thread(TryLock try_lock, Lock lock) {
  if (try_lock()) return;
  const std::function<void()> wait{lock};
  isolated(wait);
}

}  // namespace on_tine
}  // namespace detail
}  // namespace tbb
