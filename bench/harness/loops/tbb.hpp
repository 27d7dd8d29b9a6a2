// Loops on oneTBB, which chooses the grain (auto_partitioner); see managed.hpp.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>

namespace bench {

struct tbb_loops {
  template <class I, class Body>
  void for_each(I lo, I hi, const Body& body) const {
    ::tbb::parallel_for(::tbb::blocked_range<I>{lo, hi}, [&body](const ::tbb::blocked_range<I>& part) {
      for (I i = part.begin(), end = part.end(); i != end; ++i) body(i);
    });
  }

  template <class I, class T, class Map, class Combine>
  T reduce(I lo, I hi, const T& identity, const Map& map, const Combine& combine) const {
    return ::tbb::parallel_reduce(
        ::tbb::blocked_range<I>{lo, hi}, identity,
        [&](const ::tbb::blocked_range<I>& part, T result) {
          for (I i = part.begin(), end = part.end(); i != end; ++i) result = combine(result, map(i));
          return result;
        },
        combine);
  }

  template <class F, class G>
  void fork(const F& f, const G& g) const {
    ::tbb::parallel_invoke(f, g);
  }
};

}  // namespace bench
