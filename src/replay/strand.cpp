// Forks of scored strands: each fork moves the strand's position, and gives its second branch to the worker that the schedule
// names.
#include "replay/strand.hpp"

#include "replay/score.hpp"
#include "sched/scheduler_time.hpp"
#include "sched/worker.hpp"

#include <tine/sched/continuation.hpp>

namespace tine::detail {

using sched::watch;

position position_in(const position& p, scored& above, std::uint64_t begin, written_segment* now) noexcept {
  return {{p.events}, p.of, nullptr, &above, begin, 0, 0, 0, nullptr, now};
}

void scored::take_number() noexcept {
  if (number != schedule::nothing) return;
  number = parent.number++;
  if (parent.step != parent.steps) step = parent.of->match(parent, number, what);
  parent.joined = nullptr;
}

namespace {

scored_fork& fork_in(void* room) noexcept { return *static_cast<scored_fork*>(room); }

/// Returns the piece of the schedule that is this branch of the fork; `schedule::nothing` if there is none.
std::uint32_t piece_of(const scored_fork& f, std::uint64_t branch) noexcept {
  if (f.step == schedule::nothing) return schedule::nothing;
  const score& s = *f.parent.of;
  const schedule::step& step = s.step(f.step);
  for (std::uint32_t p = step.first_piece; p != step.first_piece + step.pieces; ++p) {
    if (s.piece(p).begin == branch) return p;
  }
  return schedule::nothing;
}

std::uint32_t node_of(const scored_fork& f, std::uint64_t branch) noexcept {
  const std::uint32_t p = piece_of(f, branch);
  return p != schedule::nothing ? f.parent.of->piece(p).node : schedule::nothing;
}

/// The halving of a loop names the loop's room, in which the analysis has a part.
sched::site site_for_analysis(sched::site where) noexcept {
  if ((where & sched::of_halving) == 0) return where;
  void* const room = reinterpret_cast<void*>(where & ~sched::of_halving);
  return reinterpret_cast<sched::site>(analysis_room(room)) | sched::of_halving;
}

watch& on_fork(watch& at, void* room, sched::site where) noexcept {
  position& p = static_cast<position&>(at);
  scored_fork& f = *::new (room) scored_fork{p};
  f.first = position_in(p, f, 0, p.now);
  if (p.analysis != nullptr)
    f.first.analysis = &p.analysis->events->fork(*p.analysis, analysis_room(room), site_for_analysis(where));
  return f.first;
}

/// Ends the first branch. If the front end did not ask for the branches that the schedule gives away, they are void.
void close_first(scored_fork& f) noexcept {
  f.parent.of->close(f.first);
  if (f.step == schedule::nothing || f.is_given) return;
  for (const std::uint64_t branch : {0U, 1U}) {
    const std::uint32_t p = piece_of(f, branch);
    if (p == schedule::nothing) continue;
    f.parent.of->void_begin(p);
    if (branch == 0) f.parent.of->void_inside(p);
  }
}

position& begin_second(scored_fork& f, written_segment* now) noexcept {
  f.second = position_in(f.parent, f, 1, now);
  if (f.step != schedule::nothing) f.parent.of->lead(f.second, node_of(f, 1));
  return f.second;
}

watch& on_turn(void* room) noexcept {
  scored_fork& f = fork_in(room);
  close_first(f);
  position& p = begin_second(f, f.first.now);
  if (f.parent.analysis != nullptr) p.analysis = &f.parent.analysis->events->turn(analysis_room(room));
  return p;
}

void on_leave(void* room) noexcept {
  scored_fork& f = fork_in(room);
  close_first(f);
  f.first.now->end = base::now();
  if (f.parent.analysis != nullptr) f.parent.analysis->events->leave(analysis_room(room));
}

watch& on_begin(void* room, bool taken) noexcept {
  scored_fork& f = fork_in(room);
  position& p = begin_second(f, taken ? f.parent.of->write_piece(f, 1) : f.first.now);
  if (f.parent.analysis != nullptr) p.analysis = &f.parent.analysis->events->begin(analysis_room(room), taken);
  return p;
}

void on_end(void* room) noexcept {
  scored_fork& f = fork_in(room);
  f.parent.of->close(f.second);
  f.second.now->end = base::now();
  f.second.joined = nullptr;
  if (f.parent.analysis != nullptr) f.parent.analysis->events->end(analysis_room(room));
}

void* on_room_of_first(watch& first) noexcept { return static_cast<scored_fork*>(static_cast<position&>(first).above); }

/// Called if the first branch threw an exception, so that the second branch never begins.
void drop_second(scored_fork& f) noexcept {
  f.parent.joined = f.first.joined;
  f.parent.now = f.first.now;
  const std::uint32_t p = piece_of(f, 1);
  if (p != schedule::nothing) f.parent.of->void_inside(p);
}

watch& on_join(void* room, sched::branch_end how, bool here) noexcept {
  scored_fork& f = fork_in(room);
  position& p = f.parent;
  if (here) p.of->close(f.second);
  if (f.second.now == nullptr) {
    drop_second(f);
  } else if (how == sched::branch_end::stolen) {
    // Forks of a coroutine are joined together: the joins of all but the oldest stolen fork are parts of that fork's join.
    if (here && f.second.joined != nullptr) p.of->forget_join(*f.second.joined);
    p.joined = p.now = p.of->write_join(f);
  } else {
    p.joined = f.second.joined;
    p.now = f.second.now;
  }
  if (f.step != schedule::nothing && !f.is_joined) p.of->void_join(f.step);
  if (p.analysis != nullptr) p.analysis = &p.analysis->events->join(analysis_room(room), how, here);
  return p;
}

void on_pause(watch& at) noexcept {
  const position& p = static_cast<position&>(at);
  p.now->end = base::now();
  watch* const a = p.analysis;
  if (a != nullptr) a->events->pause(*a);
}
void on_go_on(watch& at) noexcept {
  watch* const a = static_cast<position&>(at).analysis;
  if (a != nullptr) a->events->go_on(*a);
}

watch* analysis_of(watch& at) noexcept {
  watch* const a = static_cast<position&>(at).analysis;
  return a == nullptr || a->events->analysis == nullptr ? a : a->events->analysis(*a);
}

/// Goes in to the innermost position that keeps an analysis, and updates the events of all positions on the way back.
void set_analysis(watch& at, watch* kept) noexcept {
  position& p = static_cast<position&>(at);
  if (p.analysis != nullptr && p.analysis->events->set_analysis != nullptr) {
    p.analysis->events->set_analysis(*p.analysis, kept);
  } else {
    p.analysis = kept;
  }
  p.events = &p.of->events_with(p.analysis);
}

// --- directions --------------------------------------------------------------------------------------------------

/// An open fork and an open loop begin alike.
scored& scored_in(void* room) noexcept { return *static_cast<scored*>(room); }

/// The component that gives the second branch away. A schedule, that of this region or of one around it, has priority over the
/// program.
enum class giver : unsigned char { nobody, schedule, outer, program };

giver giver_of(scored_fork& f) noexcept {
  const bool may_give = !sched::is_kept_sequential();
  const std::uint32_t p = piece_of(f, 1);
  if (may_give && p != schedule::nothing && f.parent.of->is_owned(p)) return giver::schedule;
  const sched::watch_directions* const outer = outer_directions(f);
  if (outer != nullptr && outer->is_given(analysis_room(&f))) return giver::outer;
  return may_give && f.wanted_owner != nobody ? giver::program : giver::nobody;
}

bool is_given(void* room) noexcept { return giver_of(fork_in(room)) != giver::nobody; }

void give(void* room, sched::task* second) noexcept {
  scored_fork& f = fork_in(room);
  const giver by = giver_of(f);
  f.is_outer = by == giver::outer;
  if (f.is_outer) return outer_directions(f)->give(analysis_room(room), second);
  score& s = *f.parent.of;
  f.is_given = true;
  f.waiting.emplace(s, 2U, f);
  if (!sched::is_continuation(second)) f.waiting->expect(*second);
  s.lead(f.first, node_of(f, 0));
  f.entry.what = sched::of_running_root(second);
  const sched::scheduler_time here;
  if (by == giver::schedule) return s.hand_out(piece_of(f, 1), f.entry);
  f.home = sched::hot::self();
  s.send(f.entry, score::member(f.wanted_owner));
}

sched::rendezvous& meeting_in(void* room) noexcept {
  scored& o = scored_in(room);
  return o.is_outer ? outer_directions(o)->meeting(analysis_room(room)) : *o.waiting;
}
void meet(void* room) noexcept { meeting_in(room).meet(); }

scored_run& run_in(void* room) noexcept { return *static_cast<scored_run*>(room); }

/// Opens a run. If the region follows no schedule itself, a region around it may follow one.
void* begin_run(watch& at) noexcept {
  const sched::scheduler_time here;
  position& p = static_cast<position&>(at);
  scored_run& o = *new scored_run{p};
  if (const sched::watch_directions* outer = outer_directions(o)) o.outer = outer->open_run(*p.analysis);
  o.is_outer = o.outer != nullptr && !p.of->follows();
  if (!o.is_outer) o.waiting.emplace(*p.of, 2U, o);
  return &o;
}

sched::rendezvous& meeting_of_run(void* room) noexcept {
  scored_run& o = run_in(room);
  return o.is_outer ? outer_directions(o)->meeting_of_run(o.outer) : *o.waiting;
}

bool is_rest_given(void* room) noexcept {
  scored_run& o = run_in(room);
  if (o.is_outer) return outer_directions(o)->is_rest_given(o.outer);
  return !sched::is_kept_sequential() && o.parent.of->is_rest_owned(o);
}

void begin_rest(void* room) noexcept {
  scored_run& o = run_in(room);
  o.is_outer ? outer_directions(o)->begin_rest(o.outer) : o.parent.of->begin_rest();
}

void end_rest(void* room) noexcept {
  scored_run& o = run_in(room);
  o.is_outer ? outer_directions(o)->end_rest(o.outer) : o.parent.of->end_rest();
}

void close_run(void* room, bool met) noexcept {
  const sched::scheduler_time here;
  scored_run& o = run_in(room);
  position& p = o.parent;
  o.take_number();
  if (met) p.joined = p.now = p.of->write_join(o);
  if (o.step != schedule::nothing && !o.is_joined) p.of->void_join(o.step);
  if (o.outer != nullptr) outer_directions(o)->close_run(o.outer, met);
  delete &o;
}

constexpr sched::watch_directions directions{
    .is_given = &is_given,
    .give = &give,
    .pieces = &pieces_of_loop,
    .piece_begin = &begin_of_piece,
    .is_piece_given = &is_piece_given,
    .give_piece = &give_piece,
    .meet = &meet,
    .meeting = &meeting_in,
    .open_run = &begin_run,
    .meeting_of_run = &meeting_of_run,
    .is_rest_given = &is_rest_given,
    .begin_rest = &begin_rest,
    .end_rest = &end_rest,
    .close_run = &close_run,
    .want_owner = &want_owner,
    .want_cuts = &want_cuts,
    .forget_wanted = &forget_wanted,
};

}  // namespace

constexpr sched::watch_events score_events{
    .fork = &on_fork,
    .turn = &on_turn,
    .leave = &on_leave,
    .begin = &on_begin,
    .end = &on_end,
    .room_of_first = &on_room_of_first,
    .join = &on_join,
    .open_loop = &on_open_loop,
    .close_loop = &on_close_loop,
    .begin_piece = &on_begin_piece,
    .iteration = &on_iteration,
    .chunk = &on_chunk,
    .end_piece = &on_end_piece,
    .begin_whole = nullptr,  // no loop of a scored strand is run in this way
    .end_whole = nullptr,
    .open_tree = &on_open_tree,
    .close_tree = &on_close_tree,
    .begin_leaf = &on_begin_leaf,
    .end_leaf = &on_end_leaf,
    .pause = &on_pause,
    .go_on = &on_go_on,
    .room_bytes = room_bytes,
    .loops = sched::watched_loops::in_chunks,
    .analysis = &analysis_of,
    .set_analysis = &set_analysis,
    .directions = &directions,
};

}  // namespace tine::detail
