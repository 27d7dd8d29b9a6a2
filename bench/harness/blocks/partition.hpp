// Blocks: what programs of phases cut their data into, and what the ways to run a phase are given.
//
// Such a program is a template over an object `over`, one of the ways in this folder, so that all its variants are the same
// program: `over(shape, count, body)` runs a phase of `count` blocks by calling body(first, last) for ranges of blocks that
// cover them all, each once. Phases of one shape have the same count; schedules are kept for each shape.
//
// The program's problem, `bench::problem` to the files that are compiled for each program, is a `problem_of_phases`. It has
// `reset()`; `allocate()`, which gives its data fresh memory that nobody has touched; `forks_in_halves`, whether a phase is
// forked down to single blocks on tine, or is a loop over them; `answer()` and `mistake()`, which is empty if the answer is right;
// and these functions, found by their argument:
//
//     initialise(p, over)   the first touch: phases that fork as those of the computation do
//     rehearse(p, over)     a phase or two of each shape, on which a schedule is tuned
//     solve(p, over)        the computation, which is measured
#pragma once

#include <algorithm>
#include <cstddef>

namespace bench {

/// `units` rows, tiles or elements in blocks of `grain`; the last block may be smaller.
struct partition {
  std::size_t units = 0;
  std::size_t grain = 1;

  int blocks() const { return static_cast<int>((units + grain - 1) / grain); }
  /// The first unit of a block; of the block behind the last, the number of units.
  std::size_t begin(int block) const { return std::min(static_cast<std::size_t>(block) * grain, units); }
};

/// What holds for most problems; the others hide it.
struct problem_of_phases {
  /// Whether blocks take as long to initialise as to compute, in proportion.
  static constexpr bool starts_as_it_goes_on = true;
  /// Whether shapes are grids of different fineness over the same space, the last one the finest.
  static constexpr bool is_of_grids = false;
  /// How many shapes of phases there are.
  int shapes() const { return 1; }
};

/// What a variant is asked to do: `place` is not measured.
enum class stage { place, solve };

/// A variant whose phases are all run in one way.
template <class Problem, class Over>
void perform(Problem& p, stage s, const Over& over) {
  if (s == stage::solve) return solve(p, over);
  p.allocate();
  initialise(p, over);
}

}  // namespace bench
