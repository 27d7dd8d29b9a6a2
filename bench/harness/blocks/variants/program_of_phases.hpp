// The variants that all programs of phases have. The files in this folder are compiled for each program. If a program has a
// variant of its own, the variant is in a file of that name in the program's folder.
#pragma once

#include "harness/program.hpp"
#include "problem.hpp"  // the program's

#include <string>

namespace bench {

// Each function places the problem's data or solves the problem, depending on the stage.
void serial(problem& p, stage s);
void managed(problem& p, stage s);
void coro(problem& p, stage s);
void recorded(problem& p, stage s);
void relaxed(problem& p, stage s);
void record_strict(problem& p, stage s);
void iterative_relaxed(problem& p, stage s);
void iterative_finest(problem& p, stage s);
void coarsened(problem& p, stage s);
void user_specified(problem& p, stage s);
[[gnu::weak]] void openmp_static(problem& p, stage s);
[[gnu::weak]] void openmp_tasks(problem& p, stage s);

/// Returns the whole program. Its options set `p`, which must outlive it.
program program_of_phases(problem& p, std::string name, std::string description,
                          std::function<void(options&)> add_options, std::function<parameters()> params);

}  // namespace bench
