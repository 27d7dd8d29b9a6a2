// ParlayLib's scheduler plug-in on tine: the four functions that ParlayLib asks a scheduler for, and
// execute_with_scheduler. Include this header before those of ParlayLib, or let the compiler do it by
// `-include tine/parlay.hpp`. Any thread may call the functions.
#pragma once

#if defined(PARLAY_PARALLEL_H_)
#error \
    "tine/parlay.hpp must come before ParlayLib's headers: compile with -include tine/parlay.hpp, or include it first."
#endif
#if defined(PARLAY_CILKPLUS) || defined(PARLAY_OPENCILK) || defined(PARLAY_OPENMP) || defined(PARLAY_TBB) || \
    defined(PARLAY_SEQUENTIAL)
#error "ParlayLib is asked for two schedulers: for tine, leave out PARLAY_TBB, PARLAY_OPENMP and the like."
#endif

#include <tine/managed.hpp>
#include <tine/sched/pool_defaults.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

// ParlayLib chooses among its own plug-ins only. So we choose the one for oneTBB, and keep it out by its include guard.
// Nothing but parallel.h looks at the macro.
#define PARLAY_TBB
#define PARLAY_INTERNAL_SCHEDULER_PLUGINS_TBB_H_
#include <parlay/parallel.h>
#undef PARLAY_INTERNAL_SCHEDULER_PLUGINS_TBB_H_
#undef PARLAY_TBB

namespace parlay {
namespace internal {

/// Ends the program with a message. It may be called before main, where an exception would say less.
[[noreturn]] inline void refuse(const char* message) {
  std::fprintf(stderr, "tine: %s\n", message);
  std::fflush(nullptr);
  std::_Exit(2);
}

/// Returns the value of a variable of the environment, or null if it is unset or empty.
inline const char* variable(const char* name) {
  const char* const text = std::getenv(name);
  return text != nullptr && *text != '\0' ? text : nullptr;
}

/// Returns the number of workers that PARLAY_NUM_THREADS asks for; 0: it isn't set, or TINE_NUM_THREADS is.
inline unsigned asked_workers() {
  const char* const text = variable("PARLAY_NUM_THREADS");
  if (text == nullptr || variable("TINE_NUM_THREADS") != nullptr) return 0;
  const char* const end = text + std::strlen(text);
  unsigned workers = 0;
  const auto [stop, error] = std::from_chars(text, end, workers);
  if (error != std::errc{} || stop != end || workers < 1 || workers > tine::max_workers)
    refuse("PARLAY_NUM_THREADS must be a whole number from 1 to 512.");
  return workers;
}

/// The default pool has a slot for each thread outside that may call it at once, and arrays for each worker have an
/// element for each slot. So we start it with fewer slots than its own default, unless the program has started it.
inline void start_pool() {
  static const bool is_started = [] {
    tine::options with{.workers = asked_workers()};
    if (variable("TINE_MAX_CALLERS") == nullptr) {
      const unsigned workers = with.workers != 0 ? with.workers : tine::defaults_of_this_process().workers;
      with.max_callers = std::max(workers, 8U);
    }
    try {
      tine::start_default_pool(with);
    } catch (const std::logic_error&) {  // it has started
    }
    return true;
  }();
  static_cast<void>(is_started);
}

/// Called before anything that would start the default pool.
inline void prepare() {
  if (!tine::this_worker()) [[unlikely]]
    start_pool();
}

/// A pool that lets in one caller at a time has `worker_count()` numbers, as long as no roots are submitted to it.
inline bool has_one_caller() { return tine::worker_slots() == tine::worker_count() + 1; }

}  // namespace internal

/// Returns a bound: each worker_id() in the same pool is below it.
inline std::size_t num_workers() {
  internal::prepare();
  return internal::has_one_caller() ? tine::worker_count() : tine::worker_slots();
}

/// Returns the number of the calling worker, which no other thread of the pool has at the same time; 0 outside of
/// parallel code.
inline std::size_t worker_id() {
  if (!tine::this_worker()) return 0;
  const unsigned id = tine::worker_index();
  if (id == tine::worker_count() && internal::has_one_caller()) [[unlikely]]
    internal::refuse("a root that was submitted to a pool with max_callers = 1 uses ParlayLib: give it 2 or more.");
  return id;
}

/// tine needs no granularity. A conservative loop runs in parallel, too, but a thread that waits in it runs nothing
/// else (tine::isolate).
template <typename F>
inline void parallel_for(std::size_t start, std::size_t end, F&& f, long, bool conservative) {
  static_assert(std::is_invocable_v<F&, std::size_t>);
  internal::prepare();
  auto* const body = std::addressof(f);  // the body may change itself, or not allow copies
  const auto loop = [=] { tine::par_for(start, end, [body](std::size_t i) { static_cast<void>((*body)(i)); }); };
  conservative ? tine::isolate(loop) : loop();
}

template <typename Lf, typename Rf>
inline void par_do(Lf&& left, Rf&& right, bool conservative) {
  static_assert(std::is_invocable_v<Lf&&>);
  static_assert(std::is_invocable_v<Rf&&>);
  internal::prepare();
  const auto fork = [&] {
    tine::par([&] { static_cast<void>(std::forward<Lf>(left)()); },
              [&] { static_cast<void>(std::forward<Rf>(right)()); });
  };
  conservative ? tine::isolate(fork) : fork();
}

/// Runs `f` in a pool of its own with `p` workers.
template <typename F>
void execute_with_scheduler(unsigned int p, F&& f) {
  tine::pool own{{.workers = p, .pin = tine::affinity::none, .max_callers = 1}};
  own.run([&] { static_cast<void>(std::invoke(std::forward<F>(f))); });
}

}  // namespace parlay
