// The vertices of the detector. The strand is unstealable, so its forks, joins and iterations come in serial order.
// Therefore the context has a stack of what is open, and a vertex needs little more than its place on that stack. Only
// the strand's thread runs this.
#include "race/race_kind.hpp"

#include "race/access.hpp"
#include "race/called_from.hpp"
#include "race/found_races.hpp"
#include "race/heap.hpp"
#include "race/open_construct_at.hpp"
#include "race/shadow.hpp"
#include "race/slots.hpp"

#include <tine/detail/augment/vertex_node.hpp>
#include <tine/detail/base/object_at.hpp>

#include <algorithm>
#include <new>

namespace tine::detail {
namespace {

enum class role : std::uint8_t { root, branch, second, subrange, half };

struct alignas(16) race_vertex {
  role is = role::root;
  bool has_begun = false;
  bool is_loop_open = false;   ///< the strand is at a loop
  std::uint32_t depth = 0;     ///< of a branch: the number of open constructs around its fork
  context* checked = nullptr;  ///< of a root: its context
};

race_vertex& at(void* v) noexcept { return *base::object_at<race_vertex>(v); }

void open_fork(context& c, construct_kind kind, sched::site where, std::uintptr_t base) noexcept {
  const bool is_serial = sched::is_kept_sequential();
  open_construct_at(c, kind, where, is_serial);
  if (!is_serial) {
    const strand_number s = next_strand(c);
    c.history.add(kind == construct_kind::fork ? history::event::fork : history::event::halving, s, c.strand, where);
    c.strand = s;
  }
  c.open.back().inside = base;
  set_base(c, base);
}

void begin_second(context& c, std::uint32_t depth, std::uintptr_t base) noexcept {
  if (c.open.size() != depth + 1) return found_races::give_up(lost_order);
  open_construct& o = c.open.back();
  o.is_second = true;
  if (is_of_coroutine(o.where) && std::exchange(o.is_between, false)) continue_checking();
  // A coroutine continues in the frame in which it forked, above those of the first branch.
  set_base(c, is_of_coroutine(o.where) ? o.inside : base);
  if (o.is_serial) return;
  const strand_number s = next_strand(c);
  o.has_interval = c.order.push(o.first, s, depth);
  if (!c.waited.empty()) reopen_waited_tasks(c, depth);
  if (!c.acquired.empty()) reopen_acquired(c);
  c.history.add(history::event::second, s, s, 0);
  c.strand = s;
}

TINE_NOINLINE void begin_iteration_slowly(std::uint64_t i) noexcept {
  context* const c = own_context();
  if (c == nullptr || c->open.empty() || c->open.back().kind != construct_kind::loop) return;
  begin_iteration(*c, i);
  if (c->order.can_extend_by_next(static_cast<interval_owner>(c->open.size() - 1))) c->steady_loop = &c->open.back();
}

/// The code of the innermost open construct itself runs, not that of its branches and iterations.
void leave_to_construct() noexcept {
  context* const c = own_context();
  if (c == nullptr || c->open.empty()) return;
  c->open.back().is_between = true;
  set_checked(nullptr);
}

std::uint32_t depth_of(const context* c) noexcept {
  return c != nullptr ? static_cast<std::uint32_t>(c->open.size()) : 0;
}

// --- the table ---------------------------------------------------------------------------------------------------

void create(void* v) noexcept { ::new (v) race_vertex; }
/// Ends the check of a root, on the thread on which the root has ended.
void destroy(void* v) noexcept {
  race_vertex& vertex = at(v);
  if (vertex.checked != nullptr) return end_checking(*std::exchange(vertex.checked, nullptr));
  if (vertex.is == role::root && vertex.has_begun) leave_inner_root();
}

void start(void* v, base::ticks) noexcept {
  race_vertex& vertex = at(v);
  if (std::exchange(vertex.has_begun, true)) return;
  if (vertex.is == role::root) {
    vertex.checked = begin_checking();
  } else if (context* const c = own_context(); c != nullptr && vertex.is == role::second) {
    begin_second(*c, vertex.depth, frames_below(__builtin_frame_address(0)));
  }
}

void stop(void*, base::ticks) noexcept {}

void fork(void*, void* left, void* right, base::ticks, sched::site where) noexcept {
  context* const c = own_context();
  const std::uint32_t depth = depth_of(c);
  ::new (left) race_vertex{role::branch, true, false, depth, nullptr};
  ::new (right) race_vertex{role::second, false, false, depth, nullptr};
  if (c != nullptr) open_fork(*c, construct_kind::fork, where, frames_below(__builtin_frame_address(0)));
}

void first_done(void*, void* right, base::ticks) noexcept {
  race_vertex& second = at(right);
  second.has_begun = true;
  if (context* const c = own_context()) begin_second(*c, second.depth, frames_below(__builtin_frame_address(0)));
}

void join(void*, void* left, void*, base::ticks, sched::branch_end) noexcept {
  if (context* const c = own_context()) close_construct(*c, at(left).depth);
}

void subrange(void* v, void* subrange, std::uint64_t, base::ticks, sched::site where) noexcept {
  context* const c = own_context();
  race_vertex& loop = at(v);
  const bool is_new = !std::exchange(loop.is_loop_open, true);
  const std::uint32_t depth = depth_of(c);
  // The right half of a halving is created after the halving was opened.
  ::new (subrange)
      race_vertex{is_new ? role::subrange : role::second, true, false, is_new ? depth : depth - 1, nullptr};
  if (is_new && c != nullptr) open_loop(*c, where);
}

void iteration(void*, std::uint64_t i, std::uint64_t) noexcept {
  context* const c = own_context();
  if (c == nullptr || c->open.empty()) return;
  open_construct& o = c->open.back();
  if (o.kind == construct_kind::loop) return begin_iteration(*c, i);
  o.iteration = i;
  if (!o.is_serial) c->history.add(history::event::leaf, c->strand, c->strand, i);
}

void chunk(void*, std::uint64_t, base::ticks) noexcept {}
void append(void*, void*, sched::branch_end) noexcept {}

void join_loop(void* v, void* subrange, base::ticks) noexcept {
  at(v).is_loop_open = false;
  if (context* const c = own_context()) close_construct(*c, at(subrange).depth);
}

// A loop that runs as a tree. Its right half is a subrange that `subrange` has created, after `halve`.
void halve(void*, void* left, base::ticks) noexcept {
  context* const c = own_context();
  const std::uint32_t depth = depth_of(c);
  ::new (left) race_vertex{role::half, true, false, depth, nullptr};
  if (c == nullptr) return;
  open_fork(*c, construct_kind::halving, c->open.back().where, frames_below(__builtin_frame_address(0)));
}

void join_halves(void*, void* left, void*, base::ticks, sched::branch_end, bool) noexcept {
  if (context* const c = own_context()) close_construct(*c, at(left).depth);
}

void move_to_tree(void*, void*) noexcept {}
void move_from_tree(void*, void*) noexcept {}

void pause(void*) noexcept { detach_root(); }
void resume(void*) noexcept { attach_root(); }

}  // namespace

constinit const vertex_kind race_kind{
    .bytes = sizeof(race_vertex),
    .is_timed = false,
    .loops = sched::loop_mode::in_chunks,
    .create = &create,
    .destroy = &destroy,
    .start = &start,
    .stop = &stop,
    .fork = &fork,
    .first_done = &first_done,
    .join = &join,
    .subrange = &subrange,
    .iteration = &iteration,
    .chunk = &chunk,
    .append = &append,
    .join_loop = &join_loop,
    .halve = &halve,
    .join_halves = &join_halves,
    .move_to_tree = &move_to_tree,
    .move_from_tree = &move_from_tree,
    .single = nullptr,
    .pause = &pause,
    .resume = &resume,
    .is_unstealable = true,
    .unseparated_loops = sched::loop_mode::halved,
    .has_pieces = true,
};

}  // namespace tine::detail

// --- what instrumented code reports (detail/base/race_branch.hpp) ---------------------------------------------------

using namespace tine::detail;

extern "C" {

TINE_API void tine_race_leave_branch() noexcept { leave_to_construct(); }

TINE_API void tine_race_enter_branch(const void* frame) noexcept {
  context* const c = own_context();
  if (c == nullptr || c->open.empty()) return;
  open_construct& o = c->open.back();
  o.inside = frames_below(frame);
  o.is_between = false;
  set_base(*c, frames_below(frame));
  continue_checking_branch(*c);
}

TINE_API void tine_race_begin_child() noexcept {
  context* const c = own_context();
  if (c == nullptr || c->open.empty()) return;
  open_construct& o = c->open.back();
  if (o.kind != construct_kind::fork || o.is_second || !o.is_between || !is_of_coroutine(o.where)) return;
  o.is_between = false;
  continue_checking();
}

TINE_API void tine_race_enter_iterations(const void* frame) noexcept {
  context* const c = own_context();
  if (c == nullptr || c->open.empty() || c->open.back().kind != construct_kind::loop) return;
  c->open.back().inside = frames_below(frame);
  set_base(*c, frames_below(frame));
  leave_to_construct();
}

TINE_API void tine_race_begin_iteration(std::uint64_t i) noexcept {
  // Mostly another iteration has just ended, has opened nothing, and has left nothing on the stack.
  context* const c = checked_context;
  open_construct* const o = c != nullptr ? c->steady_loop : nullptr;
  if (o != nullptr && o->latest == c->order.last() && o->latest < last_usual_strand) [[likely]] {
    o->iteration = i;
    c->strand = o->latest = c->order.extend_by_next();
    return;
  }
  begin_iteration_slowly(i);
}

TINE_API void tine_race_ignore_memory(const void* where, std::uint64_t bytes) noexcept {
  if (is_detector_open() && !shadow::mark(tine::base::to_word(where), bytes, unchecked))
    found_races::give_up("no memory was left for the shadow of the program's memory");
}
TINE_API void tine_race_memory_acquired(const void* where, std::uint64_t bytes) noexcept { begin_use(where, bytes); }
TINE_API void tine_race_memory_released(const void* where, std::uint64_t bytes) noexcept {
  check_range(where, bytes, access_how::release, called_from());
  tine_race_ignore_memory(where, bytes);
}
TINE_API void tine_race_choose_slot(const void* where, std::uint64_t bytes) noexcept {
  if (context* const c = checked_context) choose_slot(*c, tine::base::to_word(where), bytes);
}
TINE_API void tine_race_ignore_begin() noexcept { pause_checking(); }
TINE_API void tine_race_ignore_end() noexcept { resume_checking(); }

TINE_API void tine_race_leave_iterations() noexcept { leave_to_construct(); }
}
