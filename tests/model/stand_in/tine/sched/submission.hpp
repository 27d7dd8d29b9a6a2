// In place of the product's: an entry whose words Relacy watches, so that a submitter who touches it too late races with
// whoever has taken it, or finds it gone.
#pragma once

#include <tine/coro/unborn.hpp>
#include <tine/sched/task.hpp>

namespace tine::sched {

class worker;
struct pool_state;

struct submission {
  submission() noexcept { is_bound = false; }
  detail::handed_on<task*> what;
  detail::handed_on<submission*> next;
  detail::handed_on<bool> is_bound;
};

void submit(submission& s, worker* to, worker& near) noexcept;
void submit_kept(submission& s, worker& to) noexcept;

}  // namespace tine::sched
