// The straight line with the least squared distances from many points.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

constexpr std::size_t default_n = 10'000'000;
constexpr std::size_t large_n = 24'000'000;
constexpr std::size_t largest_n = 44'000'000;

/// Four points, in the layout of vector registers.
struct points {
  static constexpr int count = 4;
  double x[count];
  double y[count];
};

/// y = slope·x + intercept.
struct line {
  double slope;
  double intercept;
};

struct problem {
  std::size_t n = default_n;  ///< fours of points
  std::vector<points> all;
  line best{};

  /// Makes the points if `n` has changed since the last call, and forgets the line.
  void reset();

  std::vector<double> answer() const { return {best.slope, best.intercept}; }
  /// Returns a description of the mistake in `best`, or "": compares it with the line that other formulas give in long
  /// double arithmetic.
  std::string mistake() const;

 private:
  line reference_{};
};

// Fits the line by two reductions: for the points' means, and for the deviations from them. There are four sums of each
// kind side by side, because the compiler may not reorder additions of floating-point numbers.

/// Two sums, each in four parts.
struct sums {
  double first[points::count];
  double second[points::count];
};

struct add {
  [[gnu::always_inline]] sums operator()(sums a, const sums& b) const {
    for (int k = 0; k < points::count; ++k) {
      a.first[k] += b.first[k];
      a.second[k] += b.second[k];
    }
    return a;
  }
};

inline double total(const double (&parts)[points::count]) { return parts[0] + parts[1] + parts[2] + parts[3]; }

template <class Loops>
void solve(problem& p, const Loops& loops) {
  const points* all = p.all.data();
  const double n = static_cast<double>(p.n) * points::count;

  const sums xy = loops.reduce(
      std::size_t{0}, p.n, sums{},
      [all](std::size_t i) {
        sums of;
        for (int k = 0; k < points::count; ++k) {
          of.first[k] = all[i].x[k];
          of.second[k] = all[i].y[k];
        }
        return of;
      },
      add{});
  const double mean_x = total(xy.first) / n, mean_y = total(xy.second) / n;

  const sums deviation = loops.reduce(
      std::size_t{0}, p.n, sums{},
      [all, mean_x](std::size_t i) {
        sums of;
        for (int k = 0; k < points::count; ++k) {
          const double d = all[i].x[k] - mean_x;
          of.first[k] = d * d;
          of.second[k] = d * all[i].y[k];
        }
        return of;
      },
      add{});
  const double slope = total(deviation.second) / total(deviation.first);
  p.best = {slope, mean_y - slope * mean_x};
}

}  // namespace bench
