// isolated: a call during which the calling thread runs nothing from outside of it. Any strand may call it.
#pragma once

#if __has_include(<tine/managed/isolate.hpp>)
#include <tine/managed/isolate.hpp>
#else
#include <tine/managed/sequential.hpp>
#endif
#include <tine/sched/pool.hpp>

namespace tbb {
namespace detail {
namespace on_tine {

template <class F>
auto isolated(F& f) -> decltype(f()) {
  // A thread outside of every pool does no other work: while its algorithm waits, it works for that algorithm only.
  if (!tine::this_worker()) return f();
#if __has_include(<tine/managed/isolate.hpp>)
  return tine::isolate(f);
#else
  return tine::sequential(f);
#endif
}

}  // namespace on_tine
}  // namespace detail
}  // namespace tbb
