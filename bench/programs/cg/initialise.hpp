// cg in phases over blocks of rows. A sum over all rows has a part for each block, and the parts are added in the order of the
// blocks, so the sum is the same in all variants. The functions of a phase are out of line, so that all variants run the same
// machine code.
#pragma once

#include "programs/cg/problem.hpp"

#include <cmath>
#include <cstddef>

namespace bench::cg {

/// NPB solves each system with this many steps, for every residual.
constexpr int gradient_steps = 25;

/// Calls work(first, last) in a phase for ranges of rows.
template <class Over, class Work>
void for_rows(problem& p, const Over& over, const Work& work) {
  over(0, p.rows.blocks(), [&p, &work](int b, int e) { work(p.rows.begin(b), p.rows.begin(e)); });
}

/// Calls work(first, last) in a phase for each block, and returns the sum of the results.
template <class Over, class Work>
double sum_rows(problem& p, const Over& over, const Work& work) {
  over(0, p.rows.blocks(), [&p, &work](int b, int e) {
    for (; b < e; ++b) p.part[static_cast<std::size_t>(b)] = work(p.rows.begin(b), p.rows.begin(b + 1));
  });
  double sum = 0;
  for (int b = 0; b < p.rows.blocks(); ++b) sum += p.part[static_cast<std::size_t>(b)];
  return sum;
}

[[gnu::noinline]] inline void start_rows(problem& p, std::size_t first, std::size_t last) {
  if (first == 0) p.starts[0] = 0;
  for (std::size_t i = first; i < last; ++i) {
    p.starts[i + 1] = p.source.starts[i + 1];
    for (int at = p.source.starts[i]; at < p.source.starts[i + 1]; ++at) {
      const auto k = static_cast<std::size_t>(at);
      p.columns[k] = p.source.columns[k];
      p.values[k] = p.source.values[k];
    }
    p.x[i] = 1;
    p.z[i] = p.p[i] = p.q[i] = p.r[i] = 0;
  }
}

/// to = A·from
[[gnu::noinline]] inline void multiply_rows(problem& p, const double* from, double* to, std::size_t first,
                                            std::size_t last) {
  const int* starts = p.starts.data();
  const int* columns = p.columns.data();
  const double* values = p.values.data();
  for (std::size_t i = first; i < last; ++i) {
    double sum = 0;
    for (int at = starts[i]; at < starts[i + 1]; ++at) sum += values[at] * from[columns[at]];
    to[i] = sum;
  }
}

[[gnu::noinline]] inline double dot_rows(const double* a, const double* b, std::size_t first, std::size_t last) {
  double sum = 0;
  for (std::size_t i = first; i < last; ++i) sum += a[i] * b[i];
  return sum;
}

/// to = a + factor·b
[[gnu::noinline]] inline void add_rows(double* to, const double* a, double factor, const double* b, std::size_t first,
                                       std::size_t last) {
  for (std::size_t i = first; i < last; ++i) to[i] = a[i] + factor * b[i];
}

template <class Over>
void initialise(problem& p, const Over& over) {
  for_rows(p, over, [&p](std::size_t first, std::size_t last) { start_rows(p, first, last); });
}

template <class Over>
void rehearse(problem& p, const Over& over) {
  for (int i = 0; i < 3; ++i)  // these phases are short, and during the first ones the workers wake up
    for_rows(p, over,
             [&p](std::size_t first, std::size_t last) { multiply_rows(p, p.x.data(), p.q.data(), first, last); });
}

/// z ≈ A⁻¹·x, by conjugate gradients.
template <class Over>
void find_z(problem& p, const Over& over) {
  double *const x = p.x.data(), *const z = p.z.data(), *const d = p.p.data(), *const q = p.q.data(),
                *const r = p.r.data();
  double rho = sum_rows(p, over, [=](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      z[i] = 0;
      d[i] = r[i] = x[i];
    }
    return dot_rows(r, r, first, last);
  });
  for (int step = 0; step < gradient_steps; ++step) {
    const double d_a_d = sum_rows(p, over, [=, &p](std::size_t first, std::size_t last) {
      multiply_rows(p, d, q, first, last);
      return dot_rows(d, q, first, last);
    });
    const double alpha = rho / d_a_d;
    const double next = sum_rows(p, over, [=](std::size_t first, std::size_t last) {
      add_rows(z, z, alpha, d, first, last);
      add_rows(r, r, -alpha, q, first, last);
      return dot_rows(r, r, first, last);
    });
    const double beta = next / rho;
    rho = next;
    for_rows(p, over, [=](std::size_t first, std::size_t last) { add_rows(d, r, beta, d, first, last); });
  }
}

template <class Over>
void solve(problem& p, const Over& over) {
  double *const x = p.x.data(), *const z = p.z.data();
  for (int step = 0; step < p.chosen->steps; ++step) {
    find_z(p, over);
    const double x_z =
        sum_rows(p, over, [=](std::size_t first, std::size_t last) { return dot_rows(x, z, first, last); });
    const double z_z =
        sum_rows(p, over, [=](std::size_t first, std::size_t last) { return dot_rows(z, z, first, last); });
    p.zeta = p.chosen->shift + 1 / x_z;
    const double scale = 1 / std::sqrt(z_z);
    for_rows(p, over, [=](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) x[i] = scale * z[i];
    });
  }
}

}  // namespace bench::cg
