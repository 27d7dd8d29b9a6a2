// A periodic cube of points.
#pragma once

#include "harness/untouched.hpp"

#include <cstddef>

namespace bench::mg {

/// n³ points in planes and rows, where n is a power of two. Planes and rows are numbered modulo n. Point i of a row has the index
/// i + 1: `close` puts a copy of the last point before the first, and a copy of the first behind the last.
class grid {
 public:
  /// Replaces the points by fresh memory that no thread has touched.
  void renew(int size) {
    n_ = size;
    points_.renew(static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * stride());
  }

  int size() const { return n_; }
  double* row(int plane, int row) { return points_.data() + start_of(plane, row); }
  const double* row(int plane, int row) const { return points_.data() + start_of(plane, row); }

  /// Copies the ends of a row. Must be called after the points of the row were written.
  void close(double* row) const {
    row[0] = row[n_];
    row[n_ + 1] = row[1];
  }

 private:
  std::size_t stride() const { return static_cast<std::size_t>(n_) + 2; }
  std::size_t start_of(int plane, int row) const {
    const auto last = static_cast<unsigned>(n_ - 1);
    const std::size_t planes_before = static_cast<unsigned>(plane) & last,
                      rows_before = static_cast<unsigned>(row) & last;
    return (planes_before * static_cast<std::size_t>(n_) + rows_before) * stride();
  }

  int n_ = 0;
  untouched<double> points_;
};

}  // namespace bench::mg
