// A stand-in for ParlayLib: what its header of the same name declares, and how it chooses a scheduler.
#ifndef PARLAY_PARALLEL_H_
#define PARLAY_PARALLEL_H_

#include <cstddef>
#include <type_traits>
#include <utility>

namespace parlay {

using std::size_t;

inline size_t num_workers();
inline size_t worker_id();

template <typename F>
inline void parallel_for(size_t start, size_t end, F&& f, long granularity = 0, bool conservative = false);

template <typename Lf, typename Rf>
inline void par_do(Lf&& left, Rf&& right, bool conservative = false);

// code of the library that calls the functions before they are defined
template <typename F>
inline void blocked_for(size_t start, size_t end, size_t block_size, F&& f, bool conservative = false) {
  if (start >= end) return;
  const size_t blocks = (end - start + block_size - 1) / block_size;
  parallel_for(
      0, blocks,
      [&](size_t i) {
        const size_t from = start + i * block_size;
        f(i, from, end - from < block_size ? end : from + block_size);
      },
      0, conservative);
}

}  // namespace parlay

#if defined(PARLAY_TBB)
#include "internal/scheduler_plugins/tbb.h"
#else
#error "the plug-in for oneTBB is not chosen"
#endif

#endif
