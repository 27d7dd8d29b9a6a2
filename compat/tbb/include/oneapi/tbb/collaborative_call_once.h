// collaborative_call_once: a function is called once. Threads that come meanwhile wait, and their workers run other
// work, for example that of the function. Any thread may call it.
#ifndef __TBB_collaborative_call_once_H
#define __TBB_collaborative_call_once_H

#include <tine/sched/pool.hpp>
#include <tine/sync/once_flag.hpp>

#include <utility>

namespace tbb {
namespace detail {
namespace on_tine {

class collaborative_once_flag : public tine::once_flag {};

/// Calls `f(args...)`, unless a call with this flag has returned. If the call throws, the next one calls its function.
template <class F, class... Args>
void collaborative_call_once(collaborative_once_flag& flag, F&& f, Args&&... args) {
  tine::run([&] { tine::call_once(flag, std::forward<F>(f), std::forward<Args>(args)...); });
}

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::collaborative_call_once;
using detail::on_tine::collaborative_once_flag;
}  // namespace v1
}  // namespace tbb

#endif
