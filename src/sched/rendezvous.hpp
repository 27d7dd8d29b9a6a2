// Where a strand joins with strands that it has given away: whoever arrives last decides where the strand goes on. Records are
// joined otherwise (join.cpp); this is for tasks that never were on a shadow stack, because they were for a worker by name.
#pragma once

#include "sched/fiber.hpp"

#include <tine/base/atomic.hpp>
#include <tine/sched/submission.hpp>
#include <tine/sched/task.hpp>

namespace tine::sched {

class worker;
struct rendezvous;

/// Decides where a strand continues. With resume_policy::same_thread that is the worker that the strand's fiber left. Called on the threads of those who arrive, in the scheduler.
class host {
 public:
  /// Somebody is here who may be the last one to need us, and then: no longer.
  void enter() noexcept { visitors_.fetch_add(1, base::relaxed); }  // relaxed: whoever enters keeps us alive so far
  void leave() noexcept { visitors_.fetch_sub(1, base::release); }  // pairs with the acquire in wait_for_visitors

  /// The strand itself, which has everything with it already: may it go on right here? If not it is going to leave, and pass.
  virtual bool may_go_on(rendezvous& r) noexcept = 0;
  /// All have arrived, and the strand has left its worker. True: it continues on this one, at once. False: `r.back` was, or will
  /// be, submitted.
  virtual bool pass(rendezvous& r) noexcept = 0;
  /// A strand has arrived, and others are still missing. The rendezvous may be gone.
  virtual void await_others() noexcept = 0;

 protected:
  ~host() = default;
  /// Before the end: a strand may be over while those who sent it on its way are still here.
  void wait_for_visitors() const noexcept {
    // pairs with the release in leave, so that we end after all that they did
    while (visitors_.load(base::acquire) != 0) __builtin_ia32_pause();
  }

 private:
  base::atomic<int> visitors_{0};
};

/// Lives with the strand that waits.
struct rendezvous {
  rendezvous(host& by, unsigned parties) noexcept : with{by}, missing{parties} {}
  rendezvous(const rendezvous&) = delete;
  rendezvous& operator=(const rendezvous&) = delete;

  /// The end of this task, which is about to be given away, is an arrival.
  void expect(task& t) noexcept;
  /// One has arrived. True: it was the last one, and the waiting strand goes on here.
  bool arrive() noexcept;
  /// The strand: waits for the others. It may wake on another thread. What it has pending stays pending, what is older than
  /// its region is made stealable.
  void meet() noexcept;
  /// The strand, after the others have arrived otherwise: goes on where it is to.
  void meet_alone() noexcept;

  host& with;
  base::atomic<unsigned> missing;
  fiber* waiting = nullptr;  ///< the strand's, once it has left
  submission back;           ///< the way back of that fiber, or of a frame that waits here
};

/// While it lives, the running strand is on another worker of its pool: it continues there when that one has nothing else to do.
/// With resume_policy::same_thread the strand returns at the end; with the other policies it stays. Not inside tine::sequential.
class excursion {
 public:
  /// `insists`: the strand waits for that worker, if its thread is in the pool. If not, it goes to whoever has looked for work in vain for
  /// some time.
  excursion(worker& to, bool insists) noexcept;
  excursion(const excursion&) = delete;
  excursion& operator=(const excursion&) = delete;
  ~excursion();

 private:
  worker* back_to_;  ///< null: it does not come back
};

/// A waiter's word in a completion: a rendezvous' address with this bit.
inline constexpr completion::word waits_at_rendezvous = 4;

}  // namespace tine::sched
