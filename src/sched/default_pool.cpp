// The pool that serves forks made outside every pool.
#include "sched/pool_state.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/sched/pool.hpp>

#include <pthread.h>
#include <mutex>

namespace tine {
namespace {

constinit base::atomic<pool*> the_pool{nullptr};

constinit std::mutex lock;  // guards the start of the pool

// fork(2) copies none of a pool's threads: the child forgets the pool, and starts its own when it needs one. The order
// of these handlers: see process_lock.hpp.
[[gnu::constructor(103)]] void register_default_pool_handlers() noexcept {
  pthread_atfork([] { lock.lock(); }, [] { lock.unlock(); },
                 [] {
                   the_pool.store(nullptr, base::relaxed);  // relaxed: the only thread
                   lock.unlock();
                 });
}

pool& start() {
  const std::lock_guard guard{lock};
  pool* p = the_pool.load(base::relaxed);  // relaxed: under the lock
  if (p == nullptr) {
    p = new pool;
    the_pool.store(p, base::release);  // pairs with the acquire in default_pool
  }
  return *p;
}

}  // namespace

void sched::run_root_in_default_pool(task& root) { run_root(*default_pool().state_, root); }

pool& default_pool() {
  pool* p = the_pool.load(base::acquire);  // pairs with the release in start
  return p != nullptr ? *p : start();
}

}  // namespace tine
