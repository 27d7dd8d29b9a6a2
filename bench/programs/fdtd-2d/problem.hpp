// PolyBench's fdtd-2d: an electromagnetic wave in two dimensions, by finite differences in time.
#pragma once

#include "harness/blocks/stepped_square.hpp"
#include "harness/untouched.hpp"

#include <cstdint>
#include <string>

namespace bench {

/// Return a point of the electric field, computed from two neighbours in the magnetic field, and the reverse.
[[gnu::always_inline]] inline double electric(double here, double next, double previous) {
  return here - 0.5 * (next - previous);
}
[[gnu::always_inline]] inline double magnetic(double here, double ex_next, double ex, double ey_next, double ey) {
  return here - 0.7 * (ex_next - ex + ey_next - ey);
}

/// Three fields of n² points in rows.
class problem : public stepped_square {
 public:
  problem() : stepped_square{{.n = 1024, .least_n = 2, .large_n = 2048, .block = 16, .smallest_block = 2}} {}

  /// Forgets the fields. Makes the reference if the size has changed since the last call.
  void reset();
  void allocate();

  std::size_t columns() const { return static_cast<std::size_t>(n); }
  double first_ex(std::size_t i, std::size_t j) const { return static_cast<double>(i * (j + 1)) / n; }
  double first_ey(std::size_t i, std::size_t j) const { return static_cast<double>(i * (j + 2)) / n; }
  double first_hz(std::size_t i, std::size_t j) const { return static_cast<double>(i * (j + 3)) / n; }

  std::uint64_t answer() const;
  /// Returns a description of the mistake in the fields; empty if they equal the result of PolyBench's loops bit by
  /// bit.
  std::string mistake() const;

  untouched<double> ex, ey, hz;

 private:
  std::uint64_t computed_plainly() const;
};

// fdtd-2d in phases over blocks of rows: two phases for each step, one for the electric fields and one for the magnetic
// field. The functions of a phase are out of line, so that all variants run the same machine code.

[[gnu::noinline]] inline void start_rows(problem& p, std::size_t first, std::size_t last) {
  const std::size_t n = p.columns();
  for (std::size_t i = first; i < last; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      p.ex[i * n + j] = p.first_ex(i, j);
      p.ey[i * n + j] = p.first_ey(i, j);
      p.hz[i * n + j] = p.first_hz(i, j);
    }
}

/// The first row of ey is the source, whose strength is the number of the step.
[[gnu::noinline]] inline void electric_rows(problem& p, int step, std::size_t first, std::size_t last) {
  const std::size_t n = p.columns();
  for (std::size_t i = first; i < last; ++i) {
    double* __restrict ex = p.ex.data() + i * n;
    double* __restrict ey = p.ey.data() + i * n;
    const double* hz = p.hz.data() + i * n;
    if (i == 0) {
      for (std::size_t j = 0; j < n; ++j) ey[j] = step;
    } else {
      for (std::size_t j = 0; j < n; ++j) ey[j] = electric(ey[j], hz[j], *(hz + j - n));
    }
    for (std::size_t j = 1; j < n; ++j) ex[j] = electric(ex[j], hz[j], hz[j - 1]);
  }
}

[[gnu::noinline]] inline void magnetic_rows(problem& p, std::size_t first, std::size_t last) {
  const std::size_t n = p.columns();
  if (last == n) --last;
  for (std::size_t i = first; i < last; ++i) {
    const double* ex = p.ex.data() + i * n;
    const double* ey = p.ey.data() + i * n;
    double* __restrict hz = p.hz.data() + i * n;
    for (std::size_t j = 0; j + 1 < n; ++j) hz[j] = magnetic(hz[j], ex[j + 1], ex[j], ey[j + n], ey[j]);
  }
}

template <class Over>
void initialise(problem& p, const Over& over) {
  over(0, p.rows.blocks(), [&p](int b, int e) { start_rows(p, p.rows.begin(b), p.rows.begin(e)); });
}

template <class Over>
void advance(problem& p, int step, const Over& over) {
  over(0, p.rows.blocks(), [&p, step](int b, int e) { electric_rows(p, step, p.rows.begin(b), p.rows.begin(e)); });
  over(0, p.rows.blocks(), [&p](int b, int e) { magnetic_rows(p, p.rows.begin(b), p.rows.begin(e)); });
}

}  // namespace bench
