// How many steps does each point of a square of the plane stay near the Mandelbrot set?
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench::mandelbrot {

constexpr int default_n = 500;
constexpr int largest_n = 20'000;
constexpr int most_steps = 1'000;

/// The square: from -2 to 0.5, and the same height above as below the real axis.
constexpr double left = -2;
constexpr double side = 2.5;

/// How many steps z ↦ z² + c, from 0 on, leave |z| at most 2; no more than `most_steps` are made.
[[gnu::always_inline]] inline std::uint16_t steps_of(double real, double imaginary) {
  double x = 0, y = 0;
  int steps = 0;
  for (; steps < most_steps && x * x + y * y <= 4; ++steps) {
    const double next = x * x + (real - y * y);  // in this order two fused operations, one waiting for the other
    y = (x + x) * y + imaginary;
    x = next;
  }
  return static_cast<std::uint16_t>(steps);
}

class problem {
 public:
  /// Clears the image.
  void reset() { image_.assign(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0); }

  /// The middle of a pixel. Rows that mirror each other are at ordinates that differ in nothing but the sign.
  double real_of(int column) const { return left + (column + 0.5) * side / n; }
  double imaginary_of(int row) const { return (row + 0.5 - 0.5 * n) * side / n; }

  std::uint16_t* row(int i) { return image_.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(n); }

  [[gnu::always_inline]] void paint(int i, int j) { row(i)[j] = steps_of(real_of(j), imaginary_of(i)); }
  [[gnu::always_inline]] void paint_row(int i) {
    for (int j = 0; j < n; ++j) paint(i, j);
  }

  /// The steps of all pixels together.
  std::uint64_t sum() const;
  /// What is wrong with the image, or "".
  const char* mistake();

  int n = default_n;  ///< pixels in a row and in a column

 private:
  std::vector<std::uint16_t> image_;
};

void serial(problem& p);
void managed(problem& p);
void tuned(problem& p);
void dac(problem& p);
void tbb(problem& p);
void openmp(problem& p);

}  // namespace bench::mandelbrot
