// The problem mandelbrot: count for each point of a square of the plane how many steps its orbit stays near 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

constexpr int default_n = 500;
constexpr int largest_n = 20'000;
constexpr int most_steps = 1'000;

/// The square extends from -2 to 0.5 along the real axis, and as far above the axis as below.
constexpr double left = -2;
constexpr double side = 2.5;

/// Returns the number of steps z ↦ z² + c, starting at 0, until |z| exceeds 2; at most `most_steps`.
[[gnu::always_inline]] inline std::uint16_t steps_of(double real, double imaginary) {
  double x = 0, y = 0;
  int steps = 0;
  for (; steps < most_steps && x * x + y * y <= 4; ++steps) {
    const double next = x * x + (real - y * y);  // in this order: two fused operations, the second waits for the first
    y = (x + x) * y + imaginary;
    x = next;
  }
  return static_cast<std::uint16_t>(steps);
}

class problem {
 public:
  /// Clears the image.
  void reset() { image_.assign(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0); }

  /// Return the middle of a pixel. The ordinates of two rows that mirror each other differ in nothing but the sign.
  double real_of(int column) const { return left + (column + 0.5) * side / n; }
  double imaginary_of(int row) const { return (row + 0.5 - 0.5 * n) * side / n; }

  std::uint16_t* row(int i) { return image_.data() + static_cast<std::size_t>(i) * static_cast<std::size_t>(n); }

  [[gnu::always_inline]] void paint(int i, int j) { row(i)[j] = steps_of(real_of(j), imaginary_of(i)); }
  [[gnu::always_inline]] void paint_row(int i) {
    for (int j = 0; j < n; ++j) paint(i, j);
  }

  /// Returns the sum of the steps of all pixels.
  std::uint64_t answer() const;
  /// Returns a description of the mistake in the image, or "".
  const char* mistake();

  int n = default_n;  ///< pixels in a row and in a column

 private:
  std::vector<std::uint16_t> image_;
};

}  // namespace bench
