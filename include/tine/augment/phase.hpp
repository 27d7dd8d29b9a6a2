// phase: names a stretch of the program, so that the tools can report, simulate and change it alone.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/phase_hooks.hpp>

#include <cstdint>

namespace tine {

/// While the object lives, what the program does belongs to the phase `name` in its profile:
///
///     {
///       const tine::phase now{"query"};
///       for (const auto& q : queries) answer(q);  // calls into pools, and the serial code between them
///     }
///
/// `tine report --of phase:query` then shows this stretch alone, and so do `simulate`, `whatif`, `predict` and `check`.
///
/// A phase may be opened anywhere. Outside of pools it contains the time of this thread, and all calls into pools that
/// the thread makes. In a strand (a branch, an iteration, a task) it contains this strand, and all that the strand
/// forks meanwhile. Other branches that run at the same time don't belong to it. A profile needs the analysis `grain`
/// for phases in strands.
///
/// Phases nest. Several phases with one name are one phase, also on several threads, and a phase inside of a phase with
/// its name is no new one. A task that is submitted to a pool doesn't belong to the phase of its submitter.
///
/// Make the object a local variable: it must end in the call that made it, and it may end by an exception. `name` is
/// copied. In a program that isn't profiled a phase costs a load and a branch; in a profiled one, a look-up by name.
class [[nodiscard]] phase {
 public:
  explicit phase(const char* name) noexcept
      // relaxed: the listener was there before main
      : by_{sched::registered_phase_hooks.load(base::relaxed)} {
    if (by_ != nullptr) [[unlikely]]
      around_ = by_->open(name);
  }
  ~phase() {
    if (by_ != nullptr) [[unlikely]]
      by_->close(around_);
  }
  phase(const phase&) = delete;
  phase& operator=(const phase&) = delete;

 private:
  const sched::phase_hooks* by_;
  std::uint32_t around_ = 0;
};

}  // namespace tine
