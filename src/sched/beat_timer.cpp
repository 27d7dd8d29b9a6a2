// Timers that signal one thread (timer_create with SIGEV_THREAD_ID).
#include "sched/beat_timer.hpp"

#include "sched/interrupt.hpp"

#include <unistd.h>
#include <csignal>

namespace tine::sched {

void beat_timer::start(const options& settings) noexcept {
  if (state_ == state::beating) return;
  if (state_ == state::none) {
    sigevent to_this_thread{};
    to_this_thread.sigev_notify = SIGEV_THREAD_ID;
    to_this_thread.sigev_signo = settings.signal;
    to_this_thread.sigev_value.sival_ptr = signal_mark();
    to_this_thread._sigev_un._tid = gettid();  // glibc 2.36 has no public name for it
    if (timer_create(CLOCK_MONOTONIC, &to_this_thread, &timer_) != 0) return;
  }
  const auto ns = static_cast<long long>(settings.promote.period_us() * 1e3);
  itimerspec every{};
  every.it_interval = {static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
  every.it_value = every.it_interval;
  timer_settime(timer_, 0, &every, nullptr);
  state_ = state::beating;
}

void beat_timer::rest() noexcept {
  if (state_ != state::beating) return;
  const itimerspec never{};
  timer_settime(timer_, 0, &never, nullptr);
  state_ = state::resting;
}

void beat_timer::stop() noexcept {
  if (state_ != state::none) timer_delete(timer_);
  state_ = state::none;
}

}  // namespace tine::sched
