// scan on OpenMP: loops over the blocks in equal parts, and tasks for halves.
#include "programs/scan/kernel.hpp"

#include "harness/blocks/openmp.hpp"

namespace bench::scan {

void openmp_static(problem& p, stage s) { perform(p, s, openmp_static_blocks{}); }
void openmp_tasks(problem& p, stage s) { perform(p, s, openmp_task_blocks{}); }

}  // namespace bench::scan
