// mandelbrot: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/divide.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/splitmix.hpp"

#include <tine/tine.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <numeric>

namespace bench {

void serial(problem& p) {
  for (int i = 0; i < p.n; ++i) p.paint_row(i);
}

/// On tine: a parallel loop over the rows, and in each row a parallel loop over the pixels.
void managed(problem& p) {
  tine::par_for(0, p.n, [&p](int i) { tine::par_for(0, p.n, [&p, i](int j) { p.paint(i, j); }); });
}

/// On tine's eager forks: a row is the smallest part. Rows are uneven, but there are many.
void tuned(problem& p) {
  divide_for(0, p.n, single, [&p](int i) { p.paint_row(i); });
}

/// On tine: divide and conquer over the rows, and in each row down to single pixels.
void dac(problem& p) {
  divide_for(0, p.n, single, [&p](int i) { divide_for(0, p.n, single, [&p, i](int j) { p.paint(i, j); }); });
}

namespace {

using number = std::complex<long double>;

/// Computes `steps_of` in other arithmetic.
int long_steps_of(number c) {
  number z{};
  int steps = 0;
  while (steps < most_steps && std::norm(z) <= 4) {
    z = z * z + c;
    ++steps;
  }
  return steps;
}

/// Returns true if c is in the cardioid or the largest disc of the set. No orbit leaves there.
bool is_deep_inside(number c) {
  const long double x = c.real() - 0.25L, yy = c.imag() * c.imag();
  const long double q = x * x + yy;
  return q * (q + x) < 0.249L * yy || (c.real() + 1) * (c.real() + 1) + yy < 0.0624L;
}

}  // namespace

std::uint64_t problem::answer() const { return std::accumulate(image_.begin(), image_.end(), std::uint64_t{0}); }

const char* problem::mistake() {
  for (int i = 0; i < n / 2; ++i)
    if (!std::equal(row(i), row(i) + n, row(n - 1 - i))) return "the image is not symmetric";

  std::int64_t inside = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const number c{real_of(j), imaginary_of(i)};
      const int steps = row(i)[j];
      inside += steps == most_steps;
      if (is_deep_inside(c) && steps != most_steps) return "a point of the cardioid or the disc is said to leave";
      if (std::norm(c) > 4.0001L && steps != 1) return "a point outside the circle is said to stay";
    }

  // Rounding changes a long orbit, and with it the number of steps, but only for few points.
  splitmix random{1};
  constexpr int samples = 2'000;
  int different = 0;
  for (int k = 0; k < samples; ++k) {
    const int i = static_cast<int>(random.below(static_cast<std::uint64_t>(n)));
    const int j = static_cast<int>(random.below(static_cast<std::uint64_t>(n)));
    const int right = long_steps_of({real_of(j), imaginary_of(i)});
    different += right != row(i)[j];
    if (right <= 10 && std::abs(right - row(i)[j]) > 1) return "a point that leaves soon does not leave then";
  }
  if (different > samples / 50) return "too many points have other numbers of steps in long double";

  // The set's area is 1.5065918, which others found by counting pixels. Some points outside of the set stay for all
  // steps, too.
  const double area = static_cast<double>(inside) * side * side / (static_cast<double>(n) * n);
  if (n >= 200 && std::abs(area - 1.5066) > 0.05) return "the area of what stays is not the set's";
  return "";
}

program describe_program() {
  static problem p;
  program it{
      .name = "mandelbrot",
      .description = "Counts for each pixel how many steps its point stays near the Mandelbrot set.",
      .add_options = [](options& o) { o.number("--n", p.n, {1, largest_n}, "Rows and columns"); },
  };
  return program_of_loops(p, std::move(it));
}

}  // namespace bench
