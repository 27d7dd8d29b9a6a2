// See run_in.hpp. For the standard library's parallel algorithms on oneTBB.
#include "studies/algorithms/run_in.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace bench::algorithms {

void run_in(unsigned workers, const std::function<void()>& f) {
  const tbb::global_control most{tbb::global_control::max_allowed_parallelism, workers};
  tbb::task_arena arena{static_cast<int>(workers)};
  arena.execute(f);
}

}  // namespace bench::algorithms
