// fdtd-2d in phases over blocks of rows: two phases for each step, one for the electric fields and one for the magnetic field.
// The functions of a phase are out of line, so that all variants run the same machine code.
#pragma once

#include "programs/fdtd-2d/problem.hpp"

namespace bench::fdtd_2d {

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

}  // namespace bench::fdtd_2d
