// matmul on tine: the four quadrants of C in parallel, first one half of their sums, then the other.
#include "programs/matmul/problem.hpp"

#include <tine/tine.hpp>

namespace bench::matmul {
namespace {

/// Runs four branches in parallel as two pairs.
template <class F1, class F2, class F3, class F4>
void par4(F1 f1, F2 f2, F3 f3, F4 f4) {
  tine::par([&] { tine::par(f1, f2); }, [&] { tine::par(f3, f4); });
}

/// Adds the product of a and b, of size n, to c.
[[gnu::noinline]] void multiply(view a, view b, view c, int n) {
  if (n == leaf_size) return multiply_leaf(a, b, c);
  const int half = n / 2;
  const quadrants A{a, half}, B{b, half}, C{c, half};
  par4([&] { multiply(A.q11, B.q11, C.q11, half); }, [&] { multiply(A.q11, B.q12, C.q12, half); },
       [&] { multiply(A.q21, B.q11, C.q21, half); }, [&] { multiply(A.q21, B.q12, C.q22, half); });
  par4([&] { multiply(A.q12, B.q21, C.q11, half); }, [&] { multiply(A.q12, B.q22, C.q12, half); },
       [&] { multiply(A.q22, B.q21, C.q21, half); }, [&] { multiply(A.q22, B.q22, C.q22, half); });
}

}  // namespace

void managed(const problem& p) { multiply(p.a.all(), p.b.all(), p.c.all(), p.n); }

}  // namespace bench::matmul
