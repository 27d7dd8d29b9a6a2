// A join counter: a strand joins with the strands that were placed on workers. When the last one has arrived, the
// placement policy decides where the strand continues. The threads of all these strands use it. Records are joined in
// another way (join.cpp); a join counter is for tasks that were never on a shadow stack, because they were placed on a
// worker.
#pragma once

#include "base/backoff.hpp"
#include "sched/fiber.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/sched/submission.hpp>
#include <tine/detail/sched/task.hpp>

namespace tine::sched {

class worker;
struct join_counter;

/// Decides where a strand continues. With resume_policy::same_thread it continues on the worker that its fiber left.
/// The functions are called in the scheduler, on the threads of the strands that arrive.
class placement_policy {
 public:
  /// `pin` registers a thread that uses the policy; `unpin` unregisters it. The policy lives until the last `unpin`
  /// (see wait_until_unpinned).
  void pin() noexcept { pins_.fetch_add(1, base::relaxed); }    // relaxed: the arrival keeps it alive
  void unpin() noexcept { pins_.fetch_sub(1, base::release); }  // pairs with the acquire in wait_until_unpinned

  /// Called by the waiting strand when all others have arrived: returns true if it may continue right here. If not, it
  /// leaves its fiber, and we call `dispatch`.
  virtual bool may_resume_here(join_counter& r) noexcept = 0;
  /// All have arrived, and the strand has left its worker. Returns true if it continues on this worker, at once; false
  /// if `r.back` was, or will be, submitted.
  virtual bool dispatch(join_counter& r) noexcept = 0;
  /// A strand has arrived, and others are still missing. The join counter may be gone.
  virtual void arrived_early() noexcept = 0;

 protected:
  ~placement_policy() = default;
  /// Called before the policy is destroyed: the strand may have ended while threads that dispatched it still use the
  /// policy.
  void wait_until_unpinned() const noexcept {
    // pairs with the release in unpin, so that the policy is destroyed after everything that these threads did
    for (base::backoff turns; pins_.load(base::acquire) != 0;) turns.once();
  }

 private:
  base::atomic<int> pins_{0};
};

/// The join counter itself. It lives as long as the strand that waits.
struct join_counter {
  join_counter(placement_policy& by, unsigned parties) noexcept : with{by}, missing{parties} {}
  join_counter(const join_counter&) = delete;
  join_counter& operator=(const join_counter&) = delete;

  /// Makes the end of `t`, which is about to be placed on a worker, an arrival.
  TINE_API void expect(task& t) noexcept;
  /// A strand has arrived, which raised these floating-point flags. Returns true if it was the last one and the waiting
  /// strand continues on this worker.
  bool arrive(std::uint32_t fp_flags = 0) noexcept;
  /// The strand waits for the others. It may wake on another thread. Its pending records stay pending; those that are
  /// older than its region are made stealable.
  TINE_API void wait() noexcept;
  /// The strand continues where the placement policy decides, after the others have arrived in another way.
  void wait_for_placement() noexcept;

  placement_policy& with;
  base::atomic<unsigned> missing;
  fiber* waiting = nullptr;  ///< the strand's fiber, once the strand has left it
  submission back;           ///< the submission by which that fiber, or a frame that waits here, returns

 private:
  base::atomic<std::uint32_t> fp_flags_{0};
};

/// While it lives, the running strand is on another worker of its pool: it continues there when that worker has nothing
/// else to do. With resume_policy::same_thread the strand returns at the end; with the other policies it stays. Don't
/// use it inside tine::sequential.
class excursion {
 public:
  /// `insists`: true if the strand waits for that worker, provided its thread is in the pool; false if a worker that
  /// has looked for work in vain for some time may take the strand instead.
  TINE_API excursion(worker& to, bool insists) noexcept;
  excursion(const excursion&) = delete;
  excursion& operator=(const excursion&) = delete;
  TINE_API ~excursion();

 private:
  worker* back_to_;  ///< the worker to return to; null: the strand doesn't return
};

/// A waiter's word in a completion has this bit if it is the address of a join counter.
inline constexpr completion::word waits_at_join_counter = 4;

}  // namespace tine::sched
