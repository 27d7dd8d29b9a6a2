// The timeline of a process: the newest events of each worker, which the scheduler adds to a ring. Any thread may call
// this.
#pragma once

#include "sched/event_ring.hpp"
#include "trace/profile.hpp"

#include <tine/base/ticks.hpp>
#include <tine/detail/sched/observer.hpp>

#include <cstddef>
#include <cstdint>

namespace tine::detail::timeline {

/// From now on `open_ring` gives rings. A profile gets the newest `most` events of all workers together, and only those
/// of the last `last` nanoseconds; 0: as many as fit.
void keep(std::size_t most, std::uint64_t last) noexcept;

/// As in sched::event_rings.
sched::event_ring* open_ring(const sched::worker& of) noexcept;
void close_ring(sched::event_ring& ring) noexcept;

/// Called when a strand starts on this worker: notes its site in the timeline, if there is one. `where`: a result of
/// site_with_callers; 0: a root.
void note_strand(sched::site where) noexcept;

/// The thread has just lost that many ticks to other threads or to waits in the kernel.
void note_loss(base::ticks lost) noexcept;

/// Adds the rows of the timeline. `began`: when the profile starts to count. Workers may add events meanwhile.
void add_rows(trace::profile& into, base::ticks began);

/// Call `lock` and `unlock` around fork(2), and `forget` in the forked process, which does not have events yet.
void lock() noexcept;
void unlock() noexcept;
void forget() noexcept;

}  // namespace tine::detail::timeline
