// Heartbeats by timers that signal one thread (timer_create with SIGEV_THREAD_ID). The worker's own thread starts and
// stops its timer.
#include "sched/beat_timer.hpp"

#include "base/fp_environment.hpp"

#include "sched/interrupt.hpp"

#include <tine/base/ticks.hpp>
#include <tine/detail/base/atomic.hpp>

#include <unistd.h>
#include <algorithm>
#include <array>
#include <csignal>

namespace tine::sched {
namespace {

/// Returns the nanoseconds that the calling thread needs to be interrupted by a signal of ours and to come back: the
/// median of several measurements. The thread is in the scheduler, so the handler returns at once.
long long cost_of_signal(int number) noexcept {
  std::array<base::ticks, 9> took;
  for (base::ticks& t : took) {
    const base::ticks from = base::now();
    interrupt_this_thread(number);
    t = base::now() - from;
  }
  std::ranges::nth_element(took, took.begin() + took.size() / 2);
  return static_cast<long long>(base::to_nanoseconds(took[took.size() / 2]));
}

/// Returns the shortest interval of a timer, in nanoseconds. A timer whose signals come as fast as the kernel delivers
/// them leaves the thread no time for anything else; with this interval they take about a tenth of its time. The
/// interval depends on the machine and on tools that observe the process, so we measure it, once.
long long shortest_interval(int number) noexcept {
  constexpr long long least = 20'000;  // the measurement doesn't contain the cost of the timer's own interrupt
  static base::atomic<long long> measured{0};
  long long shortest = measured.load(base::relaxed);  // relaxed: we pass on nothing but the number
  if (shortest == 0) {
    shortest = std::max(least, 10 * cost_of_signal(number));
    measured.store(shortest, base::relaxed);
  }
  return shortest;
}

}  // namespace

void beat_timer::start(int signal, double period_us) noexcept {
  if (state_ == state::beating) return;
  if (state_ == state::none) {
    sigevent to_this_thread{};
    to_this_thread.sigev_notify = SIGEV_THREAD_ID;
    to_this_thread.sigev_signo = signal;
    to_this_thread.sigev_value.sival_ptr = signal_mark();
    to_this_thread._sigev_un._tid = gettid();  // glibc 2.36 has no public name for it
    if (timer_create(CLOCK_MONOTONIC, &to_this_thread, &timer_) != 0) return;
  }
  // Lemma: the period that was asked for still bounds the promotions. Reason: tokens accrue by run time
  // (token_bucket.hpp); a beat only spends them.
  const base::default_fp_environment quiet;  // we may be on a strand of the program
  const long long asked = static_cast<long long>(period_us * 1e3);
  const long long ns = std::max(asked, shortest_interval(signal));
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
