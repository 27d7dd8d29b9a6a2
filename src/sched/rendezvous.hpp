// A rendezvous: a strand joins with strands that it has given away, and the last one to arrive decides where the strand
// continues. Records are joined in another way (join.cpp); a rendezvous is for tasks that never were on a shadow stack,
// because they were given to a worker by name.
#pragma once

#include "sched/fiber.hpp"

#include <tine/base/atomic.hpp>
#include <tine/sched/submission.hpp>
#include <tine/sched/task.hpp>

namespace tine::sched {

class worker;
struct rendezvous;

/// Decides where a strand continues. With resume_policy::same_thread it continues on the worker that its fiber left.
/// The functions are called in the scheduler, on the threads of the strands that arrive.
class host {
 public:
  /// `enter` registers a thread that uses the host; `leave` unregisters it. The host lives until the last `leave` (see
  /// wait_for_visitors).
  void enter() noexcept { visitors_.fetch_add(1, base::relaxed); }  // relaxed: the arrival keeps the host alive
  void leave() noexcept { visitors_.fetch_sub(1, base::release); }  // pairs with the acquire in wait_for_visitors

  /// Called by the waiting strand when all others have arrived: may it continue right here? If not, it leaves its
  /// fiber, and `pass` is called.
  virtual bool may_go_on(rendezvous& r) noexcept = 0;
  /// All have arrived, and the strand has left its worker. Returns true if it continues on this worker, at once; false
  /// if `r.back` was, or will be, submitted.
  virtual bool pass(rendezvous& r) noexcept = 0;
  /// A strand has arrived, and other strands are still missing. The rendezvous may be gone.
  virtual void await_others() noexcept = 0;

 protected:
  ~host() = default;
  /// Called before the host ends: the strand may have ended while threads that sent it on its way still use the host.
  void wait_for_visitors() const noexcept {
    // pairs with the release in leave, so that the host ends after everything that they did
    while (visitors_.load(base::acquire) != 0) __builtin_ia32_pause();
  }

 private:
  base::atomic<int> visitors_{0};
};

/// The meeting itself. It lives as long as the strand that waits.
struct rendezvous {
  rendezvous(host& by, unsigned parties) noexcept : with{by}, missing{parties} {}
  rendezvous(const rendezvous&) = delete;
  rendezvous& operator=(const rendezvous&) = delete;

  /// Makes the end of `t`, which is about to be given away, an arrival.
  void expect(task& t) noexcept;
  /// A strand has arrived. Returns true if it was the last one and the waiting strand continues on this worker.
  bool arrive() noexcept;
  /// The strand waits for the others. It may wake on another thread. Its pending records stay pending; those that are
  /// older than its region are made stealable.
  void meet() noexcept;
  /// The strand continues where the host decides, after the others have arrived in another way.
  void meet_alone() noexcept;

  host& with;
  base::atomic<unsigned> missing;
  fiber* waiting = nullptr;  ///< the strand's fiber, once the strand has left it
  submission back;           ///< the entry by which that fiber, or a frame that waits here, returns
};

/// While it lives, the running strand is on another worker of its pool: it continues there when that worker has nothing
/// else to do. With resume_policy::same_thread the strand returns at the end; with the other policies it stays. Must
/// not be used inside tine::sequential.
class excursion {
 public:
  /// `insists`: true if the strand waits for that worker, provided its thread is in the pool; false if a worker that
  /// has looked for work in vain for some time may take the strand instead.
  excursion(worker& to, bool insists) noexcept;
  excursion(const excursion&) = delete;
  excursion& operator=(const excursion&) = delete;
  ~excursion();

 private:
  worker* back_to_;  ///< the worker to return to; null: the strand does not return
};

/// A waiter's word in a completion has this bit if it is the address of a rendezvous.
inline constexpr completion::word waits_at_rendezvous = 4;

}  // namespace tine::sched
