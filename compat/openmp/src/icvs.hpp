// The internal control variables of OpenMP, and the environment variables that set them. Those of a task never change:
// a task that sets one gets a new set, so its children inherit the values of the moment at which they were made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tine::openmp {

/// The values of omp_sched_t, and of libgomp's `sched` arguments, where 0 is `runtime`.
enum class schedule : std::uint8_t { runtime, fixed, dynamic, guided, automatic };

/// TINE_OMP_THREADS: how the members of teams run. See native_threads.hpp.
enum class thread_kind : std::uint8_t { as_needed, strands, native };

struct icvs {
  unsigned threads = 1;  ///< nthreads-var at the level of `list_at`
  unsigned list_at = 0;  ///< the entry of process_icvs::thread_list that the next nested team takes
  bool dynamic = false;  ///< dyn-var
  schedule run_sched = schedule::dynamic;
  bool monotonic = false;  ///< the modifier of run_sched
  int run_chunk = 1;
  int max_active_levels = 1;
  int default_device = 0;
  unsigned thread_limit = ~0U >> 1;
  std::uintptr_t allocator = 1;    ///< def-allocator-var, a predefined handle or one of omp_init_allocator
  const icvs* replaced = nullptr;  ///< the set before, if the same task made that one as well
};

/// The variables of the whole process, read from the environment once.
struct process_icvs {
  icvs first;                         ///< of initial tasks
  std::vector<unsigned> thread_list;  ///< OMP_NUM_THREADS, one number a level
  bool cancellation = false;
  int max_task_priority = 0;
  int num_teams = 0;
  int teams_thread_limit = 0;
  bool is_recorded = false;  ///< or replayed
  thread_kind threads_are = thread_kind::as_needed;
  unsigned workers = 1;     ///< of the default pool
  unsigned processors = 1;  ///< that the process may use, before a pool pins its threads
  std::string stack_size, wait_policy = "PASSIVE", proc_bind = "FALSE", places, affinity_format,
                          target_offload = "DEFAULT";
  bool display_affinity = false;
};

inline constexpr int supported_active_levels = 255;

/// Thread-safe; the first call reads the environment.
process_icvs& process();

/// Writes the variables to standard error, as OMP_DISPLAY_ENV asks for.
void display_environment(bool verbose);

}  // namespace tine::openmp
