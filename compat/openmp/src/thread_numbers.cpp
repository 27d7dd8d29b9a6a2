// Thread numbers: the slow paths of strands that find none.
#include "thread_numbers.hpp"

#include "task.hpp"

#include <mutex>

namespace tine::openmp {

/// The lock makes the pre-sleep check and the sleep one step for `wake`.
template <class Condition>
void thread_numbers::sleep_until(Condition is_met) noexcept {
  std::unique_lock guard{lock_};
  sleepers_.fetch_add(1, std::memory_order_seq_cst);  // pairs with the load in `lend`
  while (!is_met()) changed_.wait(guard);
  sleepers_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: one wake too many does no harm
}

bool thread_numbers::try_to_borrow(const task& parent, loan& l) noexcept {
  const auto is_made_under = [&](lender by) {
    for (const task* t = &parent; t != nullptr && t->team == parent.team; t = t->parent) {
      if (of(*t) == by) return true;
    }
    return false;
  };
  for (unsigned i = 0; i < count_; ++i) {
    // seq_cst pairs with that in `lend`, so that no sleeper misses a number
    const lender by = states_[i].load(std::memory_order_seq_cst);
    if (by == busy || (by != anyone && !is_made_under(by)) || !take(static_cast<int>(i), by)) continue;
    l = {static_cast<int>(i), by};
    return true;
  }
  return false;
}

thread_numbers::loan thread_numbers::borrow(const task& parent) noexcept {
  loan l{};
  if (!try_to_borrow(parent, l)) sleep_until([&] { return try_to_borrow(parent, l); });
  return l;
}

void thread_numbers::wait_for(int i, lender by) noexcept {
  sleep_until([&] { return take(i, by); });
}

void thread_numbers::wake() noexcept {
  const std::lock_guard guard{lock_};
  changed_.notify_all();
}

}  // namespace tine::openmp
