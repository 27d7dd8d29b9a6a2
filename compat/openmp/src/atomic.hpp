// The atomic words of the protocols that tests/model explores. In a model build (TINE_MODEL) they are Relacy's, so the
// models run the library's own code.
#pragma once

#ifdef TINE_MODEL
#include "model/standard_atomic.hpp"
#else
#include <atomic>
#endif

namespace tine::openmp {

#ifdef TINE_MODEL
template <class T>
using atomic = model::standard_atomic<T>;
using model::fence;
#else
using std::atomic;
inline void fence(std::memory_order o) noexcept { std::atomic_thread_fence(o); }
#endif

}  // namespace tine::openmp
