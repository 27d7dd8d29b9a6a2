// NPB MG: Poisson's equation on a periodic cube, by V-cycles over grids of all sizes.
#pragma once

#include "harness/blocks/partition.hpp"
#include "harness/npb.hpp"
#include "harness/untouched.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace bench {

// A periodic cube of points.

/// n³ points in planes and rows, where n is a power of two. Planes and rows are numbered modulo n. Point i of a row has
/// the index i + 1: `close` puts a copy of the last point before the first, and a copy of the first behind the last.
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

// The operators of NPB MG on planes of its grids. A point of a cube of 27 has a weight that depends only on whether it
// is the middle, or lies behind a face, an edge or a corner. Each function writes the planes from `first` to before
// `last` of one grid, and is out of line, so that all variants run the same machine code. The names in parentheses are
// those of NPB's own functions.

/// The greatest number of points in a row of the largest grid.
constexpr int largest_size = 256;

/// The sums of the four rows next to one row, and of the four rows diagonally across, point by point. Every stencil is
/// a combination of these sums and the row itself.
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

/// Sets the points of the coarse grid to means of the fine one (rprj3). The coarse point c lies on the fine point 2c +
/// 1.
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

/// Interpolates between the points of the coarse grid, and adds the values to the fine grid or writes them there
/// (interp). A fine plane, row or point with an odd number lies on a coarse one. If its number is even, it lies half
/// way between two coarse ones.
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

/// One of NPB's classes: the level of the finest grid, which has 2^level points a side, the number of V-cycles, and the
/// norm that NPB publishes.
struct problem_class {
  const char* name;
  int top;
  int cycles;
  double norm;
};

/// A point of the right-hand side that is not 0.
struct charge {
  int plane, row, point;
  double value;
};

/// The grids of one class by their levels, from 1 to `top`. A phase at a level has a block for each plane, and the
/// shapes of the phases are the levels.
class problem : public problem_of_phases {
 public:
  static constexpr bool starts_as_it_goes_on = false;
  static constexpr bool forks_in_halves = false;
  static constexpr bool is_of_grids = true;

  problem();

  /// Forgets everything computed. Makes the charges if the class has changed since the last call.
  void reset();
  int shapes() const { return top() + 1; }
  void allocate();
  void use_smallest_blocks() {}  // blocks are always single planes

  int top() const { return chosen->top; }
  int planes(int level) const { return 1 << level; }

  double answer() const { return norm; }
  /// Returns a description of the mistake in the norm; empty if the norm is NPB's within NPB's tolerance.
  std::string mistake() const;

  npb_choice<problem_class> chosen;
  std::vector<charge> charges;
  grid v;                    // the right-hand side, at the top
  std::vector<grid> u, r;    // the solution and the residual of each level
  std::vector<double> part;  // each plane's part of the norm, at the top
  double norm = 0;
};

// mg in phases over the planes of one level.

/// The phases of a cycle. The phases at a level write only planes of the grids of that level.
template <class Over>
class phases {
 public:
  phases(problem& p, const Over& over) : p_{p}, over_{over} {}

  void start(int level) const {
    at(level, [&p = p_, level](int b, int e) {
      clear(u(p, level), b, e);
      clear(r(p, level), b, e);
      if (level == p.top()) start_right_side(p, b, e);
    });
  }

  void find_residual(int level) const {
    const grid& wanted = level == p_.top() ? p_.v : r(p_, level);
    at(level,
       [&p = p_, &wanted, level](int b, int e) { bench::find_residual(u(p, level), wanted, r(p, level), b, e); });
  }

  void project_to(int level) const {
    at(level, [&p = p_, level](int b, int e) { project(r(p, level + 1), r(p, level), b, e); });
  }

  void interpolate_to(int level) const {
    at(level, [&p = p_, level](int b, int e) {
      if (level == p.top()) {
        interpolate<true>(u(p, level - 1), u(p, level), b, e);
      } else {
        interpolate<false>(u(p, level - 1), u(p, level), b, e);
      }
    });
  }

  void smooth(int level) const {
    at(level, [&p = p_, level](int b, int e) {
      if (level == 1) clear(u(p, level), b, e);
      bench::smooth(r(p, level), u(p, level), b, e);
    });
  }

  /// Returns the L2 norm of the residual. The parts are added in the order of the planes, so the norm is the same in
  /// all variants.
  double norm() const {
    at(p_.top(), [&p = p_](int b, int e) {
      for (; b < e; ++b) p.part[static_cast<std::size_t>(b)] = squares(r(p, p.top()), b);
    });
    double sum = 0;
    for (double part : p_.part) sum += part;
    return std::sqrt(sum / std::pow(p_.planes(p_.top()), 3));
  }

 private:
  template <class Work>
  void at(int level, const Work& work) const {
    over_(level, p_.planes(level), work);
  }

  static grid& u(problem& p, int level) { return p.u[static_cast<std::size_t>(level)]; }
  static grid& r(problem& p, int level) { return p.r[static_cast<std::size_t>(level)]; }

  static void start_right_side(problem& p, int first, int last) {
    clear(p.v, first, last);
    for (const charge& c : p.charges) {
      if (c.plane < first || c.plane >= last) continue;
      double* row = p.v.row(c.plane, c.row);
      row[c.point + 1] = c.value;
      p.v.close(row);
    }
  }

  problem& p_;
  const Over& over_;
};

template <class Over>
void initialise(problem& p, const Over& over) {
  for (int level = 1; level <= p.top(); ++level) phases{p, over}.start(level);
}

template <class Over>
void rehearse(problem& p, const Over& over) {
  for (int level = 1; level <= p.top(); ++level) phases{p, over}.find_residual(level);
}

/// One V-cycle (mg3P): down to the smallest grid and up again.
template <class Over>
void cycle(problem& p, const Over& over) {
  const phases run{p, over};
  for (int level = p.top() - 1; level >= 1; --level) run.project_to(level);
  run.smooth(1);
  for (int level = 2; level <= p.top(); ++level) {
    run.interpolate_to(level);
    run.find_residual(level);
    run.smooth(level);
  }
}

template <class Over>
void solve(problem& p, const Over& over) {
  const phases run{p, over};
  run.find_residual(p.top());
  for (int i = 0; i < p.chosen->cycles; ++i) {
    cycle(p, over);
    run.find_residual(p.top());
  }
  p.norm = run.norm();
}

}  // namespace bench
