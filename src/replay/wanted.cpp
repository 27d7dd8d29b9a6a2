// The requests of the program to a scored strand: owners and cuts, the check that they are allowed, and no_split_below.
#include "replay/score.hpp"

#include <stdexcept>

namespace tine {
namespace detail {
namespace {

static_assert(any_worker == schedule::no_worker);

position* as_position(sched::observer* w) noexcept {
  return w != nullptr && w->events->placer == score_events.placer ? static_cast<position*>(w) : nullptr;
}

/// Returns the position of the region around that of `p`; null if there is none.
position* position_around(const position& p) noexcept { return as_position(p.analysis); }

bool is_first_branch(const position& p) noexcept { return p.above->what == schedule::kind::fork && p.begin == 0; }

/// Goes up to the innermost fork for which the answer is known: when a branch was placed, everything around its fork was checked.
bool is_below_kept_fork(const position& p) noexcept {
  const position* q = &p;
  for (; q->above != nullptr; q = &q->above->parent) {
    if (is_first_branch(*q)) return !q->above->has_placed();
  }
  const position* const outer = position_around(*q);
  return outer != nullptr && is_below_kept_fork(*outer);
}

position& may_place(sched::observer& at) {
  position& p = static_cast<position&>(at);
  if (!is_below_kept_fork(p)) return p;
  throw std::logic_error{
      "tine: this fork or loop cannot have an owner, because it is in the first branch of a fork that keeps its "
      "second; give "
      "that one an owner, too (tine::par_on, tine::fork_on; the running worker will do), or none to this one"};
}

}  // namespace

void hint_owner(sched::observer& at, int owner) { may_place(at).hinted_owner = owner; }
void hint_cuts(sched::observer& at, const sched::placement_hint& cuts) { may_place(at).placement_hint = &cuts; }
void forget_hint(sched::observer& at) noexcept { static_cast<position&>(at).placement_hint = nullptr; }

}  // namespace detail

bool no_split_below() noexcept {
  bool is_strict = false;
  for (const auto* p = detail::as_position(sched::observer::current()); p != nullptr; p = detail::position_around(*p)) {
    if (p->step != p->steps) return false;
    is_strict |= p->events->is_unstealable;
  }
  return is_strict;
}

}  // namespace tine
