// Where the program spends processor time while no root runs. A timer of each sampled thread's processor time sends it a signal, whose
// handler counts the interrupted place. Only a process with TINE_PROFILE set has such timers, and the handler.
#pragma once

#include "trace/profile.hpp"

#include <cstddef>
#include <cstdint>

namespace tine::detail {

/// The processor time between two samples of a thread, in nanoseconds. Linux looks at such timers at its own ticks, 1 to 10 ms apart;
/// a sample counts as often as the timer has expired.
inline constexpr std::uint64_t sample_period = 1'000'000;

/// Samples the calling thread from here on, until it ends or `stop_sampling`. Does nothing if it is sampled already. The first call
/// of a process chooses the signal: the highest real-time one that has its default action and is not blocked. In a process that was
/// forked from a sampled one, the first call drops the samples of the other process.
///
/// A later call also looks whether the program has replaced the handler or blocked the signal, and stops sampling then.
void sample_this_thread() noexcept;
void stop_sampling() noexcept;

/// A root begins or ends. The handler counts places only while none is open.
void root_opened() noexcept;
void root_closed() noexcept;
/// In a process that was forked, which has other roots open than its parent.
void set_open_roots(int now) noexcept;

/// Adds the samples to the profile, which has its modules already: at most `most` rows, those with most samples. Return addresses that
/// are in no module are dropped. If there are more places, their callers are dropped first.
void merge_samples(trace::profile& into, std::size_t most);

}  // namespace tine::detail
