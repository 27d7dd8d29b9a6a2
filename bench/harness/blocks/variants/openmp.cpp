// The variants on OpenMP: loops over the blocks in equal parts, and tasks for halves.
#include "harness/blocks/variants/program_of_phases.hpp"

#include "harness/blocks/halved.hpp"
#include "harness/blocks/openmp.hpp"
#include "harness/loops/openmp.hpp"
#include "initialise.hpp"  // the program's

namespace bench {

void openmp_static(problem& p, stage s) { perform(p, s, openmp_static_blocks{}); }
void openmp_tasks(problem& p, stage s) { perform(p, s, halved_blocks<openmp_loops>{}); }

}  // namespace bench
