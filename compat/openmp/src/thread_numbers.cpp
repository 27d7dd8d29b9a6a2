// Thread numbers: the slow paths of strands that find none.
#include "thread_numbers.hpp"

#include "native_threads.hpp"
#include "task.hpp"
#include "team.hpp"

namespace tine::openmp {

bool thread_numbers::try_to_borrow(const task& parent, loan& l) noexcept {
  if (!parent.team->is_native) return try_to_borrow(parent, 0, count_, l);
  const int own = native_number(*parent.team);
  return own >= 0 && try_to_borrow(parent, static_cast<unsigned>(own), static_cast<unsigned>(own) + 1, l);
}

/// Borrows one of the numbers from `first` to before `end`.
bool thread_numbers::try_to_borrow(const task& parent, unsigned first, unsigned end, loan& l) noexcept {
  const auto is_made_under = [&](lender by) {
    for (const task* t = &parent; t != nullptr && t->team == parent.team; t = t->parent) {
      if (of(*t) == by) return true;
    }
    return false;
  };
  for (unsigned i = first; i < end; ++i) {
    const lender by = states_[i].load(std::memory_order_relaxed);  // relaxed: `take` looks again
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
