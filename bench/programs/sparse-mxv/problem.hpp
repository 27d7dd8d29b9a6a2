// y = A·x for a sparse matrix A whose rows differ in length by orders of magnitude.
#pragma once

#include "harness/loops/serial.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

constexpr std::size_t usual_n = std::size_t{1} << 21;
constexpr std::size_t large_n = std::size_t{1} << 22;

/// A square matrix in compressed rows: the elements of row r have the numbers from starts[r] to before starts[r + 1].
struct matrix {
  std::vector<std::int64_t> starts{0};
  std::vector<std::uint32_t> columns;
  std::vector<double> values;

  std::size_t rows() const { return starts.size() - 1; }
};

/// The product and its check. Elements are small integers, so that every intermediate sum is a whole number far below
/// 2^53: all orders of summation give exactly the same y.
class problem {
 public:
  /// Makes A and x if `n` has changed since the last call, and forgets y.
  void reset();
  /// Returns a description of the mistake in y; empty if y is right. Freivalds' method: compares w·y with (w·A)·x for a
  /// random w.
  std::string mistake() const;
  /// Returns the sum of y's elements: the answer that is reported.
  double answer() const;

  std::size_t n = usual_n;
  matrix a;
  std::vector<double> x;
  std::vector<double> y;

 private:
  std::uint64_t expected_ = 0;  // (w·A)·x modulo 2^64
};

/// y = A·x: runs the loop over the rows on `Rows`, and the loop over the elements of each row on `Elements`.
template <class Rows, class Elements = serial_loops>
void solve(problem& p, const Rows& rows, const Elements& elements = {}) {
  const std::int64_t* starts = p.a.starts.data();
  const std::uint32_t* columns = p.a.columns.data();
  const double* values = p.a.values.data();
  const double* x = p.x.data();
  rows.for_each(std::size_t{0}, p.n, [=, y = p.y.data()](std::size_t row) {
    const auto product = [=](std::int64_t i) { return values[i] * x[columns[i]]; };
    y[row] = elements.reduce(starts[row], starts[row + 1], 0.0, product, std::plus<>{});
  });
}

}  // namespace bench
