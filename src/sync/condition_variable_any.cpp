// The condition variable for all locks: its waits, which any thread may end.
#include "sync/limited_waiter.hpp"

#include <tine/sync/condition_variable_any.hpp>

namespace tine {

bool condition_variable_any::wait_to(detail::moment until, detail::limited_wait& how) noexcept {
  const detail::followed_wait noted{this, detail::lock_kind::condition, __builtin_return_address(0)};
  detail::limited_waiter w{all_.queue_, until};
  all_.enqueue(w);
  how.run(how, w);
  return w.is_granted();
}

void detail::finish_wait(limited_waiter& w) noexcept { w.wait(); }
void detail::give_up(limited_waiter& w) noexcept { w.give_up(); }

}  // namespace tine
