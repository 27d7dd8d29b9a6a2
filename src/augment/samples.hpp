// Samples of the places where the program spends processor time while no root runs. A timer of each sampled thread's
// processor time sends the thread a signal, whose handler counts the interrupted place. Only a process with
// TINE_PROFILE set has such timers and the handler.
#pragma once

#include "trace/profile.hpp"

#include <cstddef>
#include <cstdint>

namespace tine::detail {

/// The processor time between two samples of a thread, in nanoseconds. Linux checks such timers only at its own ticks,
/// 1 to 10 ms apart; a sample counts as often as the timer has expired.
inline constexpr std::uint64_t sample_period = 1'000'000;

/// Samples the calling thread from now on, until the thread ends or `stop_sampling` is called. Does nothing if the
/// thread is sampled already. The first call in a process chooses the signal: the highest real-time signal that has its
/// default action and is not blocked. In a process that was forked from a sampled process, the first call drops the
/// samples of the other process.
///
/// A later call also checks if the program has replaced the handler, and stops sampling in this case.
void sample_this_thread() noexcept;
void stop_sampling() noexcept;

/// Count a root that begins or ends. The handler counts places only while no root is open.
void root_opened() noexcept;
void root_closed() noexcept;
/// Sets the number of open roots. Called in a process that was forked, which has other open roots than its parent.
void set_open_roots(int now) noexcept;

/// Adds the samples to the profile, which has its modules already: at most `most` rows, those with most samples. Return
/// addresses that are in no module are dropped. If there are more than `most` places, their callers are dropped first.
void merge_samples(trace::profile& into, std::size_t most);

}  // namespace tine::detail
