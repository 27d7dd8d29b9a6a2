// The tasks of groups. A task runs where it is added, in the serial order, as the first branch of a fork does. Its join
// is the wait for the group, wherever that is, so it may outlive the constructs around it. Only the thread that holds
// the detector gets beyond the first test.
#include "race/open_construct_at.hpp"
#include "race/slots.hpp"

#include "augment/step_rows.hpp"
#include "sched/group_follower.hpp"
#include "sched/worker.hpp"

#include "race/detector_time.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/race/team.hpp>

#include <algorithm>
#include <utility>

namespace tine::detail {

void reopen_waited_tasks(context& c, interval_owner owner) noexcept {
  const bool is_task = (owner & of_group) != 0;
  const auto ended = static_cast<std::uint32_t>(c.open.size());  // the number of constructs around what has ended
  std::size_t kept = 0;
  for (std::size_t i = 0; i < c.waited.size(); ++i) {
    waited_tasks w = c.waited[i];
    const bool is_known_here = w.inside == ended && !w.is_reopened;
    if (is_known_here) c.order.insert(w.lo, w.hi, is_task && w.returns_to != 0 ? w.returns_to : owner);
    w.is_reopened = w.is_reopened || is_known_here;
    if (!is_task || !is_known_here) c.waited[kept++] = w;  // with a task, the wait for its group closes them
  }
  while (c.waited.size() > kept) c.waited.pop();
}

void keep_waited_tasks(context& c, std::uint32_t construct) noexcept {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < c.waited.size(); ++i) {
    waited_tasks w = c.waited[i];
    if (w.inside > construct) {
      w.inside = construct;
      w.is_reopened = false;
    }
    const bool is_older = w.inside != 0 && w.lo < c.open[w.inside - 1].first;
    if (is_older) c.waited[kept++] = w;
  }
  while (c.waited.size() > kept) c.waited.pop();
}

namespace {

/// Stands for the group in the interval of what a strand has done since it added a postponed task.
constexpr interval_owner since_postponed = other_roots - 1;

constexpr const char* too_deep =
    "tasks of a task group added tasks until the stack was nearly full: the detector runs a task where it is added";

constexpr const char* in_sequential =
    "code inside tine::sequential added a task to a task group that was made outside of it";

/// Returns true if the stack has space for a task. The rest is for the functions that the task calls.
bool has_space(const context& c, std::uintptr_t frame) noexcept {
  const native_stack& s = *c.stack;
  return !s.holds(frame) || frame - s.begin > (s.end - s.begin) / 4;
}

void begin_task(context& c, interval_owner group, sched::site where, std::uintptr_t base) noexcept {
  const std::uint32_t outer = c.task_depth();
  open_construct_at(c, construct_kind::task, where, false);
  open_construct& o = c.open.back();
  const strand_number s = next_strand(c);
  c.history.add(history::event::fork, s, c.strand, where);
  c.strand = s;
  o.inside = base;
  o.group = group;
  o.task_depth = outer;
  c.order.set_task(static_cast<std::uint32_t>(c.open.size()), group);
  set_base(c, base);
}

/// Returns false if the order is lost.
bool end_task(context& c, std::size_t depth, std::uintptr_t frame) noexcept {
  if (c.open.size() != depth + 1 || c.open.back().kind != construct_kind::task) {
    found_races::give_up(lost_order);
    return false;
  }
  const open_construct o = c.open.back();
  if (!c.waited.empty()) reopen_waited_tasks(c, o.group);
  hand_over_acquired(c, o.group);
  c.open.pop();
  if (!c.waited.empty()) keep_waited_tasks(c, static_cast<std::uint32_t>(depth));
  c.history.add(history::event::join, c.order.last() + 1, 0, 0);
  c.order.set_task(o.task_depth, o.task_depth != 0 ? c.open[o.task_depth - 1].group : 0);
  c.order.push(o.first, c.order.last() + 1, o.group);
  continue_behind(c, o);
  c.stack = &stack_around(c, frame);
  set_base(c, o.inside);
  return true;
}

/// The frame of this function separates those of the caller from those of the task.
TINE_NOINLINE void run_task(context& c, const postponed_task& t) noexcept {
  const std::size_t depth = c.open.size();
  const std::uintptr_t frame = base::to_word(__builtin_frame_address(0));
  begin_task(c, t.group, t.where, frames_below(__builtin_frame_address(0)));
  const lockset held = std::exchange(c.held, 0);  // the task of a strand that waits under a lock doesn't hold it
  c.open.back().held = 0;
  continue_checking();
  t.run(t.task);
  if (context* const now = own_context()) {
    end_task(*now, depth, frame);
    now->held = held;
    continue_checking();
  }
}

void postpone(context& c, postponed_task t) noexcept {
  renumber(c);
  t.since = c.strand;
  t.depth = static_cast<std::uint32_t>(c.open.size());
  t.acquired = c.acquired.size();
  if (!c.postponed.push(t)) found_races::give_up("no memory was left for a task of a task group");
}

/// Takes the oldest one of the postponed tasks that were added in the innermost construct, or else the newest one.
postponed_task take_postponed(context& c) noexcept {
  std::size_t at = c.postponed.size() - 1;
  while (at != 0 && c.postponed[at - 1].depth == c.open.size() && c.postponed[at].depth == c.open.size()) --at;
  const postponed_task t = c.postponed[at];
  for (std::size_t i = at + 1; i < c.postponed.size(); ++i) c.postponed[i - 1] = c.postponed[i];
  c.postponed.pop();
  return t;
}

/// Moves the last `count` items, in the reverse order.
template <class T>
void move_last(growing_list<T>& from, std::size_t count, growing_list<T>& to) noexcept {
  const detector_time here;
  for (; count != 0; --count, from.pop()) to.push(from.back());
}

/// Runs the postponed tasks of the innermost construct. `all`: and the others.
void run_postponed(thread_check& here, bool all) noexcept {
  while (here.own != nullptr && !here.own->postponed.empty()) {
    context& c = *here.own;
    const bool is_here = c.postponed.back().depth == c.open.size();
    if (!is_here && !all) return;
    const postponed_task t = take_postponed(c);
    if (!is_here)
      found_races::give_up(
          "a task was added to a task group under a lock that its branch or iteration did not release");
    if (own_context() == nullptr) {
      t.run(t.task);
      continue;
    }
    c.order.push(t.since, c.order.last() + 1, since_postponed);
    growing_list<acquired> later;  // the task doesn't know what the caller has acquired since
    move_last(c.acquired, c.acquired.size() - t.acquired, later);
    run_task(c, t);
    if (own_context() != &c) continue;
    move_last(later, later.size(), c.acquired);
    c.order.remove(since_postponed, 0);
  }
}

constinit base::atomic<std::uint32_t> groups{0};

bool add(std::uint32_t& group, sched::site where, void (*run)(void*) noexcept, void* task) noexcept {
  const void* const frame = __builtin_frame_address(0);
  context* const c = begin_outside(frame);
  if (c == nullptr) return false;
  if (sched::hot::self() != nullptr && sched::is_kept_sequential()) {
    found_races::give_up(in_sequential);
    return false;
  }
  if (group == 0) group = groups.fetch_add(1, base::relaxed) % (other_roots - of_group - 2) + 1;  // relaxed: a number
  note_outside_group(group | of_group);
  if (!has_space(*c, base::to_word(frame))) {
    found_races::give_up(too_deep);
    return false;
  }
  const postponed_task t{run, task, where | of_task, group | of_group, 0, 0, 0};
  if (c->held != 0) {
    set_base(*c, frames_below(frame));  // the task shares the caller's frames from here on
    postpone(*c, t);
  } else {
    run_postponed(this_thread, false);
    if (context* const now = own_context()) {
      run_task(*now, t);
    } else {
      run(task);
    }
  }
  return true;
}

void before_wait() noexcept { run_postponed(this_thread, true); }

/// The strand comes after the tasks of the group. `returns_to`: see waited_tasks.
void know_tasks(context& c, interval_owner group, interval_owner returns_to) noexcept {
  const detector_time here;
  forget_slots(c);
  std::size_t innermost = c.open.size();
  while (innermost != 0 && c.open[innermost - 1].is_serial) --innermost;
  const strand_number first = innermost != 0 ? c.open[innermost - 1].first : 0;
  growing_list<order::interval> older;
  c.order.remove(group, first, &older);
  for (const order::interval& i : older)
    c.waited.push({i.lo, i.hi, static_cast<std::uint32_t>(c.open.size()), false, returns_to});
  if (!older.empty()) next_strand(c);  // so that the next iteration sees that something has happened
  acquire_from_tasks(c, group, returns_to != 0);
}

void after_wait(std::uint32_t group) noexcept {
  if (!is_detector_open()) return;
  know_group(group | of_group);
  context* const c = own_context();
  if (c == nullptr) return;
  know_tasks(*c, group | of_group, 0);
  end_outside_if_done(*c);
}

void block_thread(void (*block)(void*) noexcept, void* what) noexcept {
  const outside_pause here;
  block(what);
}

constexpr sched::group_follower tasks_of_groups{
    .add = &add,
    .before_wait = &before_wait,
    .after_wait = &after_wait,
    .block = &block_thread,
    .submit = [](const sched::task& root) noexcept { submit_root(base::to_word(&root)); },
    .begin_submitted = [](const sched::task& root) noexcept { begin_submitted_root(base::to_word(&root)); },
    .end_submitted = [](const sched::task& root) noexcept { end_submitted_root(base::to_word(&root)); },
    .know_submitted = [](const sched::task& root) noexcept { know_submitted_root(base::to_word(&root)); }};

}  // namespace

void run_postponed_tasks() noexcept { run_postponed(this_thread, false); }

void follow_groups() noexcept { sched::registered_group_follower = &tasks_of_groups; }

}  // namespace tine::detail

// --- tasks of other runtimes (tine/race/team.hpp) ----------------------------------------------------------------

using namespace tine::detail;

extern "C" {

TINE_API int tine_race_add_task(std::uint32_t* set, std::uint64_t site, void (*run)(void*) noexcept,
                                void* task) noexcept {
  return own_context() != nullptr && add(*set, site, run, task) ? 1 : 0;
}

TINE_API void tine_race_wait_for_tasks(std::uint32_t set) noexcept {
  before_wait();
  after_wait(set);
}

TINE_API void tine_race_follow_tasks(std::uint32_t set) noexcept {
  if (context* const c = own_context()) know_tasks(*c, set | of_group, set | of_group);
}
}
