// NPB CG: the smallest eigenvalue of a sparse matrix by inverse iteration, each step of which solves a linear system by conjugate
// gradients.
#pragma once

#include "programs/cg/matrix.hpp"

#include "harness/blocks/partition.hpp"
#include "harness/npb_choice.hpp"
#include "harness/untouched.hpp"

#include <string>
#include <vector>

namespace bench::cg {

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

  npb_choice<problem_class> chosen;
  int block = default_block;
  partition rows;
  sparse_matrix source;  // before it is placed
  untouched<int> starts;
  untouched<int> columns;
  untouched<double> values;
  untouched<double> x, z, p, q, r;
  untouched<double> part;  // each block's part of a sum over all rows
  double zeta = 0;
};

}  // namespace bench::cg

namespace bench {
using cg::problem;
}
