// See locked.hpp.
#include "augment/locked.hpp"

#include "augment/found_locks.hpp"

#include <iterator>
#include <utility>

namespace tine::detail {

void locked::begin_below(locked& child, const labels::shared_path<lock_step>& steps, std::uint64_t b,
                         std::uint64_t n) const {
  child.root = root;
  child.root_began = root_began;
  child.label = label.below();
  child.label.enter(b, n);
  child.around = steps;
  child.branch = b;
  child.has_outer_ = has_outer_ || !held.empty();
}

void locked::fork(locked& left, locked& right, sched::site where) {
  if (!held.empty()) found_locks::note_held(*this, trace::lock_problem::held_at_fork, where);
  at_ = where;
  const auto steps = around.extended({where, false, branch, held});
  begin_below(left, steps, 0, 2);
  begin_below(right, steps, 1, 2);
  // Both labels lie below one level, so that they share it.
  right.label = left.label;
  right.label.enter(1, 2);
}

/// A strand below this one has ended, or an iteration of it. This strand holds from now on the locks that the other
/// still holds.
void locked::take_from(locked& ended, sched::site where) {
  if (ended.held.empty()) return;
  found_locks::note_held(ended, trace::lock_problem::held_at_join, where);
  std::move(ended.held.begin(), ended.held.end(), std::back_inserter(held));
  ended.held.clear();
}

void locked::join(locked& left, locked& right, sched::branch_end) {
  take_from(left, at_);
  take_from(right, at_);
  label.join();
}

void locked::loop(locked& subrange, std::uint64_t n, sched::site where) const {
  if (!held.empty() && !std::exchange(is_loop_noted_, true))
    found_locks::note_held(*this, trace::lock_problem::held_at_loop, where);
  begin_below(subrange, around.extended({where, true, branch, held}), 0, n);
  subrange.at_ = where;
}

void locked::iteration(std::uint64_t i, std::uint64_t n) {
  if (!held.empty()) found_locks::note_held(*this, trace::lock_problem::held_at_join, at_);
  label.enter(i, n);
  branch = i;
}

void locked::append(locked& next, sched::branch_end) { take_from(next, at_); }

void locked::join_loop(locked& subrange) {
  take_from(subrange, subrange.at_);
  is_loop_noted_ = false;
  label.join();
}

std::vector<held_lock> locked::all_held() const {
  std::vector<held_lock> all = held;
  if (!has_outer_) return all;
  for (const auto* each = around.last(); each != nullptr; each = each->outer)
    all.insert(all.end(), each->level.held.begin(), each->level.held.end());
  return all;
}

}  // namespace tine::detail
