// A pool whose worker 0 a test knows: the worker on which `run` begins. Its strands go where schedules say, after
// joins, too.
#pragma once

#include <tine/sched/pool.hpp>

namespace tine::test {

struct named_pool {
  explicit named_pool(unsigned workers) : pool{{.workers = workers, .resume = resume_policy::origin}} {}
  template <class F>
  auto run(F f) {
    return pool.run([&] {
      first = this_worker();
      return f();
    });
  }
  bool is_first() const { return this_worker() == first; }

  tine::pool pool;
  worker_ref first;
};

struct two_workers : named_pool {
  two_workers() : named_pool{2} {}
};

}  // namespace tine::test
