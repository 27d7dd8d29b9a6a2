// Teams of other runtimes (tine/race/runtimes.hpp). In each phase a team is a loop: its members are the iterations. The
// next phase is a loop behind that one, so the graph stays series-parallel. A member keeps its stack from phase to
// phase. Only the thread whose turn it is comes here.
#include <tine/race/runtimes.hpp>

#include "race/open_construct_at.hpp"
#include "race/race_kind.hpp"

using namespace tine::detail;

const bool tine::detail::follows_teams = true;

namespace {

/// The innermost open construct of the context is the team. Returns null if the thread checks nothing.
context* context_of_team() noexcept {
  context* const c = own_context();
  return c != nullptr && !c->open.empty() ? c : nullptr;
}

/// The running member starts to run its code, on the running stack, below the base of that.
void continue_member(context& c, std::uint64_t number) noexcept {
  open_construct& o = c.open.back();
  c.held = o.held;
  o.inside = c.stack->base;
  o.latest = 0;  // so that the history has each of them: they need not come in the order of their numbers
  begin_iteration(c, number);
}

}  // namespace

extern "C" {

TINE_API int tine_race_is_process_checked() noexcept { return is_process_checked() ? 1 : 0; }

TINE_API void tine_race_open_team(std::uint64_t site) noexcept {
  if (context* const c = own_context()) open_loop(*c, site);
}

TINE_API void tine_race_begin_member(std::uint64_t number, const void* frame) noexcept {
  context* const c = context_of_team();
  if (c == nullptr) return;
  c->stack = &stack_around(*c, tine::base::to_word(frame));
  set_base(*c, frames_below(frame));
  continue_member(*c, number);
}

TINE_API void tine_race_resume_member(std::uint64_t number) noexcept {
  if (context* const c = context_of_team()) continue_member(*c, number);
}

TINE_API void tine_race_end_phase() noexcept {
  context* const c = context_of_team();
  if (c == nullptr) return;
  open_construct& o = c->open.back();
  const auto depth = static_cast<std::uint32_t>(c->open.size() - 1);
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
  if (context* const c = context_of_team()) close_construct(*c, static_cast<std::uint32_t>(c->open.size() - 1));
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
