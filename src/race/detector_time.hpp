// Marks time in which a thread works for the detector.
#pragma once

#include "race/contexts.hpp"

#include "sched/scheduler_time.hpp"

namespace tine::detail {

/// While it lives, the thread works for the detector: nothing is checked, and memory that it allocates is the
/// runtime's. Around code that uses templates of the standard library, because the linker may take the program's
/// instrumented copies of their functions.
class detector_time {
 public:
  detector_time() noexcept { pause_checking(); }
  ~detector_time() { resume_checking(); }
  detector_time(const detector_time&) = delete;
  detector_time& operator=(const detector_time&) = delete;

 private:
  const sched::scheduler_time for_runtime_;
};

}  // namespace tine::detail
