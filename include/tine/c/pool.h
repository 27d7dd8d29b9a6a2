// Pools of the C interface, the ways into them, and the numbers of workers. Any thread may use them.
#pragma once

#include <tine/c/status.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A pool of workers, as `tine::pool` is. Most programs don't need one: the default pool starts at the first call.
typedef struct tine_pool tine_pool;

/// How a worker behaves when it finds no work.
enum tine_idle_policy {
  tine_idle_lazy = 0,  ///< it sleeps
  tine_idle_busy = 1,  ///< it spins as long as the pool lives: lowest latency, but it occupies a core
};

/// How a thread that calls tine_pool_run behaves while its root waits or runs on other workers.
enum tine_caller_policy {
  tine_callers_own_root = 0,  ///< it works for its own root only
  tine_callers_any_root = 1,  ///< it works for all roots, and may return later
  tine_callers_wait = 2,      ///< it sleeps; the pool needs 2 workers
};

/// Which thread runs a function on after a join that waited for another worker.
enum tine_resume_policy {
  tine_resume_same_thread = 0,  ///< the one that ran it before
  tine_resume_origin = 1,       ///< the one that ran it before, if that looks for work
  tine_resume_finisher = 2,     ///< the one that ended the last branch
};

/// The processors on which workers run.
enum tine_affinity {
  tine_pin_cores = 0,  ///< one worker per core, where that is possible
  tine_pin_none = 1,   ///< the operating system places the threads; choose it for several pools at once
};

/// The options of a pool; `tine::options` describes each at length. Every 0 means the default:
///
///     struct tine_pool_options o = {.size = sizeof o, .workers = 4};
struct tine_pool_options {
  size_t size;           ///< `sizeof` of the struct: so the library knows which members your program has
  unsigned workers;      ///< including the calling thread, 1 to 512; 0: TINE_NUM_THREADS, or one for each processor
  unsigned max_callers;  ///< number of threads that may be inside at once, 1 to 4096; 0: TINE_MAX_CALLERS, or 256
  int idle;              ///< of `tine_idle_policy`
  int callers;           ///< of `tine_caller_policy`
  int resume;            ///< of `tine_resume_policy`
  int pin;               ///< of `tine_affinity`
  /// when pending forks become tasks: `on-demand`, `heartbeat` or `eager`; behind the first two there may be a period
  /// and a number of tokens, as in `heartbeat:500us,30`; null: on demand
  const char* promote;
  const char* thread_name;  ///< of the pool's threads, 1 to 10 bytes; null: `tine`
  size_t stack_bytes;       ///< of native stack for each fiber, 64 KiB to 1 GiB; 0: TINE_STACK_BYTES, or 64 MiB
  size_t record_bytes;      ///< for the records of a fiber's open forks; 0: TINE_RECORD_BYTES, or 1 GiB
  uint64_t seed;            ///< seeds the thieves' choice of victims
  int no_interrupt;         ///< 1: no signal interrupts a worker that doesn't fork for long, so pending forks may wait
  int signal;               ///< the signal that interrupts workers, 1 to SIGRTMAX; 0: SIGURG
};

/// Makes a pool, and starts its threads. `options` may be null. Leaves the pool in `*created`, or null if it fails.
/// Takes some hundred microseconds. A bad TINE_NUM_THREADS, TINE_STACK_BYTES or TINE_RECORD_BYTES ends the process with
/// a message and exit code 2.
TINE_API int tine_pool_create(const struct tine_pool_options* options, tine_pool** created);

/// Waits for all that runs in the pool, ends its threads, frees the pool, and then sets `*pool` to null. Fails with
/// `tine_wrong_state` if the calling code itself runs in the pool. No other thread may enter the pool meanwhile. A
/// function that gets the null pointer that is left here fails with `tine_invalid_argument`.
TINE_API int tine_pool_destroy(tine_pool** pool);

/// Runs `f(data)` in the pool, and returns what it returns. The calling thread is a worker until `f` has ended. Inside
/// the pool this is only a call; from outside it takes about a microsecond. Any number of threads may call it at once.
TINE_API int tine_pool_run(tine_pool* pool, tine_function f, void* data);

/// Returns the number of the pool's workers, one of which is for the caller of tine_pool_run; negative: a status.
TINE_API int tine_pool_workers(const tine_pool* pool);

/// Runs `f(data)` in the pool that the calling thread works for, by calling it right here; outside of every pool, in
/// the default pool. Several calls of tine in a row are faster inside one tine_run.
TINE_API int tine_run(tine_function f, void* data);

/// Starts the default pool with these options. Fails with `tine_wrong_state` if it has started already.
TINE_API int tine_start_default_pool(const struct tine_pool_options* options);

/// Returns the number of the calling worker, from 0 up to, but not including, tine_worker_slots(). No two threads have
/// the same number at the same time, so you can index an array with it. Outside of every pool it returns
/// `tine_wrong_state`. A callback keeps its number from its start to its end, unless the pool has another policy than
/// `tine_resume_same_thread`.
TINE_API int tine_worker_index(void);

/// Returns the number of workers of the pool that the calling thread works for, or else of the default pool; negative:
/// a status.
TINE_API int tine_worker_count(void);

/// Returns a bound for tine_worker_index in that pool: its workers and `max_callers`; negative: a status.
TINE_API int tine_worker_slots(void);

#ifdef __cplusplus
}
#endif
