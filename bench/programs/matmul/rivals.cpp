// matmul on oneTBB and OpenMP.
#include "problem.hpp"

#include <tbb/parallel_invoke.h>

namespace bench {
namespace {

struct tbb_four {
  template <class F1, class F2, class F3, class F4>
  [[gnu::always_inline]] void operator()(const F1& f1, const F2& f2, const F3& f3, const F4& f4) const {
    ::tbb::parallel_invoke(f1, f2, f3, f4);
  }
};

/// Three tasks and a call.
struct openmp_four {
  template <class F1, class F2, class F3, class F4>
  [[gnu::always_inline]] void operator()(const F1& f1, const F2& f2, const F3& f3, const F4& f4) const {
#pragma omp task default(none) shared(f1)
    f1();
#pragma omp task default(none) shared(f2)
    f2();
#pragma omp task default(none) shared(f3)
    f3();
    f4();
#pragma omp taskwait
  }
};

}  // namespace

void tbb(problem& p) { solve<tbb_four>(p); }
void openmp(problem& p) { solve<openmp_four>(p); }

}  // namespace bench
