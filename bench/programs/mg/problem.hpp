// NPB MG: Poisson's equation on a periodic cube, by V-cycles over grids of all sizes.
#pragma once

#include "programs/mg/grid.hpp"

#include "harness/blocks/partition.hpp"

#include <string>
#include <vector>

namespace bench::mg {

constexpr int cycles = 4;

/// One of NPB's classes: the level of the finest grid, which has 2^level points a side, and the norm that NPB publishes.
struct problem_class {
  const char* name;
  int top;
  double norm;
};

/// A point of the right-hand side that is not 0.
struct charge {
  int plane, row, point;
  double value;
};

/// The grids of one class by their levels, from 1 to `top`. A phase at a level is over its planes, one to a block, and the shapes
/// of the phases are the levels.
class problem {
 public:
  static constexpr bool starts_as_it_goes_on = false;

  /// Forgets everything computed. Makes the charges if the class has changed since.
  void reset();
  int shapes() const { return top() + 1; }
  void allocate();
  void use_smallest_blocks() {}  // which are single planes always

  int top() const { return class_->top; }
  int planes(int level) const { return 1 << level; }

  /// Sets the class by its name; false if there is no such class.
  bool choose(const std::string& name);
  const problem_class& chosen() const { return *class_; }
  /// What is wrong with the norm; empty if it is NPB's within NPB's tolerance.
  std::string mistake() const;

  std::vector<charge> charges;
  grid v;                    // the right-hand side, at the top
  std::vector<grid> u, r;    // the solution and the residual of each level
  std::vector<double> part;  // of the norm, for each plane of the top
  double norm = 0;

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

}  // namespace bench::mg
