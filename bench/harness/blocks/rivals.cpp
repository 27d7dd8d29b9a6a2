// The variants on OpenMP that all programs of phases have: loops over the blocks in equal parts, and tasks for halves.
#include "harness/blocks/program_of_phases.hpp"

#include "harness/loops/openmp_loops.hpp"

namespace bench {
namespace {

/// Phases on an OpenMP team: a loop in equal parts, so a thread gets the same part in every phase. Runs on
/// `runtime_kind::openmp_team`.
struct openmp_static_blocks {
  template <class Body>
  void operator()(int count, const Body& body) const {
#pragma omp parallel for schedule(static) default(none) shared(body, count)
    for (int block = 0; block < count; ++block) body(block, block + 1);
  }
};

}  // namespace

void openmp_static(problem& p, stage s) { perform(p, s, openmp_static_blocks{}); }
void openmp_tasks(problem& p, stage s) { perform(p, s, halved_blocks<openmp_loops>{}); }

}  // namespace bench
