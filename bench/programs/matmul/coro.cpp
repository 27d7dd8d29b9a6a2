// matmul on tine's coroutines: the four quadrants of C in parallel, first one half of their sums, then the other.
#include "programs/matmul/problem.hpp"

#include <tine/coro.hpp>

namespace bench::matmul {
namespace {

/// Adds the product of a and b, of size n, to c.
tine::task<void> multiply(view a, view b, view c, int n) {
  if (n == leaf_size) {
    multiply_leaf(a, b, c);
    co_return;
  }
  const int half = n / 2;
  const quadrants A{a, half}, B{b, half}, C{c, half};
  co_await tine::fork(multiply, A.q11, B.q11, C.q11, half);
  co_await tine::fork(multiply, A.q11, B.q12, C.q12, half);
  co_await tine::fork(multiply, A.q21, B.q11, C.q21, half);
  co_await tine::call(multiply, A.q21, B.q12, C.q22, half);
  co_await tine::join;

  co_await tine::fork(multiply, A.q12, B.q21, C.q11, half);
  co_await tine::fork(multiply, A.q12, B.q22, C.q12, half);
  co_await tine::fork(multiply, A.q22, B.q21, C.q21, half);
  co_await tine::call(multiply, A.q22, B.q22, C.q22, half);
  co_await tine::join;
}

}  // namespace

void coro(const problem& p) { tine::run(multiply, p.a.all(), p.b.all(), p.c.all(), p.n); }

}  // namespace bench::matmul
