// The integral of (x² + 1)·x from 0 to n by adaptive trapezoids: a deep tree of tiny leaves, with results in
// floating-point registers.
#pragma once

#include <functional>
#include <string>

namespace bench {

struct problem {
  double n = 1e4;
  double epsilon = 1e-9;
  double answer = 0;

  std::string mistake() const;
};

[[gnu::always_inline]] inline double f(double x) { return (x * x + 1.0) * x; }

/// The result of a cut of the interval from x1 to x2 in the middle, with the trapezoids of both halves.
struct halves {
  double x, y;         ///< the middle, and f there
  double left, right;  ///< areas
};

[[gnu::always_inline]] inline halves halve(double x1, double y1, double x2, double y2) {
  const double h = (x2 - x1) / 2;
  const double x = x1 + h;
  const double y = f(x);
  return {x, y, (y1 + y) / 2 * h, (y + y2) / 2 * h};
}

/// Returns true if cutting the interval has changed its area by less than epsilon, so that the recursion can end.
[[gnu::always_inline]] inline bool good_enough(const halves& m, double area, double epsilon) {
  const double difference = m.left + m.right - area;
  return -epsilon < difference && difference < epsilon;
}

/// Returns the integral in closed form.
constexpr double expected(double n) { return n * n / 4 * (n * n + 2); }

template <class Forks>
[[gnu::noinline]] double area_of(double x1, double y1, double x2, double y2, double area, double epsilon) {
  const halves m = halve(x1, y1, x2, y2);
  if (good_enough(m, area, epsilon)) return m.left + m.right;
  return Forks{}.fork([=] { return area_of<Forks>(x1, y1, m.x, m.y, m.left, epsilon); },
                      [=] { return area_of<Forks>(m.x, m.y, x2, y2, m.right, epsilon); }, std::plus<>{});
}

template <class Forks>
void solve(problem& p, const Forks&) {
  p.answer = area_of<Forks>(0, f(0), p.n, f(p.n), 0, p.epsilon);
}

}  // namespace bench
