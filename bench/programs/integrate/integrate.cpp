// integrate: its variants on tine and without forks, its parameters, and the check of its answer.
#include "problem.hpp"

#include "harness/loops/managed.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/loops/serial.hpp"

#include <tine/coro.hpp>

#include <cmath>

namespace bench {

void serial(problem& p) { solve(p, serial_loops{}); }
void managed(problem& p) { solve(p, managed_loops{}); }

namespace {

void managed_pair(problem& p) { solve(p, managed_pairs{}); }

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

void coro(problem& p) { p.answer = tine::run(coro_area_of, 0.0, f(0), p.n, f(p.n), 0.0, p.epsilon); }

/// The greatest allowed relative difference from the closed form. The smallest pieces are accurate to epsilon, which is
/// far less than a rounding error of their sum.
constexpr double tolerance = 1e-10;

}  // namespace

std::string problem::mistake() const {
  const double right = expected(n);
  // Written so that a NaN is a mistake.
  if (std::abs(answer - right) <= tolerance * right) return "";
  return format("the integral from 0 to {} is {}, not {}", n, right, answer);
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) {
    o.number("--n", p.n, {1.0, 1e5}, "The upper bound");
    o.number("--epsilon", p.epsilon, {1e-12, 1.0}, "Stop when cutting a piece changes its area by less");
  };
  program it{
      .name = "integrate",
      .description = "Integrates (x^2 + 1) x from 0 to n by adaptive trapezoids.",
      .add_options = add_options,
  };
  return completed<problem>(std::move(it), p,
                            {{"serial", runtime_kind::serial, serial},
                             {"managed", runtime_kind::tine, managed},
                             {"managed_pair", runtime_kind::tine, managed_pair},
                             {"coro", runtime_kind::tine_tasks, coro},
                             {"tbb", runtime_kind::tbb, tbb},
                             {"openmp", runtime_kind::openmp, openmp}});
}

}  // namespace bench
