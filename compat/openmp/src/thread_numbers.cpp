// Thread numbers: the slow paths of strands that find none.
#include "thread_numbers.hpp"

#include "task.hpp"
#include "team.hpp"

namespace tine::openmp {

void* thread_numbers::this_thread() noexcept {
  static thread_local char mine;
  return &mine;
}

bool thread_numbers::try_to_borrow(const task& parent, loan& l) noexcept {
  void* const me = are_bound() ? this_thread() : nullptr;
  const auto is_made_under = [&](lender by) {
    for (const task* t = &parent; t != nullptr && t->team == parent.team; t = t->parent) {
      if (of(*t) == by) return true;
    }
    return false;
  };
  for (unsigned i = 0; i < count_; ++i) {
    if (me != nullptr && owners_[i].load(std::memory_order_relaxed) != me) continue;  // relaxed: see `bind`
    const lender by = states_[i].load(std::memory_order_relaxed);                     // relaxed: `take` looks again
    if (by == busy || (by != anyone && !is_made_under(by)) || !take(static_cast<int>(i), by)) continue;
    l = {static_cast<int>(i), by};
    return true;
  }
  return false;
}

thread_numbers::loan thread_numbers::borrow(const task& parent) noexcept {
  loan l{};
  const auto has_borrowed = [&] { return try_to_borrow(parent, l); };
  if (!has_borrowed()) lent_.suspend_until(has_borrowed);
  return l;
}

void thread_numbers::wait_for(int i, lender by) noexcept {
  lent_.suspend_until([&] { return take(i, by); });
}

}  // namespace tine::openmp
