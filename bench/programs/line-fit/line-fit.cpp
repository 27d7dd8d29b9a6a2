// line-fit: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/loops/divided.hpp"
#include "harness/loops/managed.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/loops/serial.hpp"
#include "harness/splitmix.hpp"

#include <cmath>

namespace bench {

void serial(problem& p) { solve(p, serial_loops{}); }

/// On tine: two reductions.
void managed(problem& p) { solve(p, managed_loops{}); }

void tuned(problem& p) { solve(p, divided_loops{4096}); }

/// On tine: divide and conquer down to four points.
void dac(problem& p) { solve(p, divided_loops{single}); }

namespace {

/// A sum with a negligible rounding error: Kahan's summation in long double.
class exact_sum {
 public:
  void add(long double x) {
    const long double y = x - lost_;
    const long double next = sum_ + y;
    lost_ = next - sum_ - y;
    sum_ = next;
  }
  long double value() const { return sum_; }

 private:
  long double sum_ = 0;
  long double lost_ = 0;
};

/// Returns the line that the normal equations give, from plain moments.
line by_moments(const std::vector<points>& all) {
  exact_sum x, y, xx, xy;
  for (const points& each : all)
    for (int k = 0; k < points::count; ++k) {
      const long double px = each.x[k], py = each.y[k];
      x.add(px);
      y.add(py);
      xx.add(px * px);
      xy.add(px * py);
    }
  const long double n = static_cast<long double>(all.size()) * points::count;
  const long double determinant = n * xx.value() - x.value() * x.value();
  return {static_cast<double>((n * xy.value() - x.value() * y.value()) / determinant),
          static_cast<double>((xx.value() * y.value() - x.value() * xy.value()) / determinant)};
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

}  // namespace

void problem::reset() {
  best = {};
  if (all.size() == n) return;
  all.resize(n);
  splitmix random{1};
  for (points& each : all)
    for (int k = 0; k < points::count; ++k) {
      each.x[k] = 10 * random.unit();
      each.y[k] = 3 * each.x[k] + 7 + random.unit() - 0.5;
    }
  reference_ = by_moments(all);
}

std::string problem::mistake() const {
  if (close(best.slope, reference_.slope) && close(best.intercept, reference_.intercept)) return "";
  return format("y = {}*x + {} is not the best line", best.slope, best.intercept);
}

program describe_program() {
  static problem p;
  program it{
      .name = "line-fit",
      .description = "Fits a straight line to points by least squares.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Fours of points"); },
      .passes = 4,
  };
  return program_of_loops(p, std::move(it));
}

}  // namespace bench
