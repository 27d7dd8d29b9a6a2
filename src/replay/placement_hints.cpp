// Placement hints: the workers that the program wants for a fork, the cuts that it wants for a loop, the check that they are allowed,
// and no_split_below.
#include "replay/session.hpp"

#include <stdexcept>

namespace tine {
namespace detail {
namespace {

static_assert(any_worker == schedule::no_worker);

/// Returns true if `p`, or a position around it, is in the first branch of a fork that keeps its second branch. Goes up to the
/// innermost fork for which the answer is known: when a branch was placed, everything around its fork was checked.
bool is_below_kept_fork(sched::position& p) noexcept {
  sched::position* q = &p;
  for (;;) {
    const cursor* const c = as_cursor(*q);
    if (c == nullptr) {
      if (!q->is_in_second()) return true;  // a counted fork places nothing
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

void check_may_place() {
  if (!is_below_kept_fork(*sched::position::current())) return;
  throw std::logic_error{
      "tine: this fork or loop cannot have an owner, because it is in the first branch of a fork that keeps its "
      "second; give "
      "that one an owner, too (tine::par_on, tine::fork_on; the running worker will do), or none to this one"};
}

}  // namespace

void session::hint_owner(int owner) {
  check_may_place();
  sched::region_strand::current()->hinted_owner = owner;
  sched::set_position(*sched::position::current());
}
void session::hint_cuts(const sched::placement_hint& cuts) {
  check_may_place();
  sched::region_strand::current()->wanted = &cuts;
}
void session::forget_hint(sched::region_strand& s) noexcept { s.wanted = nullptr; }

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
