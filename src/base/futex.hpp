// The kernel's futex, and its barrier over all threads of the process, for any thread. A model build supplies its own
// version of both.
#pragma once

#include <tine/detail/base/atomic.hpp>

#include <cstdint>

namespace tine::base {

/// Sleeps while `word` is `expected`, until futex_wake or a signal, or for `at_most_us` microseconds (0: no limit). May
/// return early for no reason.
void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected, std::uint32_t at_most_us) noexcept;

/// Sleeps like `futex_wait` until that moment of CLOCK_MONOTONIC, in nanoseconds; the greatest number is no limit.
/// Returns false if the moment has come.
bool futex_wait_until(atomic<std::uint32_t>& word, std::uint32_t expected, std::int64_t moment) noexcept;

/// Wakes one thread that sleeps on `word`. Async-signal-safe.
void futex_wake(atomic<std::uint32_t>& word) noexcept;

/// Readies barrier_everywhere for this process; returns true if the kernel offers it. Thread-safe.
bool enable_barrier_everywhere() noexcept;

/// Returns after every running thread of the process has executed a full barrier. So the fast path of a fork can do
/// without one.
void barrier_everywhere() noexcept;

}  // namespace tine::base
