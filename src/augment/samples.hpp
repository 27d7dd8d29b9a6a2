// Samples of where the program spends processor time while no root runs. Each sampled thread has a timer of its
// processor time, which sends it a signal; the signal's handler counts the interrupted place. Only a process with
// TINE_PROFILE has the timers and the handler.
#pragma once

#include "trace/profile.hpp"

#include <cstddef>
#include <cstdint>

namespace tine::detail {

/// How much processor time lies between two samples of a thread, in nanoseconds. Linux checks such timers only at its
/// own ticks, 1 to 10 ms apart; a sample counts once for each time that the timer has expired.
inline constexpr std::uint64_t sample_period = 1'000'000;

/// Samples the calling thread until it ends or `stop_sampling` is called. Does nothing if the thread is already
/// sampled. The first call in a process chooses the signal: the highest real-time signal that has its default action
/// and is not blocked. In a process that was forked from a sampled one, the first call drops the samples of its parent.
///
/// A later call also checks whether the program has replaced the handler, and stops sampling if so.
void sample_this_thread() noexcept;
void stop_sampling() noexcept;

/// Count a root that starts or ends. The handler counts places only while no root is open.
void root_opened() noexcept;
void root_closed() noexcept;
/// Sets the number of open roots. Called in a forked process, whose open roots are not those of its parent.
void set_open_roots(int now) noexcept;

/// Adds the samples to the profile, which has its modules already: at most `most` rows, those with the most samples.
/// Return addresses outside of all modules are dropped. If there are more than `most` places, we first drop their
/// callers.
void merge_samples(trace::profile& into, std::size_t most);

}  // namespace tine::detail
