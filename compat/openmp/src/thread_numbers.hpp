// The thread numbers of a team: no two strands that run at the same time have the same one. Programs index arrays by
// omp_get_thread_num(), also in tasks, so a stolen task must not run under the number of a strand that runs as well.
//
// A member has its number while it runs. When it waits at a barrier or has ended, any stolen task may borrow it. While
// a task waits for its children, only these and their descendants may borrow its number. OpenMP lets a thread that
// waits run nothing else, and other tasks could block on a lock that the waiting one holds. A thief that finds no
// number gives the task back to its parent. Only tasks that can't be given back wait for a number.
//
// No task waits forever: the task that has made it waits for it sooner or later, and lends its own number then. Any
// strand may call all functions.
//
// *Bound* numbers belong to the native threads that run the members: a thief takes its own thread's numbers only, or
// gives the task back. Native threads have them, so that a task sees the thread-local variables of its number. And
// replays have them: which strands a thread runs, and in what order, is in the schedule, so then it decides who finds a
// number. A free number goes to the first strand that comes, and a replay in which another one came first could hang.
#pragma once

#include "eventcount.hpp"

#include <array>
#include <cstdint>
#include <memory>

namespace tine::openmp {

struct task;

class thread_numbers {
 public:
  using lender = std::uintptr_t;
  static constexpr lender anyone = 0;

  explicit thread_numbers(unsigned count) : count_{count} {
    if (count > few_.size()) more_ = std::make_unique<atomic<lender>[]>(count);
    states_ = more_ != nullptr ? more_.get() : few_.data();
    for (unsigned i = 0; i < count; ++i) states_[i].store(busy, std::memory_order_relaxed);  // the strand owns it all
  }

  /// From now on the numbers are bound. Call it before the members start.
  void bind_to_threads() { owners_ = std::make_unique<atomic<void*>[]>(count_); }
  bool are_bound() const noexcept { return owners_ != nullptr; }
  /// The calling thread runs that member.
  void bind(int i) noexcept {
    owners_[i].store(this_thread(), std::memory_order_relaxed);  // relaxed: only this thread finds itself there
  }

  static lender of(const task& t) noexcept { return reinterpret_cast<lender>(&t); }

  /// Lends number `i`, which the caller runs under.
  void lend(int i, lender by) noexcept {
    states_[i].store(by, std::memory_order_release);  // pairs with the acquire in `take`
    lent_.wake();
  }
  /// Reclaims the number that the caller has lent.
  void reclaim(int i, lender by) noexcept {
    if (!take(i, by)) wait_for(i, by);
  }

  struct loan {
    int number;
    lender from;
  };
  /// Borrows a number for a task that `parent` has made. Returns false if there is none.
  bool try_to_borrow(const task& parent, loan& l) noexcept;
  /// As `try_to_borrow`, but waits for a number.
  loan borrow(const task& parent) noexcept;
  void give_back(const loan& l) noexcept { lend(l.number, l.from); }

 private:
  static constexpr lender busy = 1;

  bool take(int i, lender by) noexcept {
    // acquire pairs with the release in `lend`: the borrower sees what the strand before it wrote; relaxed: no number
    return states_[i].compare_exchange_strong(by, busy, std::memory_order_acquire, std::memory_order_relaxed);
  }
  static void* this_thread() noexcept;
  void wait_for(int i, lender by) noexcept;

  const unsigned count_;
  atomic<lender>* states_;
  std::array<atomic<lender>, 16> few_;
  std::unique_ptr<atomic<lender>[]> more_;
  std::unique_ptr<atomic<void*>[]> owners_;  ///< null: the numbers are not bound
  eventcount lent_;
};

}  // namespace tine::openmp
