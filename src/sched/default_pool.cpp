// The pool that serves forks made outside of every pool. Any thread may start it.
#include "sched/pool_state.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/sched/pool.hpp>

#include <pthread.h>
#include <mutex>
#include <stdexcept>

namespace tine {
namespace {

constinit base::atomic<pool*> the_pool{nullptr};

constinit std::mutex lock;  // guards the start of the pool

// fork(2) doesn't copy a pool's threads: the child forgets the pool, and starts its own when it needs one.
// process_lock.hpp explains the order of these handlers.
[[gnu::constructor(103)]] void register_default_pool_handlers() noexcept {
  pthread_atfork([] { lock.lock(); }, [] { lock.unlock(); },
                 [] {
                   the_pool.store(nullptr, base::relaxed);  // relaxed: the only thread
                   lock.unlock();
                 });
}

/// Call it under the lock, while there is no default pool.
pool& start(const options& o) {
  pool* const p = new pool{o};
  the_pool.store(p, base::release);  // pairs with the acquire in default_pool
  return *p;
}

}  // namespace

void sched::run_root_in_default_pool(task& root) { run_root(*default_pool().state_, root); }

pool& default_pool() {
  if (pool* const p = the_pool.load(base::acquire)) return *p;  // pairs with the release in start
  const std::lock_guard guard{lock};
  pool* const p = the_pool.load(base::relaxed);  // relaxed: under the lock
  return p != nullptr ? *p : start({});
}

pool& start_default_pool(const options& o) {
  const std::lock_guard guard{lock};
  if (the_pool.load(base::relaxed) != nullptr) {  // relaxed: under the lock
    throw std::logic_error{
        "tine::start_default_pool: the default pool has started already: call it before the first fork outside of every pool"};
  }
  return start(o);
}

}  // namespace tine
