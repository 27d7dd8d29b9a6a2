// Loops on oneTBB, which chooses the grain (auto_partitioner), and on OpenMP's taskloop, because the root of a run is
// already inside the parallel region, on one of its threads; see managed.hpp.
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

struct openmp_loops {
  /// `I` should be std::size_t: clang warns about any other type, because it compares the type with its own counter.
  template <class I, class Body>
  void for_each(I lo, I hi, const Body& body) const {
#pragma omp taskloop default(none) shared(lo, hi, body)
    for (I i = lo; i < hi; ++i) body(i);
  }

  /// `combine` must have no state, because a reduction's combiner can use only the two results.
  template <class I, class T, class Map, class Combine>
  T reduce(I lo, I hi, const T& identity, const Map& map, const Combine&) const {
#pragma omp declare reduction(combined:T : omp_out = Combine{}(omp_out, omp_in)) initializer(omp_priv = omp_orig)
    T result = identity;
#pragma omp taskloop default(none) shared(lo, hi, map) reduction(combined : result)
    for (I i = lo; i < hi; ++i) result = Combine{}(result, map(i));
    return result;
  }

  template <class F, class G>
  void fork(const F& f, const G& g) const {
#pragma omp task default(none) shared(f)
    f();
    g();
#pragma omp taskwait
  }
};

}  // namespace bench
