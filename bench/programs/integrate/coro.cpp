// integrate on tine's coroutines: one half is forked, the other called.
#include "programs/integrate/problem.hpp"

#include <tine/coro.hpp>

namespace bench::integrate {
namespace {

tine::task<double> area_of(double x1, double y1, double x2, double y2, double area, double epsilon) {
  const halves m = halve(x1, y1, x2, y2);
  if (good_enough(m, area, epsilon)) co_return m.left + m.right;
  double a;
  co_await tine::fork<area_of>(&a, x1, y1, m.x, m.y, m.left, epsilon);
  // `call` keeps these scalars by value, so no variable needs an address in the frame.
  const double b = co_await tine::call<area_of>(m.x, m.y, x2, y2, m.right, epsilon);
  co_await tine::join;
  co_return a + b;
}

}  // namespace

double coro(const problem& p) { return tine::run(area_of, 0.0, f(0), p.n, f(p.n), 0.0, p.epsilon); }

}  // namespace bench::integrate
