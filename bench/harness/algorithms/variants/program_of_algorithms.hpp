// The variants that all programs of algorithms have. The files in this folder are compiled for each program, over the template `solve` in
// the program's solve.hpp. If a program has a variant of its own, the variant is in a file of that name in the program's folder.
#pragma once

#include "harness/program.hpp"
#include "problem.hpp"  // the program's

#include <functional>
#include <string>

namespace bench {

// Each function solves the problem and leaves the answer in it.
void serial(problem& p);
void managed(problem& p);
[[gnu::weak]] void std_par_tine(problem& p);  // only in the executable without rivals: see std_par_tine.cpp
[[gnu::weak]] void std_par_tbb(problem& p);
[[gnu::weak]] void tbb(problem& p);
[[gnu::weak]] void openmp(problem& p);

/// Returns the whole program. Its options set `p`, which must outlive it. The problem has `reset()`, and `answer()` and `mistake()` for
/// the finding.
program program_of_algorithms(problem& p, std::string name, std::string description,
                              std::function<void(options&)> add_options, std::function<parameters()> params);

}  // namespace bench
