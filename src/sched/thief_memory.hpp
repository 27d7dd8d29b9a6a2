// The notes that a worker keeps from one search for work to the next. Only its own thread uses them.
#pragma once

#include "sched/topology.hpp"

#include <tine/base/ticks.hpp>
#include <tine/detail/base/splitmix64.hpp>

#include <sys/types.h>
#include <cstdint>
#include <vector>

namespace tine::sched {

/// A thief's notes on one victim.
struct victim_note {
  base::ticks requested_since = 0;  ///< time of the request in the current search; 0: none seen pending
  base::ticks sent = 0;             ///< time of the last signal, or of the last check of it; 0: none
  std::uint64_t handled = 0;        ///< the victim's count before `sent`
  pid_t thread = 0;                 ///< the victim's thread at `sent`
  unsigned unhandled = 0;           ///< number of looks in a row that found the signal not handled
  std::uint64_t ran_ns = 0;         ///< for inquire
};

struct thief_memory {
  victim_table victims;  ///< empty until the worker's thread first takes part, and for most callers
  base::splitmix64 random;
  std::vector<victim_note> notes;  ///< indexed by victim; request_work adds those that are missing
};

}  // namespace tine::sched
