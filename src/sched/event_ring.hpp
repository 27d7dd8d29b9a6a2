// The ring of a worker's events, from which a timeline is made. It holds the newest events; older ones are overwritten.
#pragma once

#include <tine/base/ticks.hpp>
#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace tine::sched {

class worker;

/// The kinds of a worker's events. `subject` is an address that tells instances apart; `other` is the index of another
/// worker of the pool.
enum class event_kind : std::uint8_t {
  arrives,        ///< the thread takes part in the pool
  leaves,         ///< the thread does not take part any more
  runs,           ///< the worker begins or continues to run the program's code
  rests,          ///< it stops running the program's code
  begins,         ///< a strand begins; subject: the return address of its fork or loop; 0: a root
  promotes,       ///< a record becomes a task; subject: the task
  promotes_late,  ///< as `promotes`, in the signal handler
  reclaims,       ///< the owner takes its task back at a join; subject: the task
  steals,         ///< subject: the task; other: the victim
  takes,          ///< the worker is about to run a task, wherever it comes from; subject: the task
  suspends,       ///< a strand waits and leaves its worker; subject: the fiber
  resumes,        ///< the strand continues; subject: the fiber; other: the worker that it had left
  parks,          ///< a coroutine waits for something outside of the pool; subject: its frame
  returns,        ///< that coroutine continues; subject: its frame
  lacks_token,    ///< an idle worker is not served, because there is no token
  serves_again,   ///< there is a token again, or no record is pending any more
  sees_work,      ///< a thief sees a record that is pending at another worker
  sees_none,      ///< the thief sees no such record any more
  sleeps,         ///< the worker goes to sleep
  wakes,          ///< its sleep is over
  interrupts,     ///< the worker sends a signal; other: the victim
  interrupted,    ///< the worker handles such a signal
  loses,          ///< the thread had no processor, or waited in the kernel; subject: the nanoseconds before this event
};

struct ring_event {
  base::ticks time;
  std::uintptr_t subject;
  std::uint16_t other;
  event_kind is;
};

/// One thread at a time adds events, which its signal handler may do, too. Any thread may read meanwhile.
class event_ring {
 public:
  /// `capacity` is a power of two.
  explicit event_ring(std::size_t capacity) : slots_{std::make_unique<slot[]>(capacity)}, mask_{capacity - 1} {}

  /// Adds an event. It leaves out a lack of a token that follows another one, and `serves_again` that follows no lack.
  void add(event_kind is, std::uintptr_t subject = 0, unsigned other = 0) noexcept {
    if (is_repeated(is)) return;
    const base::ticks now = base::now();
    // A read-modify-write, so that a signal handler that adds events in between does not get the same slot. relaxed,
    // here and below: the tag publishes the slot
    const std::uint64_t i = next_.fetch_add(1, base::relaxed);
    slot& s = slots_[i & mask_];
    s.tag.store(0, base::relaxed);
    base::fence(
        base::release);  // pairs with the fence in read: a reader that sees a new word sees that the tag has changed
    s.time.store(now, base::relaxed);
    s.subject.store(subject, base::relaxed);
    s.tag.store(tag_of(i) | (other & 0xffff) << 8 | static_cast<std::uint64_t>(is),
                base::release);  // pairs with the first load in read
  }

  /// Calls `f` for each event that is complete, the oldest first, and returns the number of events that were added
  /// before and are not in the ring any more.
  template <class F>
  std::uint64_t read(F&& f) const {
    const std::uint64_t end = next_.load(base::relaxed), first = first_.load(base::relaxed);
    const std::uint64_t held = mask_ + 1;
    const std::uint64_t begin = end - first > held ? end - held : first;
    std::uint64_t lost = begin - first;
    for (std::uint64_t i = begin; i != end; ++i) {
      const slot& s = slots_[i & mask_];
      const std::uint64_t tag = s.tag.load(base::acquire);  // pairs with the release in add
      const ring_event e{s.time.load(base::relaxed), s.subject.load(base::relaxed),
                         static_cast<std::uint16_t>(tag >> 8), static_cast<event_kind>(tag & 0xff)};
      base::fence(base::acquire);  // pairs with the fence in add
      if (tag >> 24 != tag_of(i) >> 24 || s.tag.load(base::relaxed) != tag) {
        ++lost;  // overwritten meanwhile, or not complete
      } else {
        f(e);
      }
    }
    return lost;
  }

  /// Forgets all events. No thread may add events meanwhile.
  void clear() noexcept { first_.store(next_.load(base::relaxed), base::relaxed); }

 private:
  struct slot {
    base::atomic<std::uint64_t> tag{
        0};  ///< the number of the event, the other worker, the kind; 0: the slot is being written
    base::atomic<base::ticks> time{0};
    base::atomic<std::uintptr_t> subject{0};
  };
  /// Promotions and the end of a run end a lack, too.
  bool is_repeated(event_kind is) noexcept {
    const bool lacks = is == event_kind::lacks_token;
    if (lacks || is == event_kind::serves_again) return std::exchange(lacks_token_, lacks) == lacks;
    if (is == event_kind::promotes || is == event_kind::promotes_late || is == event_kind::rests) lacks_token_ = false;
    return false;
  }
  static std::uint64_t tag_of(std::uint64_t i) noexcept { return (i + 1) << 24; }

  const std::unique_ptr<slot[]> slots_;
  const std::size_t mask_;
  bool lacks_token_ = false;
  base::atomic<std::uint64_t> next_{0}, first_{0};  ///< the numbers of the next event, and of the first one that counts
};

/// The owner of all rings.
struct event_rings {
  /// Returns a ring for a worker whose thread arrives; null: no timeline is kept.
  event_ring* (*open)(const worker& of) noexcept;
  /// The worker ends, and its ring may go to another one.
  void (*close)(event_ring& of) noexcept;
};

/// Null: there are none. The profiler sets it before main, if it is linked, so the scheduler refers to no analysis.
TINE_API extern constinit const event_rings* registered_event_rings;

}  // namespace tine::sched
