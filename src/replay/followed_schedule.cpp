// Walks the schedule while the region runs: cursors meet each step, miss it, or never come to it.
#include "replay/followed_schedule.hpp"

#include "replay/fork_path.hpp"
#include "sched/scheduler_time.hpp"

#include <tine/detail/base/assert.hpp>

#include <unistd.h>
#include <mutex>
#include <utility>
#include <vector>

namespace tine::detail {

void followed_schedule::begin(const sched::worker& here) {
  if (is_any()) workers_.emplace(here, *plan_.follow);
}

replayed followed_schedule::counts() const {
  const auto read = [](const base::atomic<std::uint64_t>& n) {
    return n.load(base::relaxed);
  };  // relaxed: read after all joins
  return {read(matched_), read(skipped_), read(diverged_), {}, first_divergence_, 0, {}, {}};
}

void followed_schedule::assign(cursor& p, std::uint32_t node) const noexcept {
  if (node == schedule::nothing) {
    p.step = p.steps = 0;
  } else {
    const schedule::node& n = plan_.follow->nodes()[node];
    p.step = n.first_step;
    p.steps = n.first_step + n.steps;
  }
}

std::uint32_t followed_schedule::match(cursor& p, std::uint32_t number, schedule::kind what) noexcept {
  if (p.step == p.steps || step(p.step).number != number) return schedule::nothing;
  const std::uint32_t s = p.step++;
  if (step(s).what == what) return s;
  count(diverged_);
  diverge(std::string{name_of(what)} + ' ' + fork_path(p, number) + " is a " + name_of(step(s).what) +
          " in the schedule");
  skip_steps(s, s + 1);
  return schedule::nothing;
}

void followed_schedule::finish(cursor& p) noexcept {
  if (p.step == p.steps) return;
  const schedule::step& missing = step(p.step);
  diverge(std::string{name_of(missing.what)} + ' ' + fork_path(p, missing.number) +
          " of the schedule does not come: the branch ends with " + std::to_string(p.next) + " forks, loops and runs");
  skip_steps(std::exchange(p.step, p.steps), p.steps);
}

/// Voids these steps with everything inside them. It does not recurse, because a tree may be deeper than a native
/// stack.
void followed_schedule::skip_steps(std::uint32_t begin, std::uint32_t end) noexcept {
  const sched::scheduler_time here;
  std::vector<std::uint32_t> inside;
  for (;;) {
    for (std::uint32_t s = begin; s != end; ++s) {
      const schedule::step& of = step(s);
      for (std::uint32_t p = of.first_piece; p != of.first_piece + of.pieces; ++p) {
        skip_begin(p);
        if (piece(p).node != schedule::nothing) inside.push_back(piece(p).node);
      }
      skip_join(s);
    }
    if (inside.empty()) return;
    const schedule::node& next = plan_.follow->nodes()[inside.back()];
    inside.pop_back();
    begin = next.first_step;
    end = begin + next.steps;
  }
}

void followed_schedule::skip_begin(std::uint32_t p) noexcept {
  if (!is_owned(p)) return;
  count(skipped_);
  order_->skip({p, false});
}

void followed_schedule::skip_inside(std::uint32_t p) noexcept {
  if (piece(p).node == schedule::nothing) return;
  const schedule::node& n = plan_.follow->nodes()[piece(p).node];
  skip_steps(n.first_step, n.first_step + n.steps);
}

void followed_schedule::skip_join(std::uint32_t s) noexcept {
  if (step(s).after.owner == schedule::no_worker) return;
  if (step(s).what != schedule::kind::run) count(skipped_);
  order_->skip({s, true});
}

void followed_schedule::close(const replay_node& n) noexcept {
  if (n.step == schedule::nothing || n.is_joined) return;
  if (plan_.how != replay_mode::relaxed || !n.is_placed) skip_join(n.step);
}

void followed_schedule::note_stolen(const sched::position& at, std::uint32_t number) noexcept {
  if (!is_any() || plan_.how == replay_mode::relaxed) return;
  const sched::scheduler_time here;
  count(diverged_);
  diverge("fork " + fork_path(at, number) + " is stolen, and the schedule does not say so");
}

/// Reports the first difference between the run and its schedule.
void followed_schedule::diverge(const std::string& how) noexcept {
  const sched::scheduler_time here;
  const std::lock_guard guard{lock_};
  if (!first_divergence_.empty()) return;
  first_divergence_ = how;
  if (plan_.root == schedule::nothing) return;
  const std::string of = "TINE_REPLAY: root " + std::to_string(plan_.root) + " differs from the recorded run: ";
  base::warn((of + first_divergence_ + (plan_.must_match ? "; the program ends, as must_match demands" : "")).c_str());
  if (plan_.must_match) _exit(2);
}

}  // namespace tine::detail
