// Placement hints: the worker that the program names for a fork and the partition that it gives for a loop, and whether
// both are allowed; and no_split_below. The running strand calls these functions.
#include "replay/session.hpp"

#include <stdexcept>

namespace tine {
namespace detail {
namespace {

static_assert(any_worker == schedule::no_worker);

/// Returns true if `p`, or a position around it, is in the first branch of a fork that keeps its second branch. We go
/// up only to the innermost fork that knows the answer: when a branch was placed, everything around its fork was
/// checked.
bool is_below_kept_fork(sched::position& p) noexcept {
  sched::position* q = &p;
  for (;;) {
    const cursor* const c = as_cursor(*q);
    if (c == nullptr) {
      if (!q->is_in_second() && !q->is_in_loop()) return true;  // counted forks don't place anything
      q = q->up();
    } else if (c->above == nullptr) {
      return c->outer != nullptr && is_below_kept_fork(*c->outer);
    } else if (c->above->what == schedule::kind::fork && c->begin == 0) {
      return !c->above->has_placed();
    } else {
      q = &c->above->parent;
    }
  }
}

}  // namespace

void session::check_may_place() {
  if (!is_below_kept_fork(*sched::position::current())) return;
  throw std::logic_error{
      "tine: this fork or loop cannot be assigned to a worker, because it is in the first branch of a fork that keeps its second; assign that one, too (tine::par_on, tine::fork_on; the running worker will do), or do not assign this one"};
}

}  // namespace detail

bool no_split_below() noexcept {
  const sched::position* p = sched::position::current();
  const sched::region_strand* const s = sched::region_strand::current();
  while (p != nullptr && p->is_cursor()) {
    const auto& c = static_cast<const detail::cursor&>(*p);
    if (c.step != c.steps) return false;
    p = c.outer;
  }
  return s != nullptr && s->in->is_unstealable;
}

}  // namespace tine
