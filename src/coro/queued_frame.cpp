// A frame as a task: what the scheduler does to a continuation before a thief resumes it, and asks about it. The
// frame's owner calls these functions, also from its signal handler.
#include "coro/join_observed.hpp"
#include "coro/queuing.hpp"

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/coro/segmented_stack.hpp>
#include <tine/detail/sched/continuation.hpp>

namespace tine::sched {

void awaken(std::uintptr_t continuation, address record) noexcept {
  detail::frame& f = *base::from_word<detail::frame>(continuation);
  f.queued = detail::queuing(record, base::fp_control());
  if (f.up.has(detail::link::stolen)) return;
  f.steals = 0;
  f.joins.begin(detail::unsplit);
  f.stack = detail::segmented_stack::current();
  if (!f.up.has(detail::link::observed)) f.native_join = nullptr;
}

bool was_queued_from(std::uintptr_t continuation, address record) noexcept {
  return detail::is_queued_from(*base::from_word<detail::frame>(continuation), record);
}

bool is_known_to_region(std::uintptr_t continuation, address record) noexcept {
  return detail::is_known_to_region(*base::from_word<detail::frame>(continuation), record);
}

}  // namespace tine::sched
