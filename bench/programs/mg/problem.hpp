// NPB MG: Poisson's equation on a periodic cube, by V-cycles over grids of all sizes.
#pragma once

#include "programs/mg/grid.hpp"

#include "harness/blocks/partition.hpp"
#include "harness/npb_choice.hpp"

#include <string>
#include <vector>

namespace bench::mg {

/// One of NPB's classes: the level of the finest grid, which has 2^level points a side, the number of V-cycles, and the norm that
/// NPB publishes.
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

/// The grids of one class by their levels, from 1 to `top`. A phase at a level has a block for each plane, and the shapes of the
/// phases are the levels.
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

}  // namespace bench::mg

namespace bench {
using mg::problem;
}
