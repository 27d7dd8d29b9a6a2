// Loops, forks and tasks on oneTBB, which chooses the grain (auto_partitioner), and on OpenMP's taskloop, because the
// root of a run is already inside the parallel region, on one of its threads; see managed.hpp.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_group.h>
#include <type_traits>

namespace bench {

/// Tasks that a function starts and waits for.
class tbb_group {
 public:
  template <class F>
  [[gnu::always_inline]] void run(const F& f) {
    group_.run(f);
  }
  [[gnu::always_inline]] void wait() { group_.wait(); }

 private:
  ::tbb::task_group group_;
};

struct openmp_group {
  template <class F>
  [[gnu::always_inline]] void run(const F& f) {
#pragma omp task default(none) firstprivate(f)
    f();
  }
  [[gnu::always_inline]] void wait() {
#pragma omp taskwait
  }
};

/// Starts a task for the first branch, and calls the second.
template <class Tasks, class F, class G, class Combine>
[[gnu::always_inline]] inline auto fork_task(const F& f, const G& g, const Combine& combine) {
  std::invoke_result_t<F> a{};
  Tasks forked;
  forked.run([&a, f] { a = f(); });
  const auto b = g();
  forked.wait();
  return combine(a, b);
}

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

  template <class F, class G, class Combine>
  [[gnu::always_inline]] auto fork(const F& f, const G& g, const Combine& combine) const {
    return fork_task<tbb_group>(f, g, combine);
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

  template <class F, class G, class Combine>
  [[gnu::always_inline]] auto fork(const F& f, const G& g, const Combine& combine) const {
    return fork_task<openmp_group>(f, g, combine);
  }
};

}  // namespace bench
