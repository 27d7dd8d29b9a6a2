// The pool that serves forks made outside of every pool. Any thread may start it.
#include "sched/pool_state.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/sched/pool.hpp>

#include <pthread.h>
#include <mutex>
#include <stdexcept>

namespace tine {
namespace {

constinit base::atomic<pool*> the_pool{nullptr};  ///< the one that serves; null: the own one, which has not started

constinit std::mutex lock;  // guards the_pool against other changes, and own_pool
pool* own_pool = nullptr;   ///< null: it has not started

// fork(2) doesn't copy a pool's threads: the child forgets its own pool, and starts another when it needs one. A pool
// that replaces it starts anew by itself (pool_state::here).
// process_lock.hpp explains the order of these handlers.
[[gnu::constructor(103)]] void register_default_pool_handlers() noexcept {
  pthread_atfork([] { lock.lock(); }, [] { lock.unlock(); },
                 [] {
                   // relaxed, both: the only thread
                   if (the_pool.load(base::relaxed) == own_pool) the_pool.store(nullptr, base::relaxed);
                   own_pool = nullptr;
                   lock.unlock();
                 });
}

/// Call it under the lock, while no pool serves.
pool& start(const options& o) {
  own_pool = new pool{o};
  the_pool.store(own_pool, base::release);  // pairs with the acquire in default_pool
  return *own_pool;
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
  if (own_pool != nullptr || the_pool.load(base::relaxed) != nullptr) {  // relaxed: under the lock
    throw std::logic_error{
        "tine::start_default_pool: the default pool has started already: call it before the first fork outside of every pool"};
  }
  return start(o);
}

pool* replace_default_pool(pool* p) {
  const std::lock_guard guard{lock};
  pool* const before = the_pool.load(base::relaxed);  // relaxed: under the lock
  // pairs with the acquire in default_pool
  the_pool.store(p != nullptr ? p : own_pool, base::release);
  return before != own_pool ? before : nullptr;
}

}  // namespace tine
