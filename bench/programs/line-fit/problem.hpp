// The straight line with the least squared distances from many points.
#pragma once

#include <cstddef>
#include <vector>

namespace bench::line_fit {

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

  /// Returns true if `best` is right: compares it with the line that other formulas give in long double arithmetic.
  bool line_is_right() const;

 private:
  line reference_{};
};

void serial(problem& p);
void managed(problem& p);
void tuned(problem& p);
void dac(problem& p);
[[gnu::weak]] void tbb(problem& p);
[[gnu::weak]] void openmp(problem& p);

}  // namespace bench::line_fit
