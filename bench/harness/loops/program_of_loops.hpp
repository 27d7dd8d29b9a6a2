// The variants that all programs of parallel loops have. A program solves its `problem` in these functions, and the
// rivals' functions are in its rivals.cpp, or in the one of this folder, which is compiled for each program without
// one.
#pragma once

#include "harness/program.hpp"
#include "problem.hpp"  // the program's

#include <utility>
#include <vector>

namespace bench {

// Each function solves the problem and leaves the answer in it.
void serial(problem& p);
void managed(problem& p);  ///< on tine, without a grain; also the variant heartbeat, under that policy of promotion
void tuned(problem& p);    ///< on tine's eager forks, with a grain chosen by hand
[[gnu::weak]] void dac(problem& p);     ///< by divide and conquer down to single iterations; null if there are no loops
[[gnu::weak]] void tbb(problem& p);     // null in the executable without rivals,
[[gnu::weak]] void openmp(problem& p);  // which lists their variants nevertheless

/// Completes the description of a program of loops that works on `p`, which must outlive it.
inline program program_of_loops(problem& p, program it) {
  std::vector<solver<problem>> all{{"serial", runtime_kind::serial, serial},
                                   {"managed", runtime_kind::tine, managed},
                                   {"heartbeat", runtime_kind::tine_heartbeat, managed},
                                   {"tuned", runtime_kind::tine_eager, tuned}};
  if (dac != nullptr) all.push_back({"dac", runtime_kind::tine, dac});
  all.push_back({"tbb", runtime_kind::tbb, tbb});
  all.push_back({"openmp", runtime_kind::openmp, openmp});
  return completed(std::move(it), p, all);
}

}  // namespace bench
