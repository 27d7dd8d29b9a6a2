// tick_count: a moment of a steady clock, and the time between two of them. A plain value: any thread may use it.
#pragma once

#include <oneapi/tbb/tine/split.hpp>

#include <chrono>

namespace tbb {
namespace detail {
namespace on_tine {

/// A moment. The times that all threads read are of one clock.
class tick_count {
  using clock = std::chrono::steady_clock;

 public:
  /// The time between two moments.
  class interval_t {
   public:
    interval_t() noexcept = default;
    explicit interval_t(double seconds) noexcept
        : length_{std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>{seconds})} {}
    double seconds() const noexcept { return std::chrono::duration<double>{length_}.count(); }
    interval_t& operator+=(const interval_t& other) noexcept { return length_ += other.length_, *this; }
    interval_t& operator-=(const interval_t& other) noexcept { return length_ -= other.length_, *this; }
    friend interval_t operator+(interval_t a, const interval_t& b) noexcept { return a += b; }
    friend interval_t operator-(interval_t a, const interval_t& b) noexcept { return a -= b; }

   private:
    friend class tick_count;
    explicit interval_t(clock::duration length) noexcept : length_{length} {}
    clock::duration length_{};
  };

  tick_count() noexcept = default;
  static tick_count now() noexcept { return tick_count{clock::now()}; }
  /// The shortest time between two moments that differ, in seconds.
  static double resolution() noexcept { return std::chrono::duration<double>{clock::duration{1}}.count(); }
  friend interval_t operator-(const tick_count& to, const tick_count& from) noexcept {
    return length(to.at_ - from.at_);
  }

 private:
  static interval_t length(clock::duration d) noexcept { return interval_t{d}; }
  explicit tick_count(clock::time_point at) noexcept : at_{at} {}
  clock::time_point at_{};
};

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::tick_count;
}
}  // namespace tbb
