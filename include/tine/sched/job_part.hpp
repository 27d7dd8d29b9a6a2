// The part of a process in a job of several processes that share work, for the profile of the process.
#pragma once

#include <tine/base/ticks.hpp>
#include <tine/detail/base/macros.hpp>

#include <cstdint>
#include <vector>

namespace tine::sched {

/// A stretch of time in which the process had no work for `without_work`; the rest of it are gaps that were too short
/// to keep.
struct idle_period {
  base::ticks begin = 0;         ///< a reading of base::now
  base::ticks end = 0;           ///< as `begin`
  base::ticks without_work = 0;  ///< length of time, at most `end - begin`
};

/// The figures of this process in its job. The library that shares the work of the program among processes makes them;
/// all counts begin at the start of the process.
struct job_part {
  std::uint32_t rank = 0;         ///< of this process in the job, from 0
  std::uint32_t ranks = 1;        ///< number of processes of the job
  std::uint64_t call_ns = 0;      ///< nanoseconds in calls that share work
  std::uint64_t idle_ns = 0;      ///< of these, the nanoseconds in which no worker of the process had work
  std::uint64_t steals = 0;       ///< messages with work that have come from other processes
  std::uint64_t requests = 0;     ///< requests for work to other processes
  std::uint64_t given = 0;        ///< tasks and iterations sent to other processes
  std::uint64_t messages = 0;     ///< sent, of all kinds
  std::uint64_t bytes = 0;        ///< of these messages
  std::vector<idle_period> idle;  ///< in the order of time; they do not overlap
};

/// From now on a profile of this process (`TINE_PROFILE`) contains what `describe` returns, and `tine report` joins it
/// with the profiles of the other processes. `describe` may be called on any thread, also while other threads run
/// tasks, until the process ends. A later call of this function replaces the earlier one. Thread-safety: may be called
/// from any thread.
TINE_API void describe_job_part(job_part (*describe)()) noexcept;

/// Returns the function that was given last; null if there is none.
TINE_API auto description_of_job_part() noexcept -> job_part (*)();

}  // namespace tine::sched
