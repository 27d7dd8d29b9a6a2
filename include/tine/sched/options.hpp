// The options of a pool. Every option has a default that is right for most programs.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/sched/promotion.hpp>

#include <cstddef>
#include <cstdint>

namespace tine {

/// How a worker behaves when it finds no work.
enum class idle_policy : unsigned char {
  lazy,  ///< the worker sleeps; while work is in sight, each NUMA node keeps one thief awake
  busy,  ///< the worker spins as long as the pool lives: lowest latency, but each idle worker occupies a core
};

/// Which worker resumes a strand that waited at a join for branches on other workers.
enum class resume_policy : unsigned char {
  /// Always the thread that the strand left. So a plain function runs on one thread from its start to its end: it may
  /// keep the address of a thread_local over a fork, and unlock the mutexes that it has locked. The price is that a
  /// ready strand waits while its thread runs other work, until this work ends or waits in turn. A call of `run`
  /// returns when everything that its thread has started has ended. Coroutines still move to other threads. If a
  /// schedule assigns the continuation of a join to another worker, we ignore that assignment.
  same_thread,
  origin,    ///< the worker that the strand left, if it looks for work; otherwise the worker that ended the last branch
  finisher,  ///< always the worker that ended the last branch, as in Cilk and libfork
};

/// Pinning of a pool's threads to processors.
enum class affinity : unsigned char {
  /// one worker per core, cores before hardware threads; unpinned if there are more workers than processors, the system
  /// forbids it, or a control group grants less time than that of the processors
  pinned,
  none,  ///< the operating system places the threads; choose it for several pools at once
};

/// How a thread that calls `run` behaves while its root waits or runs on other workers.
enum class caller_policy : unsigned char {
  own_root,  ///< it works for its own root only: `run` returns when this root has ended, whatever other roots there are
  any_root,  ///< it works for all roots: `run` may return later, by the length of a piece of another root
  /// It sleeps. It runs the root until the root first waits, and, with `resume_policy::same_thread`, the continuations
  /// of the strands that have left it, but takes no work of other workers. Needs 2 workers.
  wait,
};

/// The options of a pool. Pass them by designated initialisers: `tine::pool p{{.workers = 4}}`.
struct options {
  /// Number of workers, including the calling thread; at most `max_workers`. 0 means the value of TINE_NUM_THREADS. If
  /// that isn't set, 0 means one worker for each processor that this process may use, but no more than its control
  /// groups grant time for (pool_defaults.hpp).
  unsigned workers = 0;
  /// How workers behave when they find no work.
  idle_policy idle = idle_policy::lazy;
  /// Which work a caller of `run` takes while it waits.
  caller_policy callers = caller_policy::own_root;
  /// Which thread runs a continuation after a join that waited.
  resume_policy resume = resume_policy::same_thread;
  /// When pending forks become tasks.
  promotion promote = promotion::on_demand();
  /// The processors on which workers may run.
  affinity pin = affinity::pinned;
  /// Bytes of native stack that a fiber may use, 64 KiB to 1 GiB, rounded up to pages. This is address space, not
  /// memory: pages are committed when they are touched. A managed fork takes about 30 bytes in its caller's frame and
  /// its own, an observed fork about 110, an observed loop about 600. So by default a recursion through any of them can
  /// be 10^5 deep. 0 means the value of TINE_STACK_BYTES (a number, optionally with K, M or G for KiB, MiB or GiB), or,
  /// if that isn't set, 64 MiB.
  std::size_t stack_bytes = 0;
  /// Bytes that a fiber may use for the records of open forks, 64 KiB to 64 GiB, rounded up to pages. We reserve 1 MiB
  /// of address space at the start, and the rest when it is needed. A coroutine's open fork takes 8 bytes and a managed
  /// fork about 40, so by default a recursion of coroutines can be 10^8 deep. 0 means the value of TINE_RECORD_BYTES,
  /// or, if that isn't set, 1 GiB.
  std::size_t record_bytes = 0;
  /// Seeds the thieves' choice of victims.
  std::uint64_t seed = 0;
  /// True: a signal interrupts a worker that doesn't acknowledge a work request. False: if a worker runs long code that
  /// never forks, its pending forks may have to wait for the end of that code.
  bool interrupt = true;
  /// The signal that interrupts workers, from 1 to SIGRTMAX; 0 means SIGURG. One signal serves all pools of a process.
  int signal = 0;
  /// Number of threads that may be inside `run` at once, 1 to 4096; further callers wait until one of them leaves. A
  /// thread that enters the same pool again from inside another pool counts again. `workers` and this option together
  /// bound `worker_slots()`. 0 means the value of TINE_MAX_CALLERS, or, if that isn't set, 256.
  unsigned max_callers = 0;
  /// Name of the threads that the pool starts, at most 10 bytes. A hyphen and the worker's number follow it, as in
  /// "tine-1". Debuggers, top and perf show it. Empty: the threads keep the name of the process. Threads that call
  /// `run` always keep their names.
  char thread_name[11] = "tine";
  /// True: the first submitted root makes the pool start one more thread, because the callers of `run`, who bring the
  /// thread of one worker, may be absent. False: the pool's own threads run submitted roots. So no more than `workers`
  /// threads work for roots that have the same caller or none, and with `max_callers` of 1 every number of a worker is
  /// below `workers`. A pool of one worker has no thread of its own, so it starts one all the same.
  bool thread_for_roots = true;
};

/// The most workers that a pool may have.
inline constexpr unsigned max_workers = 512;

/// Checks every value of `o`, and returns `o` with every 0 replaced by its meaning. The constructor of `pool` calls it
/// with its argument. Throws std::invalid_argument, whose message names the bad value, where it came from, and the
/// values allowed.
TINE_API options resolved(options o);

}  // namespace tine
