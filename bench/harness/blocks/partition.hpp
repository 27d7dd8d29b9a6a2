// Blocks: the parts into which programs of phases cut their data, and which the ways to run a phase receive.
//
// Such a program is a template over an object `over`, one of the ways in this folder, so that all its variants are the
// same program: `over(count, body)` runs a phase of `count` blocks by calling body(first, last) for ranges of blocks
// that cover each block once. All phases have the same count, and one schedule.
//
// The program's problem is called `bench::problem` in the files that are compiled for each program, and is a
// `problem_of_phases`. It has `reset()`; `allocate()`, which gives its data fresh memory that no thread has touched;
// `forks_in_halves`, which is true if a phase is forked down to single blocks on tine, and false if it is a loop over
// them; `answer()` and `mistake()`, which is empty if the answer is right; and these functions, found by their
// argument:
//
//     initialise(p, over)   the first touch: phases that fork as those of the computation do
//     rehearse(p, over)     a few phases, on which the schedule is tuned
//     solve(p, over)        the computation, which is measured
#pragma once

#include <algorithm>
#include <cstddef>

namespace bench {

/// A division of `units` rows, tiles or elements into blocks of `grain`; the last block may be smaller.
struct partition {
  std::size_t units = 0;
  std::size_t grain = 1;

  int blocks() const { return static_cast<int>((units + grain - 1) / grain); }
  /// Returns the first unit of a block. For the block behind the last it returns the number of units.
  std::size_t begin(int block) const { return std::min(static_cast<std::size_t>(block) * grain, units); }
};

/// The property of most problems. A problem that differs hides it.
struct problem_of_phases {
  /// True if the times to initialise the blocks are in proportion to the times to compute them.
  static constexpr bool starts_as_it_goes_on = true;
};

/// The two tasks of a variant. `place` is not measured.
enum class stage { place, solve };

/// Performs a stage of a variant that runs all its phases in one way.
template <class Problem, class Over>
void perform(Problem& p, stage s, const Over& over) {
  if (s == stage::solve) return solve(p, over);
  p.allocate();
  initialise(p, over);
}

}  // namespace bench
