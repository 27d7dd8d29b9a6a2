// A submission, in place of the product's: Relacy checks its words for races, so that a submitter that touches the
// submission too late races with the worker that has taken it, or accesses freed memory.
#pragma once

#include <tine/detail/coro/manual_lifetime.hpp>
#include <tine/detail/sched/task.hpp>

namespace tine::sched {

class worker;
class submission_list;
struct pool_state;

struct submission {
  submission() noexcept {
    is_bound = false;
    in = nullptr;
  }
  detail::handed_on<task*> what;
  detail::handed_on<submission*> next;
  detail::handed_on<submission*> before;
  detail::handed_on<submission_list*> in;
  detail::handed_on<bool> is_bound;
};

void submit(submission& s, worker* to, worker& near) noexcept;
void submit_affine(submission& s, worker& to) noexcept;

}  // namespace tine::sched
