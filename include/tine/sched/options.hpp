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
  home,  ///< the worker that the strand left, if that one looks for work: data stays in its caches from one loop to the next
  finisher,  ///< the worker that ended the last branch, always, as in Cilk and libfork
  /// The thread that the strand left, always: a plain function has one thread from its begin to its end, so it may keep the address
  /// of a thread_local over a fork, and unlock what it has locked. The strand waits while that thread runs something else, until
  /// this ends or waits in turn; and a call of `run` returns when all that its thread has begun has ended. Coroutines
  /// still move, and so does a strand that follows a schedule or has given branches to workers by name (`par_on`).
  same_thread,
};

/// Whether a pool pins its threads.
enum class affinity : unsigned char {
  pinned,  ///< one worker a core, cores before hardware threads; unpinned if there are more workers
           ///< than processors or the system forbids it
  none,    ///< the operating system places them; right for several pools at once
};

/// Options of a pool. Pass by designated initialisers: `tine::pool p{{.workers = 4}}`.
struct options {
  /// Workers, the calling thread included. 0: what TINE_NUM_THREADS says, else one for each processor
  /// this process may use. At most `max_workers`.
  unsigned workers = 0;
  idle_policy idle = idle_policy::lazy;
  resume_policy resume = resume_policy::home;
  promotion promote = promotion::on_demand();
  affinity pin = affinity::pinned;
  /// Bytes of native stack a fiber may use, 64 KiB to 1 GiB, rounded up to pages. Address space, not memory:
  /// pages are committed when touched. A managed fork takes some 30 bytes of its caller's frame and its own, a watched one some 110, a
  /// watched loop some 600, so a recursion through any of them goes 10^5 deep by default.
  std::size_t stack_bytes = std::size_t{64} << 20;
  /// Bytes a fiber may use for the records of open forks, 64 KiB to 64 GiB, rounded up to pages; address space, too. A
  /// coroutine's open fork takes 8 of them and a managed one some 40, so a coroutine can recurse 10^8 deep by default.
  std::size_t record_bytes = std::size_t{1} << 30;
  /// Seeds the thieves' choice of victims.
  std::uint64_t seed = 0;
  /// Whether a worker that does not answer its doorbell is interrupted by a signal. Without it a fork
  /// whose owner runs long code that never forks can wait for that code's end.
  bool interrupt = true;
  /// The signal used for it, from 1 to SIGRTMAX; 0 means SIGURG. One signal serves all pools of a process.
  int signal = 0;
};

/// The most workers a pool may have.
inline constexpr unsigned max_workers = 512;

/// `o` with every 0 replaced by its meaning and every value checked; what `pool` applies to its argument.
/// Throws std::invalid_argument that names the bad value, its source and the values allowed.
options resolved(options o);

}  // namespace tine
