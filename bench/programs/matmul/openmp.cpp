// matmul on OpenMP tasks: the four quadrants of C in parallel, first one half of their sums, then the other.
#include "programs/matmul/problem.hpp"

namespace bench::matmul {
namespace {

/// Adds the product of a and b, of size n, to c.
[[gnu::noinline]] void multiply(view a, view b, view c, int n) {
  if (n == leaf_size) return multiply_leaf(a, b, c);
  const int half = n / 2;
  const quadrants A{a, half}, B{b, half}, C{c, half};
#pragma omp task default(none) shared(A, B, C, half)
  multiply(A.q11, B.q11, C.q11, half);
#pragma omp task default(none) shared(A, B, C, half)
  multiply(A.q11, B.q12, C.q12, half);
#pragma omp task default(none) shared(A, B, C, half)
  multiply(A.q21, B.q11, C.q21, half);
  multiply(A.q21, B.q12, C.q22, half);
#pragma omp taskwait

#pragma omp task default(none) shared(A, B, C, half)
  multiply(A.q12, B.q21, C.q11, half);
#pragma omp task default(none) shared(A, B, C, half)
  multiply(A.q12, B.q22, C.q12, half);
#pragma omp task default(none) shared(A, B, C, half)
  multiply(A.q22, B.q21, C.q21, half);
  multiply(A.q22, B.q22, C.q22, half);
#pragma omp taskwait
}

}  // namespace

void openmp(const problem& p) { multiply(p.a.all(), p.b.all(), p.c.all(), p.n); }

}  // namespace bench::matmul
