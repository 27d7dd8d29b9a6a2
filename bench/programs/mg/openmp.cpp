// mg on OpenMP: loops over the blocks in equal parts, and tasks for halves.
#include "programs/mg/kernel.hpp"

#include "harness/blocks/openmp.hpp"

namespace bench::mg {

void openmp_static(problem& p, stage s) { perform(p, s, openmp_static_blocks{}); }
void openmp_tasks(problem& p, stage s) { perform(p, s, openmp_task_blocks{}); }

}  // namespace bench::mg
