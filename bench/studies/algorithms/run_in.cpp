// See run_in.hpp. For the standard library's serial algorithms and for tine, also below the standard library's parallel
// ones.
#include "studies/algorithms/run_in.hpp"

#include <tine/sched/pool.hpp>

namespace bench::algorithms {

void run_in(unsigned workers, const std::function<void()>& f) {
  tine::pool p{{.workers = workers}};
  p.run(f);
}

}  // namespace bench::algorithms
