// Teams of other runtimes (tine/race/team.hpp). In each phase a team is a loop: its members are the iterations. The
// next phase is a loop behind that one, so the graph stays series-parallel. A member keeps its stack from phase to
// phase. If a member pauses in the midst of a phase, the phase isn't series-parallel any more: its strands after the
// pause know those before it, and no strand of other members. Only the thread whose turn it is comes here.
#include <tine/race/team.hpp>

#include "race/open_construct_at.hpp"
#include "race/race_kind.hpp"

#include "race/detector_time.hpp"

using namespace tine::detail;

const bool tine::detail::follows_teams = true;

namespace {

constexpr const char* no_memory = "no memory was left for the members of a team";

/// The innermost open construct of the context is the team. Returns null if the thread checks nothing.
context* context_of_team() noexcept {
  context* const c = own_context();
  return c != nullptr && !c->open.empty() ? c : nullptr;
}

/// Continues with another member, after some have paused. All earlier strands of the phase but the member's own are
/// parallel to it.
void begin_among_paused(context& c, std::uint64_t number) noexcept {
  const detector_time here;
  open_construct& o = c.open.back();
  const auto owner = static_cast<interval_owner>(c.open.size() - 1);
  if (!c.waited.empty()) reopen_waited_tasks(c, owner);
  if (!c.acquired.empty()) reopen_acquired(c);
  const strand_number s = next_strand(c);
  c.history.add(history::event::iterations, s, s, number);
  c.strand = s;
  growing_list<order::interval> others;
  std::size_t i = c.stretches.size();
  while (i != 0 && c.stretches[i - 1].first >= o.first) --i;
  for (; i < c.stretches.size(); ++i) {
    const strand_number lo = c.stretches[i].first, hi = i + 1 < c.stretches.size() ? c.stretches[i + 1].first : s;
    if (c.stretches[i].member == number) continue;
    if (!others.empty() && others.back().hi == lo) {
      others.back().hi = hi;
    } else if (!others.push({lo, hi, owner})) {
      found_races::give_up(no_memory);
    }
  }
  if (!c.order.replace(owner, o.first, others)) found_races::give_up(no_memory);
  o.iteration = number;
  o.has_interval = true;
}

/// The running member starts to run its code, on the running stack, below the base of that.
void begin_stretch(context& c, std::uint64_t number) noexcept {
  open_construct& o = c.open.back();
  o.inside = c.stack->base;
  o.latest = 0;  // so that the history has each of them: they need not come in the order of their numbers
  c.order.is_interrupted() ? begin_among_paused(c, number) : begin_iteration(c, number);
  if (!c.stretches.push({c.strand, number})) found_races::give_up(no_memory);
  c.held_from_start = c.held;
  c.has_paused = false;
}

/// The phase of the innermost team has ended.
void end_phase(context& c) noexcept {
  const open_construct& o = c.open.back();
  while (!c.stretches.empty() && c.stretches.back().first >= o.first) c.stretches.pop();
  c.order.end_interruption(static_cast<interval_owner>(c.open.size() - 1));
}

}  // namespace

extern "C" {

TINE_API int tine_race_is_process_checked() noexcept { return is_process_checked() ? 1 : 0; }

TINE_API void tine_race_open_team(std::uint64_t site, void (*let_others_run)() noexcept) noexcept {
  context* const c = own_context();
  if (c == nullptr) return;
  open_loop(*c, site);
  c->open.back().let_others_run = let_others_run;
}

TINE_API void tine_race_begin_member(std::uint64_t number, const void* frame) noexcept {
  context* const c = context_of_team();
  if (c == nullptr) return;
  c->stack = &stack_around(*c, tine::base::to_word(frame));
  set_base(*c, frames_below(frame));
  c->held = c->open.back().held;
  begin_stretch(*c, number);
}

TINE_API void tine_race_resume_member(std::uint64_t number) noexcept {
  if (context* const c = context_of_team()) begin_stretch(*c, number);
}

TINE_API void tine_race_pause_member(std::uint64_t number) noexcept {
  context* const c = context_of_team();
  if (c == nullptr) return;
  if (c->stretches.empty() || c->stretches.back().first < c->open.back().first)
    return found_races::give_up("a task of a team waited for a thread of the team");
  const detector_time here;
  const auto inside = static_cast<std::uint32_t>(c->open.size());
  if (!c->paused.push({number, inside, known_here(*c), c->held_from_start})) return found_races::give_up(no_memory);
  c->order.interrupt(inside - 1);
  c->has_had_pauses = true;
}

TINE_API void tine_race_continue_member(std::uint64_t number) noexcept {
  context* const c = context_of_team();
  if (c == nullptr) return;
  const detector_time here;
  std::size_t at = 0;
  while (c->paused[at].member != number || c->paused[at].inside != c->open.size()) ++at;
  const paused_member p = c->paused[at];
  c->paused[at] = c->paused.back();
  c->paused.pop();
  begin_stretch(*c, number);
  acquire(*c, p.known, c->open.back().where);
  c->held_from_start = p.held_from_start;
  c->has_paused = true;
}

TINE_API void tine_race_end_phase() noexcept {
  context* const c = context_of_team();
  if (c == nullptr) return;
  open_construct& o = c->open.back();
  const auto depth = static_cast<std::uint32_t>(c->open.size() - 1);
  end_phase(*c);
  if (o.has_interval) c->order.pop(depth);
  if (!c->waited.empty()) keep_waited_tasks(*c, depth);
  if (!c->acquired.empty()) keep_acquired(*c, depth);
  c->history.add(history::event::loop_end, c->order.last() + 1, 0, 0);
  o.entry = c->history.position();
  o.first = c->order.last() + 1;
  o.has_interval = false;
  c->history.add(history::event::loop, o.first, o.around, o.where);
}

TINE_API void tine_race_close_team() noexcept {
  context* const c = context_of_team();
  if (c == nullptr) return;
  end_phase(*c);
  close_construct(*c, static_cast<std::uint32_t>(c->open.size() - 1));
}

TINE_API std::uint32_t tine_race_leave_thread() noexcept {
  const context* const c = own_context();
  const lockset held = c != nullptr ? c->held : 0;
  detach_root();
  return held;
}

TINE_API void tine_race_enter_thread(std::uint32_t member) noexcept {
  attach_root();
  context* const c = own_context();
  if (c == nullptr) return;
  c->held = member;
  continue_checking();
}

TINE_API void tine_race_give_up(const char* why) noexcept {
  if (own_context() != nullptr) found_races::give_up(why);
}
}
