// The operators of NPB MG on planes of its grids. A point of a cube of 27 has a weight that depends only on whether it is the
// middle, or lies behind a face, an edge or a corner. Each function writes the planes from `first` to before `last` of one grid,
// and is out of line, so that all variants run the same machine code. The names in parentheses are those of NPB's own functions.
#pragma once

#include "programs/mg/grid.hpp"

namespace bench::mg {

/// The greatest number of points in a row of the largest grid.
constexpr int largest_size = 256;

/// The sums of the four rows next to one row, and of the four rows diagonally across, point by point. Every stencil is a
/// combination of these sums and the row itself.
class surroundings {
 public:
  surroundings(const grid& of, int plane, int row) {
    const double *above = of.row(plane, row - 1), *below = of.row(plane, row + 1);
    const double *front = of.row(plane - 1, row), *back = of.row(plane + 1, row);
    const double *front_above = of.row(plane - 1, row - 1), *front_below = of.row(plane - 1, row + 1);
    const double *back_above = of.row(plane + 1, row - 1), *back_below = of.row(plane + 1, row + 1);
    for (int i = 0; i < of.size() + 2; ++i) {
      next[i] = (above[i] + below[i]) + (front[i] + back[i]);
      across[i] = (front_above[i] + front_below[i]) + (back_above[i] + back_below[i]);
    }
  }

  double next[largest_size + 2];
  double across[largest_size + 2];
};

/// r = v − A·u (resid). v may be r.
[[gnu::noinline]] inline void find_residual(const grid& u, const grid& v, grid& r, int first, int last) {
  for (int plane = first; plane < last; ++plane)
    for (int row = 0; row < u.size(); ++row) {
      const surroundings s{u, plane, row};
      const double* here = u.row(plane, row);
      const double* wanted = v.row(plane, row);
      double* left = r.row(plane, row);
#pragma clang loop vectorize(assume_safety)
      for (int i = 1; i <= u.size(); ++i)  // faces have the weight 0
        left[i] = wanted[i] - (-8.0 / 3) * here[i] - (1.0 / 6) * (s.across[i] + s.next[i - 1] + s.next[i + 1]) -
                  (1.0 / 12) * (s.across[i - 1] + s.across[i + 1]);
      r.close(left);
    }
}

/// u += C·r, one step of smoothing (psinv).
[[gnu::noinline]] inline void smooth(const grid& r, grid& u, int first, int last) {
  for (int plane = first; plane < last; ++plane)
    for (int row = 0; row < r.size(); ++row) {
      const surroundings s{r, plane, row};
      const double* here = r.row(plane, row);
      double* __restrict to = u.row(plane, row);
      for (int i = 1; i <= r.size(); ++i)  // corners have the weight 0
        to[i] += (-3.0 / 8) * here[i] + (1.0 / 32) * (here[i - 1] + here[i + 1] + s.next[i]) +
                 (-1.0 / 64) * (s.across[i] + s.next[i - 1] + s.next[i + 1]);
      u.close(to);
    }
}

/// Sets the points of the coarse grid to means of the fine one (rprj3). The coarse point c lies on the fine point 2c + 1.
[[gnu::noinline]] inline void project(const grid& fine, grid& coarse, int first, int last) {
  for (int plane = first; plane < last; ++plane)
    for (int row = 0; row < coarse.size(); ++row) {
      const surroundings s{fine, 2 * plane + 1, 2 * row + 1};
      const double* from = fine.row(2 * plane + 1, 2 * row + 1);
      double* __restrict to = coarse.row(plane, row);
      for (int c = 1; c <= coarse.size(); ++c) {
        const int f = 2 * c;
        to[c] = 0.5 * from[f] + 0.25 * (from[f - 1] + from[f + 1] + s.next[f]) +
                0.125 * (s.next[f - 1] + s.next[f + 1] + s.across[f]) + 0.0625 * (s.across[f - 1] + s.across[f + 1]);
      }
      coarse.close(to);
    }
}

/// Interpolates between the points of the coarse grid, and adds the values to the fine grid or writes them there (interp). A fine
/// plane, row or point with an odd number lies on a coarse one. If its number is even, it lies half way between two coarse ones.
template <bool is_added>
[[gnu::noinline]] inline void interpolate(const grid& coarse, grid& fine, int first, int last) {
  const auto before = [](int i) { return i % 2 == 1 ? i / 2 : i / 2 - 1; };
  for (int plane = first; plane < last; ++plane)
    for (int row = 0; row < fine.size(); ++row) {
      const double *a = coarse.row(before(plane), before(row)), *b = coarse.row(before(plane), row / 2);
      const double *c = coarse.row(plane / 2, before(row)), *d = coarse.row(plane / 2, row / 2);
      double mean[largest_size / 2 + 2];
      for (int i = 0; i < coarse.size() + 2; ++i) mean[i] = 0.25 * ((a[i] + b[i]) + (c[i] + d[i]));
      double* __restrict to = fine.row(plane, row);
      for (int i = 1; i <= coarse.size(); ++i) {
        const double between = 0.5 * (mean[i - 1] + mean[i]);
        to[2 * i - 1] = is_added ? to[2 * i - 1] + between : between;
        to[2 * i] = is_added ? to[2 * i] + mean[i] : mean[i];
      }
      fine.close(to);
    }
}

[[gnu::noinline]] inline void clear(grid& g, int first, int last) {
  for (int plane = first; plane < last; ++plane)
    for (int row = 0; row < g.size(); ++row)
      for (int i = 0; i < g.size() + 2; ++i) g.row(plane, row)[i] = 0;
}

/// Returns the sum of the squares of the points of a plane (norm2u3).
[[gnu::noinline]] inline double squares(const grid& g, int plane) {
  double sum = 0;
  for (int row = 0; row < g.size(); ++row) {
    const double* points = g.row(plane, row);
    for (int i = 1; i <= g.size(); ++i) sum += points[i] * points[i];
  }
  return sum;
}

}  // namespace bench::mg
