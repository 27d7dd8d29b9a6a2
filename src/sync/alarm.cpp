// The heap of alarms and the helper thread that rings them. Any thread may set an alarm.
#include "sync/alarm.hpp"

#include "base/futex.hpp"
#include "sched/hidden_mutex.hpp"
#include "sync/limited_waiter.hpp"

#include <tine/detail/base/assert.hpp>

#include <pthread.h>
#include <algorithm>
#include <csignal>
#include <ctime>
#include <mutex>
#include <utility>

namespace tine::detail {

/// The lock guards everything but `changes`. The thread holds it while it rings an alarm, so that ~alarm waits for it.
class alarm_heap {
 public:
  constexpr alarm_heap() noexcept = default;

  void add(alarm& a) noexcept {
    const std::lock_guard hold{lock};
    first_ = first_ == nullptr ? &a : merge(first_, &a);
    if (first_ != &a) return;
    changes_.fetch_add(1, base::relaxed);  // relaxed: the futex and the lock order it
    base::futex_wake(changes_);
  }
  void remove(alarm& a) noexcept {
    const std::lock_guard hold{lock};
    if (a.is_set_) take(a);
  }

  bool start() noexcept;

  sched::hidden_mutex lock;

  /// In a child of fork(2): the parties of these alarms are not in this process, and the thread isn't either.
  void forget_all() noexcept {
    first_ = nullptr;
    is_running_.store(false, base::relaxed);
  }

 private:
  static alarm* merge(alarm* a, alarm* b) noexcept;
  static alarm* merge_siblings(alarm* eldest) noexcept;
  void take(alarm& a) noexcept;
  static void* run(void*) noexcept;
  moment ring_next() noexcept;

  alarm* first_ = nullptr;
  base::atomic<bool> is_running_{false};
  base::atomic<std::uint32_t> changes_{0};  // counts the alarms that became the first
};

namespace {

moment monotonic_now() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

constinit alarm_heap the_alarms;

/// While the thread holds the lock, it wakes strands, which may take the locks of process_lock.hpp: so it is registered
/// after them.
[[gnu::constructor(104)]] void register_alarm_handlers() noexcept {
  pthread_atfork([] { the_alarms.lock.lock(); }, [] { the_alarms.lock.unlock(); },
                 [] {
                   the_alarms.forget_all();
                   the_alarms.lock.unlock();
                 });
}

}  // namespace

moment moment_after(std::int64_t nanoseconds) noexcept {
  moment sum = 0;
  return __builtin_add_overflow(monotonic_now(), nanoseconds, &sum) ? never : sum;
}

/// The alarm that rings first becomes the parent of the other one.
alarm* alarm_heap::merge(alarm* a, alarm* b) noexcept {
  if (b->at_ < a->at_) std::swap(a, b);
  b->next_ = a->child_;
  if (b->next_ != nullptr) b->next_->previous_ = b;
  b->previous_ = a;
  a->child_ = b;
  return a;
}

/// Merges siblings in pairs from the left, and the pairs from the right.
alarm* alarm_heap::merge_siblings(alarm* eldest) noexcept {
  alarm* pairs = nullptr;
  while (eldest != nullptr) {
    alarm* a = eldest;
    alarm* const b = a->next_;
    eldest = b != nullptr ? b->next_ : nullptr;
    a->previous_ = a->next_ = nullptr;
    if (b != nullptr) {
      b->previous_ = b->next_ = nullptr;
      a = merge(a, b);
    }
    a->next_ = pairs;
    pairs = a;
  }
  alarm* all = nullptr;
  while (pairs != nullptr) {
    alarm* const a = std::exchange(pairs, pairs->next_);
    a->next_ = nullptr;
    all = all == nullptr ? a : merge(all, a);
  }
  return all;
}

void alarm_heap::take(alarm& a) noexcept {
  a.is_set_ = false;
  alarm* const below = merge_siblings(a.child_);
  if (&a == first_) {
    first_ = below;
    return;
  }
  (a.previous_->child_ == &a ? a.previous_->child_ : a.previous_->next_) = a.next_;
  if (a.next_ != nullptr) a.next_->previous_ = a.previous_;
  if (below != nullptr) first_ = merge(first_, below);
}

/// Rings the first alarm if its moment has come. Otherwise returns its moment.
moment alarm_heap::ring_next() noexcept {
  const std::lock_guard hold{lock};
  if (first_ == nullptr) return never;
  alarm& a = *first_;
  if (a.at_ > monotonic_now()) return a.at_;
  take(a);
  a.who_.give_up();
  return 0;  // look again at once
}

void* alarm_heap::run(void*) noexcept {
  pthread_setname_np(pthread_self(), "tine-alarms");
  for (;;) {
    const std::uint32_t seen = the_alarms.changes_.load(base::relaxed);  // relaxed: read again by the futex
    const moment next = the_alarms.ring_next();
    if (next != 0) base::futex_wait_until(the_alarms.changes_, seen, next);
  }
}

/// The thread blocks all signals, so that no handler of the program runs there.
bool alarm_heap::start() noexcept {
  if (is_running_.load(base::relaxed)) return true;  // relaxed: passes nothing on
  const std::lock_guard hold{lock};
  if (is_running_.load(base::relaxed)) return true;
  sigset_t all, before;
  sigfillset(&all);
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  const bool starts = pthread_create(&thread, &detached, &run, nullptr) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&detached);
  is_running_.store(starts, base::relaxed);
  static bool is_said = false;
  if (!starts && !std::exchange(is_said, true)) {
    base::warn(
        "no thread can be started for timed waits, so a strand that waits with a time limit blocks its worker. Allow the process one more thread.");
  }
  return starts;
}

bool alarm::can_ring() noexcept { return the_alarms.start(); }

alarm::alarm(limited_waiter& who, moment at) noexcept : who_{who}, at_{at}, is_set_{at != never} {
  if (is_set_) the_alarms.add(*this);
}

alarm::~alarm() {
  if (at_ != never) the_alarms.remove(*this);
}

}  // namespace tine::detail
