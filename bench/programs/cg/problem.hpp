// NPB CG: the smallest eigenvalue of a sparse matrix by inverse iteration, each step of which solves a linear system by
// conjugate gradients.
#pragma once

#include "harness/blocks/partition.hpp"
#include "harness/untouched.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace bench {

// The matrix of NPB CG.

/// A matrix in compressed rows: the elements of row i have the numbers from starts[i] to before starts[i + 1], in the
/// order of their columns.
struct sparse_matrix {
  std::vector<int> starts;
  std::vector<int> columns;
  std::vector<double> values;
};

/// Returns a random symmetric matrix with a condition of about 10: the sum of w·x·xᵀ over `rows` random sparse vectors
/// x with `nonzeros` elements (and one more on the diagonal), with weights w that fall from 1 to 0.1, and 0.1 − shift
/// on the diagonal. It is the matrix that NPB 3.4's makea gives.
sparse_matrix make_matrix(int rows, int nonzeros, double shift);

constexpr int default_block = 128;
constexpr int largest_block = 1 << 20;
constexpr int smallest_block = 16;

/// One of NPB's classes: a size, and the answer that NPB publishes for it.
struct problem_class {
  const char* name;
  int rows;
  int nonzeros;  // in each of the vectors whose products add up to the matrix
  int steps;
  double shift;
  double zeta;
};

/// The matrix and vectors of one class. Each array with an element for each row is cut into blocks of rows.
class problem : public problem_of_phases {
 public:
  static constexpr bool starts_as_it_goes_on = false;
  static constexpr bool forks_in_halves = false;

  problem();

  /// Forgets everything computed. Makes the matrix if the class has changed since the last call.
  void reset();
  void allocate();
  void use_smallest_blocks() { rows.grain = smallest_block; }

  double answer() const { return zeta; }
  /// Returns a description of the mistake in zeta; empty if zeta is NPB's within NPB's tolerance.
  std::string mistake() const;

  const problem_class* chosen;
  int block = default_block;
  partition rows;
  sparse_matrix source;  // before it is placed
  untouched<int> starts;
  untouched<int> columns;
  untouched<double> values;
  untouched<double> x, z, p, q, r;
  untouched<double> part;  // each block's part of a sum over all rows
  double zeta = 0;

 private:
  const problem_class* made_ = nullptr;  // the class whose matrix `source` is
};

// cg in phases over blocks of rows. A sum over all rows has a part for each block, and the parts are added in the order
// of the blocks, so the sum is the same in all variants. The functions of a phase are out of line, so that all variants
// run the same machine code.

/// NPB solves each system with this many steps, for every residual.
constexpr int gradient_steps = 25;

/// Calls work(first, last) in a phase for ranges of rows.
template <class Over, class Work>
void for_rows(problem& p, const Over& over, const Work& work) {
  over(p.rows.blocks(), [&p, &work](int b, int e) { work(p.rows.begin(b), p.rows.begin(e)); });
}

/// Calls work(first, last) in a phase for each block, and returns the sum of the results.
template <class Over, class Work>
double sum_rows(problem& p, const Over& over, const Work& work) {
  over(p.rows.blocks(), [&p, &work](int b, int e) {
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

}  // namespace bench
