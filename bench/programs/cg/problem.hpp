// NPB CG: the smallest eigenvalue of a sparse matrix by inverse iteration, each step of which solves a linear system by conjugate
// gradients.
#pragma once

#include "programs/cg/matrix.hpp"

#include "harness/blocks/partition.hpp"
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
  int nonzeros;  // in each of the vectors whose products the matrix is made of
  int steps;
  double shift;
  double zeta;
};

/// The matrix and vectors of one class. Everything with an element for each row is cut into blocks of rows.
class problem {
 public:
  static constexpr bool starts_as_it_goes_on = false;

  /// Forgets everything computed. Makes the matrix if the class has changed since.
  void reset();
  int shapes() const { return 1; }
  void allocate();
  void use_smallest_blocks() { rows.grain = smallest_block; }

  /// Sets the class by its name; false if there is no such class.
  bool choose(const std::string& name);
  const problem_class& chosen() const { return *class_; }
  /// What is wrong with zeta; empty if it is NPB's within NPB's tolerance.
  std::string mistake() const;

  int block = default_block;
  partition rows;
  sparse_matrix source;  // before it is placed
  untouched<int> starts;
  untouched<int> columns;
  untouched<double> values;
  untouched<double> x, z, p, q, r;
  untouched<double> part;  // of a sum over all rows, for each block
  double zeta = 0;

 private:
  const problem_class* class_ = nullptr;
  const problem_class* made_ = nullptr;
};

/// The names of the classes.
std::vector<std::string> class_names();

void serial(problem& p, stage s);
void managed(problem& p, stage s);
void coro(problem& p, stage s);
void record_strict(problem& p, stage s);
void iterative_relaxed(problem& p, stage s);
void coarsened(problem& p, stage s);
void openmp_static(problem& p, stage s);
void openmp_tasks(problem& p, stage s);

}  // namespace bench::cg
