// The timeline of a process: the newest events of each worker, which the scheduler adds to a ring.
#pragma once

#include "sched/event_ring.hpp"
#include "trace/profile.hpp"

#include <tine/base/ticks.hpp>
#include <tine/detail/sched/observer.hpp>

#include <cstddef>
#include <cstdint>

namespace tine::detail::timeline {

/// `open_ring` gives rings from now on. A profile gets `most` events of all workers together, the newest ones, and only
/// those of the last `last` nanoseconds; 0: as many as there is space for.
void keep(std::size_t most, std::uint64_t last) noexcept;

/// These are as in sched::event_rings.
sched::event_ring* open_ring(const sched::worker& of) noexcept;
void close_ring(sched::event_ring& ring) noexcept;

/// Called when a strand begins on this worker: notes its site in the timeline, if one is kept. `where`: a result of
/// site_with_callers; 0: a root.
void note_strand(sched::site where) noexcept;

/// Called when the thread has lost so many ticks, up to now, to other threads or to waits in the kernel.
void note_loss(base::ticks lost) noexcept;

/// Adds the rows of the timeline. `began`: the time from which a profile counts. Workers may add events meanwhile.
void add_rows(trace::profile& into, base::ticks began);

/// `lock` and `unlock` are called around fork(2), `forget` in the forked process, which has no events yet.
void lock() noexcept;
void unlock() noexcept;
void forget() noexcept;

}  // namespace tine::detail::timeline
