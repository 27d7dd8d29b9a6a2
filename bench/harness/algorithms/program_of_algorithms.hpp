// The variants that all programs of algorithms have. A program solves its `problem` in `serial` and `managed`; all
// other variants are over its template `solve`, in files of this folder that are compiled for each program. A program
// may have a rivals.cpp of its own.
#pragma once

#include "harness/program.hpp"
#include "problem.hpp"  // the program's

#include <utility>

namespace bench {

// Each function solves the problem and leaves the answer in it. Those that an executable does not have are null; it
// lists their variants nevertheless.
void serial(problem& p);
void managed(problem& p);
[[gnu::weak]] void std_par_tine(problem& p);  // only in the executable without rivals: see std_par_tine.cpp
[[gnu::weak]] void std_par_tbb(problem& p);
[[gnu::weak]] void tbb(problem& p);
[[gnu::weak]] void openmp(problem& p);

/// Completes the description of a program of algorithms that works on `p`, which must outlive it.
inline program program_of_algorithms(problem& p, program it) {
  return completed<problem>(std::move(it), p,
                            {{"serial", runtime_kind::serial, serial},
                             {"managed", runtime_kind::tine, managed},
                             {"heartbeat", runtime_kind::tine_heartbeat, managed},
                             {"std_par_tine", runtime_kind::tine, std_par_tine},
                             {"std_par_tbb", runtime_kind::tbb, std_par_tbb},
                             {"tbb", runtime_kind::tbb, tbb},
                             {"openmp", runtime_kind::openmp, openmp}});
}

}  // namespace bench
