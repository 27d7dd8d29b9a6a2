// integrate: its variants on tine and without forks, its parameters, and the check of its answer.
#include "problem.hpp"

#include "harness/program.hpp"

#include <tine/coro.hpp>
#include <tine/tine.hpp>

#include <cmath>
#include <functional>

namespace bench {
namespace {

// Without forks.

[[gnu::noinline]] double serial_area_of(double x1, double y1, double x2, double y2, double area, double epsilon) {
  const halves m = halve(x1, y1, x2, y2);
  if (good_enough(m, area, epsilon)) return m.left + m.right;
  const double a = serial_area_of(x1, y1, m.x, m.y, m.left, epsilon);
  return a + serial_area_of(m.x, m.y, x2, y2, m.right, epsilon);
}

double serial(const problem& p) { return serial_area_of(0, f(0), p.n, f(p.n), 0, p.epsilon); }

// On tine, in the combining form of par.

[[gnu::noinline]] double managed_area_of(double x1, double y1, double x2, double y2, double area, double epsilon) {
  const halves m = halve(x1, y1, x2, y2);
  if (good_enough(m, area, epsilon)) return m.left + m.right;
  return tine::par([=] { return managed_area_of(x1, y1, m.x, m.y, m.left, epsilon); },
                   [=] { return managed_area_of(m.x, m.y, x2, y2, m.right, epsilon); }, std::plus<>{});
}

double managed(const problem& p) { return managed_area_of(0, f(0), p.n, f(p.n), 0, p.epsilon); }

// On tine, in the form of par that returns both results.

[[gnu::noinline]] double managed_pair_area_of(double x1, double y1, double x2, double y2, double area, double epsilon) {
  const halves m = halve(x1, y1, x2, y2);
  if (good_enough(m, area, epsilon)) return m.left + m.right;
  const auto [a, b] = tine::par([=] { return managed_pair_area_of(x1, y1, m.x, m.y, m.left, epsilon); },
                                [=] { return managed_pair_area_of(m.x, m.y, x2, y2, m.right, epsilon); });
  return a + b;
}

double managed_pair(const problem& p) { return managed_pair_area_of(0, f(0), p.n, f(p.n), 0, p.epsilon); }

// On tine's coroutines: one half is forked, the other called.

tine::task<double> coro_area_of(double x1, double y1, double x2, double y2, double area, double epsilon) {
  const halves m = halve(x1, y1, x2, y2);
  if (good_enough(m, area, epsilon)) co_return m.left + m.right;
  double a;
  co_await tine::fork<coro_area_of>(&a, x1, y1, m.x, m.y, m.left, epsilon);
  // `call` keeps these scalars by value, so no variable needs an address in the frame.
  const double b = co_await tine::call<coro_area_of>(m.x, m.y, x2, y2, m.right, epsilon);
  co_await tine::join;
  co_return a + b;
}

double coro(const problem& p) { return tine::run(coro_area_of, 0.0, f(0), p.n, f(p.n), 0.0, p.epsilon); }

/// The greatest allowed relative difference from the closed form. The smallest pieces are accurate to epsilon, which is
/// far less than a rounding error of their sum.
constexpr double tolerance = 1e-10;

}  // namespace

program describe_program() {
  static experiment<problem, double> e;
  return {
      .name = "integrate",
      .description = "Integrates (x^2 + 1) x from 0 to n by adaptive trapezoids.",
      .add_options =
          [](options& o) {
            o.number("--n", e.problem.n, {1.0, 1e5}, "The upper bound");
            o.number("--epsilon", e.problem.epsilon, {1e-12, 1.0},
                     "Stop when cutting a piece changes its area by less");
          },
      .params = [] { return parameters{{"n", e.problem.n}, {"epsilon", e.problem.epsilon}}; },
      .variants = {e.by("serial", runtime_kind::serial, serial), e.by("managed", runtime_kind::tine, managed),
                   e.by("managed_pair", runtime_kind::tine, managed_pair), e.by("coro", runtime_kind::tine_tasks, coro),
                   e.by("tbb", runtime_kind::tbb, tbb), e.by("openmp", runtime_kind::openmp, openmp)},
      .examine = []() -> finding {
        const double right = expected(e.problem.n);
        // Written so that a NaN is a mistake.
        if (std::abs(e.answer - right) <= tolerance * right) return {e.answer, ""};
        return {e.answer, format("the integral from 0 to {} is {}, not {}", e.problem.n, right, e.answer)};
      },
  };
}

}  // namespace bench
