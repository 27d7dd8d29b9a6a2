// The program integrate: parameters, variants, check.
#include "harness/program.hpp"
#include "programs/integrate/problem.hpp"

#include <cmath>

namespace bench {
namespace {

/// The greatest allowed relative difference from the closed form. The smallest pieces are accurate to epsilon, which is far
/// less than a rounding error of their sum.
constexpr double tolerance = 1e-10;

}  // namespace

program describe_program() {
  static experiment<integrate::problem, double> e;
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
      .variants = {e.by("serial", runtime_kind::serial, integrate::serial),
                   e.by("managed", runtime_kind::tine, integrate::managed),
                   e.by("managed_pair", runtime_kind::tine, integrate::managed_pair),
                   e.by("coro", runtime_kind::tine_tasks, integrate::coro),
                   e.by("tbb", runtime_kind::tbb, integrate::tbb),
                   e.by("openmp", runtime_kind::openmp, integrate::openmp)},
      .examine = []() -> finding {
        const double right = integrate::expected(e.problem.n);
        // Written so that a NaN is a mistake.
        if (std::abs(e.answer - right) <= tolerance * right) return {e.answer, ""};
        return {e.answer, format("the integral from 0 to {} is {}, not {}", e.problem.n, right, e.answer)};
      },
  };
}

}  // namespace bench
