// matmul on oneTBB and OpenMP.
#include "problem.hpp"

#include <tbb/parallel_invoke.h>

namespace bench {
namespace {

// On oneTBB: the four quadrants of C in parallel, first one half of their sums, then the other.

/// Adds the product of a and b, of size n, to c.
[[gnu::noinline]] void tbb_multiply(view a, view b, view c, int n) {
  if (n == leaf_size) return multiply_leaf(a, b, c);
  const int half = n / 2;
  const quadrants A{a, half}, B{b, half}, C{c, half};
  ::tbb::parallel_invoke(
      [&] { tbb_multiply(A.q11, B.q11, C.q11, half); }, [&] { tbb_multiply(A.q11, B.q12, C.q12, half); },
      [&] { tbb_multiply(A.q21, B.q11, C.q21, half); }, [&] { tbb_multiply(A.q21, B.q12, C.q22, half); });
  ::tbb::parallel_invoke(
      [&] { tbb_multiply(A.q12, B.q21, C.q11, half); }, [&] { tbb_multiply(A.q12, B.q22, C.q12, half); },
      [&] { tbb_multiply(A.q22, B.q21, C.q21, half); }, [&] { tbb_multiply(A.q22, B.q22, C.q22, half); });
}

// On OpenMP tasks: the four quadrants of C in parallel, first one half of their sums, then the other.

/// Adds the product of a and b, of size n, to c.
[[gnu::noinline]] void openmp_multiply(view a, view b, view c, int n) {
  if (n == leaf_size) return multiply_leaf(a, b, c);
  const int half = n / 2;
  const quadrants A{a, half}, B{b, half}, C{c, half};
#pragma omp task default(none) shared(A, B, C, half)
  openmp_multiply(A.q11, B.q11, C.q11, half);
#pragma omp task default(none) shared(A, B, C, half)
  openmp_multiply(A.q11, B.q12, C.q12, half);
#pragma omp task default(none) shared(A, B, C, half)
  openmp_multiply(A.q21, B.q11, C.q21, half);
  openmp_multiply(A.q21, B.q12, C.q22, half);
#pragma omp taskwait

#pragma omp task default(none) shared(A, B, C, half)
  openmp_multiply(A.q12, B.q21, C.q11, half);
#pragma omp task default(none) shared(A, B, C, half)
  openmp_multiply(A.q12, B.q22, C.q12, half);
#pragma omp task default(none) shared(A, B, C, half)
  openmp_multiply(A.q22, B.q21, C.q21, half);
  openmp_multiply(A.q22, B.q22, C.q22, half);
#pragma omp taskwait
}

}  // namespace

void tbb(const problem& p) { tbb_multiply(p.a.all(), p.b.all(), p.c.all(), p.n); }
void openmp(const problem& p) { openmp_multiply(p.a.all(), p.b.all(), p.c.all(), p.n); }

}  // namespace bench
