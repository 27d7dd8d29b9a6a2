// The tokens of a simulated worker: the arithmetic of sched/token_bucket.hpp for promotion on demand, in nanoseconds.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tine::simulate {

class tokens {
 public:
  static constexpr std::uint64_t period = 16000;
  static constexpr int cap = 30, deficit = 15;

  /// Grants what run time up to `now` has earned. Run time began at the last `accrue` or `resume`.
  void accrue(std::uint64_t now) noexcept {
    if (now > since_) unspent_ += now - since_, since_ = now;
    const std::uint64_t beats = unspent_ / beat_;
    unspent_ -= beats * beat_;
    left_ = static_cast<int>(std::min<std::uint64_t>(beats, static_cast<std::uint64_t>(cap - left_))) + left_;
  }
  void resume(std::uint64_t now) noexcept { since_ = now; }

  /// Pays for a promotion. Returns false if there is no token; a signal may leave a deficit.
  bool spend(bool by_signal) noexcept {
    if (left_ <= (by_signal ? -deficit : 0)) return false;
    --left_;
    return true;
  }

  /// Returns the time at which there is a token again, if run time does not end.
  std::uint64_t next_at() const noexcept {
    return since_ - unspent_ + beat_ * (left_ < 0 ? static_cast<std::uint64_t>(1 - left_) : 1);
  }

  /// A stolen task that is worth less than four beats makes tokens rarer.
  void learn(bool task_was_short) noexcept {
    beat_ = task_was_short ? std::min(32 * period, beat_ * 2) : std::max(period, beat_ / 2);
    if (task_was_short) left_ = std::min(left_, 4);
  }
  static bool is_short_task(std::uint64_t span) noexcept { return span < 4 * period; }

 private:
  int left_ = cap - deficit;
  std::uint64_t beat_ = period, since_ = 0, unspent_ = 0;
};

}  // namespace tine::simulate
