// The entry of an inbox, in place of the product's: Relacy watches its words, so that a submitter that touches the entry too
// late races with the worker that has taken it, or accesses freed memory.
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
