// How a pool is set up. Every option has a default that is right for most programs.
#pragma once

#include <tine/sched/policy.hpp>

#include <cstddef>
#include <cstdint>

namespace tine {

/// What a worker without work does.
enum class idle_policy : unsigned char {
  lazy,  ///< sleeps; while work is in sight, each NUMA node keeps one thief awake
  busy,  ///< spins as long as the pool lives: lowest latency, and a core burnt for each idle worker
};

/// Who goes on with a strand that waited at a join for branches on other workers.
enum class resume_policy : unsigned char {
  /// The thread that the strand left, always: a plain function has one thread from its begin to its end, so it may keep the address
  /// of a thread_local over a fork, and unlock what it has locked. The strand waits while that thread runs something else, until
  /// this ends or waits in turn; and a call of `run` returns when all that its thread has begun has ended. Coroutines
  /// still move. What a schedule says of joins is void where it differs.
  same_thread,
  home,  ///< the worker that the strand left, if that one looks for work; if not, the worker that ended the last branch
  finisher,  ///< the worker that ended the last branch, always, as in Cilk and libfork
};

/// Whether a pool pins its threads.
enum class affinity : unsigned char {
  pinned,  ///< one worker a core, cores before hardware threads; unpinned if there are more workers
           ///< than processors or the system forbids it
  none,    ///< the operating system places them; right for several pools at once
};

/// What a thread that calls `run` does while its root waits, or runs on other workers.
enum class caller_policy : unsigned char {
  own_root,  ///< it works for its own root: so `run` returns when the root has ended, whatever other roots are in the pool
  any_root,  ///< it works for all roots: `run` may return later, by the length of a piece of another root
  wait,      ///< it sleeps: only what the root does before it first waits runs on the calling thread. Needs 2 workers
};

/// Options of a pool. Pass by designated initialisers: `tine::pool p{{.workers = 4}}`.
struct options {
  /// Workers, the calling thread included. 0: what TINE_NUM_THREADS says, else one for each processor
  /// this process may use. At most `max_workers`.
  unsigned workers = 0;
  idle_policy idle = idle_policy::lazy;
  caller_policy callers = caller_policy::own_root;
  resume_policy resume = resume_policy::same_thread;
  promotion promote = promotion::on_demand();
  affinity pin = affinity::pinned;
  /// Bytes of native stack a fiber may use, 64 KiB to 1 GiB, rounded up to pages. Address space, not memory:
  /// pages are committed when touched. A managed fork takes some 30 bytes of its caller's frame and its own, a watched one some 110, a
  /// watched loop some 600, so a recursion through any of them goes 10^5 deep by default. 0: what TINE_STACK_BYTES says (a number, with
  /// K, M or G behind it for KiB, MiB or GiB), else 64 MiB.
  std::size_t stack_bytes = 0;
  /// Bytes a fiber may use for the records of open forks, 64 KiB to 64 GiB, rounded up to pages. Of more than 1 MiB the begin is
  /// address space from the start, and the rest when it is needed. A coroutine's open fork takes 8 bytes and a managed one some 40,
  /// so a coroutine can recurse 10^8 deep by default. 0: what TINE_RECORD_BYTES says, else 1 GiB.
  std::size_t record_bytes = 0;
  /// Seeds the thieves' choice of victims.
  std::uint64_t seed = 0;
  /// Whether a worker that does not answer its doorbell is interrupted by a signal. Without it a fork
  /// whose owner runs long code that never forks can wait for that code's end.
  bool interrupt = true;
  /// The signal used for it, from 1 to SIGRTMAX; 0 means SIGURG. One signal serves all pools of a process.
  int signal = 0;
  /// How many threads may be inside `run` at once, 1 to 4096; more wait for each other. A thread that enters the same pool again from
  /// inside another pool counts again. With `workers` it bounds `worker_slots()`.
  unsigned max_callers = 256;
};

/// The most workers a pool may have.
inline constexpr unsigned max_workers = 512;

/// `o` with every 0 replaced by its meaning and every value checked; what `pool` applies to its argument.
/// Throws std::invalid_argument that names the bad value, its source and the values allowed.
options resolved(options o);

}  // namespace tine
