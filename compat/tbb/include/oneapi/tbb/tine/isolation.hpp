// isolated: a call during which the calling thread runs nothing from outside of it. Any strand may call it.
#pragma once

#include <tine/managed/isolate.hpp>
#include <tine/sched/pool.hpp>

namespace tbb {
namespace detail {
namespace on_tine {

template <class F>
auto isolated(F& f) -> decltype(f()) {
  // A thread outside of every pool does no other work: while its algorithm waits, it works for that algorithm only.
  if (!tine::this_worker()) return f();
  return tine::isolate(f);
}

}  // namespace on_tine
}  // namespace detail
}  // namespace tbb
