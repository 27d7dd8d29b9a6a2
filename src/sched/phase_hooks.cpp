// The listener to the phases of the program, which the profiler sets before main.
#include <tine/detail/sched/phase_hooks.hpp>

namespace tine::sched {

constinit base::atomic<const phase_hooks*> registered_phase_hooks{nullptr};

}  // namespace tine::sched
