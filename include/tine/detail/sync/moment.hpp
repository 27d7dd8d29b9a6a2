// Time limits of waits, without <chrono>: the caller's own durations and clocks convert themselves. Any thread may use
// these functions.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <concepts>
#include <cstdint>

namespace tine::detail {

/// Nanoseconds of CLOCK_MONOTONIC.
using moment = std::int64_t;
inline constexpr moment never = INT64_MAX;

/// Returns the moment that many nanoseconds from now.
TINE_API moment moment_after(std::int64_t nanoseconds) noexcept;

/// Returns a std::chrono::duration in nanoseconds, rounded up. Integers stay integers, so that no rounding mode matters
/// and no floating-point flag is raised.
template <class Duration>
constexpr std::int64_t nanoseconds_of(const Duration& d) noexcept {
  using period = typename Duration::period;
  if (d <= Duration::zero()) return 0;
  if constexpr (std::integral<typename Duration::rep>) {
    std::int64_t of_numerator = 0;
    if (__builtin_mul_overflow(d.count(), period::num, &of_numerator)) return never;
    const std::int64_t whole = of_numerator / period::den;
    const std::int64_t rest = of_numerator % period::den;
    std::int64_t sum = 0;
    if (__builtin_mul_overflow(whole, std::int64_t{1'000'000'000}, &sum)) return never;
    constexpr std::int64_t finer = period::den / 1'000'000'000;  // 0: the unit is a nanosecond or longer
    const std::int64_t fraction = finer > 1 ? rest / finer + 1 : (rest * 1'000'000'000 + period::den - 1) / period::den;
    return __builtin_add_overflow(sum, fraction, &sum) ? never : sum;
  } else {
    const auto ns = d.count() * (1e9 * period::num / period::den);
    return ns < 9e18 ? static_cast<std::int64_t>(ns) + 1 : never;  // NaN is no limit, either
  }
}

/// Calls `wait(until)` until it returns true or the moment of a clock has passed. The wait follows CLOCK_MONOTONIC, and
/// the clock is asked again afterwards. Returns the last result.
template <class TimePoint, class Wait>
bool wait_until(const TimePoint& when, Wait wait) {
  for (;;) {
    const auto left = when - TimePoint::clock::now();
    if (left <= left.zero()) return false;
    if (wait(moment_after(nanoseconds_of(left)))) return true;
  }
}

}  // namespace tine::detail
