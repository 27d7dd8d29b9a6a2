// integrate on oneTBB and OpenMP.
#include "problem.hpp"

#include <tbb/task_group.h>

namespace bench {
namespace {

// On oneTBB.

[[gnu::noinline]] double tbb_area_of(double x1, double y1, double x2, double y2, double area, double epsilon) {
  const halves m = halve(x1, y1, x2, y2);
  if (good_enough(m, area, epsilon)) return m.left + m.right;
  double a = 0;
  ::tbb::task_group forked;
  forked.run([=, &a] { a = tbb_area_of(x1, y1, m.x, m.y, m.left, epsilon); });
  const double b = tbb_area_of(m.x, m.y, x2, y2, m.right, epsilon);
  forked.wait();
  return a + b;
}

// On OpenMP tasks.

[[gnu::noinline]] double openmp_area_of(double x1, double y1, double x2, double y2, double area, double epsilon) {
  const halves m = halve(x1, y1, x2, y2);
  if (good_enough(m, area, epsilon)) return m.left + m.right;
  double a = 0;
#pragma omp task default(none) shared(a) firstprivate(x1, y1, m, epsilon)
  a = openmp_area_of(x1, y1, m.x, m.y, m.left, epsilon);
  const double b = openmp_area_of(m.x, m.y, x2, y2, m.right, epsilon);
#pragma omp taskwait
  return a + b;
}

}  // namespace

double tbb(const problem& p) { return tbb_area_of(0, f(0), p.n, f(p.n), 0, p.epsilon); }
double openmp(const problem& p) { return openmp_area_of(0, f(0), p.n, f(p.n), 0, p.epsilon); }

}  // namespace bench
