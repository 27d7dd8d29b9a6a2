// Forks of scored strands: each fork moves the strand's position, and its second branch is placed on the worker that the schedule
// names.
#include "replay/strand.hpp"

#include "replay/score.hpp"
#include "sched/scheduler_time.hpp"
#include "sched/worker.hpp"

#include <tine/sched/continuation.hpp>

namespace tine::detail {

using sched::observer;

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

scored_fork& fork_in(void* storage) noexcept { return *static_cast<scored_fork*>(storage); }

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

/// The halving of a loop names the loop's storage, in which the analysis has a part.
sched::site site_for_analysis(sched::site where) noexcept {
  if ((where & sched::of_halving) == 0) return where;
  void* const storage = reinterpret_cast<void*>(where & ~sched::of_halving);
  return reinterpret_cast<sched::site>(analysis_storage(storage)) | sched::of_halving;
}

observer& on_fork(observer& at, void* storage, sched::site where) noexcept {
  position& p = static_cast<position&>(at);
  scored_fork& f = *::new (storage) scored_fork{p};
  f.first = position_in(p, f, 0, p.now);
  if (p.analysis != nullptr)
    f.first.analysis = &p.analysis->events->fork(*p.analysis, analysis_storage(storage), site_for_analysis(where));
  return f.first;
}

/// Ends the first branch. If the front end did not ask for the branches that the schedule places, they are void.
void close_first(scored_fork& f) noexcept {
  f.parent.of->close(f.first);
  if (f.step == schedule::nothing || f.is_placed) return;
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

observer& on_first_done(void* storage) noexcept {
  scored_fork& f = fork_in(storage);
  close_first(f);
  position& p = begin_second(f, f.first.now);
  if (f.parent.analysis != nullptr) p.analysis = &f.parent.analysis->events->first_done(analysis_storage(storage));
  return p;
}

void on_first_done_suspended(void* storage) noexcept {
  scored_fork& f = fork_in(storage);
  close_first(f);
  f.first.now->end = base::now();
  if (f.parent.analysis != nullptr) f.parent.analysis->events->first_done_suspended(analysis_storage(storage));
}

observer& on_begin(void* storage, bool on_other_strand) noexcept {
  scored_fork& f = fork_in(storage);
  position& p = begin_second(f, on_other_strand ? f.parent.of->write_piece(f, 1) : f.first.now);
  if (f.parent.analysis != nullptr)
    p.analysis = &f.parent.analysis->events->begin(analysis_storage(storage), on_other_strand);
  return p;
}

void on_end(void* storage) noexcept {
  scored_fork& f = fork_in(storage);
  f.parent.of->close(f.second);
  f.second.now->end = base::now();
  f.second.joined = nullptr;
  if (f.parent.analysis != nullptr) f.parent.analysis->events->end(analysis_storage(storage));
}

void* on_storage_of_first(observer& first) noexcept {
  return static_cast<scored_fork*>(static_cast<position&>(first).above);
}

/// Called if the first branch threw an exception, so that the second branch never begins.
void drop_second(scored_fork& f) noexcept {
  f.parent.joined = f.first.joined;
  f.parent.now = f.first.now;
  const std::uint32_t p = piece_of(f, 1);
  if (p != schedule::nothing) f.parent.of->void_inside(p);
}

observer& on_join(void* storage, sched::branch_end how, bool here) noexcept {
  scored_fork& f = fork_in(storage);
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
  if (p.analysis != nullptr) p.analysis = &p.analysis->events->join(analysis_storage(storage), how, here);
  return p;
}

void on_pause(observer& at) noexcept {
  const position& p = static_cast<position&>(at);
  p.now->end = base::now();
  observer* const a = p.analysis;
  if (a != nullptr) a->events->pause(*a);
}
void on_resume(observer& at) noexcept {
  observer* const a = static_cast<position&>(at).analysis;
  if (a != nullptr) a->events->resume(*a);
}

observer* analysis_of(observer& at) noexcept {
  observer* const a = static_cast<position&>(at).analysis;
  return a == nullptr || a->events->analysis == nullptr ? a : a->events->analysis(*a);
}

/// Goes in to the innermost position that keeps an analysis, and updates the events of all positions on the way back.
void set_analysis(observer& at, observer* kept) noexcept {
  position& p = static_cast<position&>(at);
  if (p.analysis != nullptr && p.analysis->events->set_analysis != nullptr) {
    p.analysis->events->set_analysis(*p.analysis, kept);
  } else {
    p.analysis = kept;
  }
  p.events = &p.of->events_with(p.analysis);
}

// --- placer --------------------------------------------------------------------------------------------------

/// An open fork and an open loop begin alike.
scored& scored_in(void* storage) noexcept { return *static_cast<scored*>(storage); }

/// The component that places the second branch. A schedule, that of this region or of one around it, has priority over the
/// program.
enum class placed_by : unsigned char { none, schedule, outer, program };

placed_by placed_by_of(scored_fork& f) noexcept {
  const bool may_place = !sched::is_kept_sequential();
  const std::uint32_t p = piece_of(f, 1);
  if (may_place && p != schedule::nothing && f.parent.of->is_owned(p)) return placed_by::schedule;
  const sched::placer_hooks* const outer = outer_placer(f);
  if (outer != nullptr && outer->is_placed(analysis_storage(&f))) return placed_by::outer;
  return may_place && f.hinted_owner != any_worker ? placed_by::program : placed_by::none;
}

bool is_placed(void* storage) noexcept { return placed_by_of(fork_in(storage)) != placed_by::none; }

void place(void* storage, sched::task* second) noexcept {
  scored_fork& f = fork_in(storage);
  const placed_by by = placed_by_of(f);
  f.is_outer = by == placed_by::outer;
  if (f.is_outer) return outer_placer(f)->place(analysis_storage(storage), second);
  score& s = *f.parent.of;
  f.is_placed = true;
  f.waiting.emplace(s, 2U, f);
  if (!sched::is_continuation(second)) f.waiting->expect(*second);
  s.lead(f.first, node_of(f, 0));
  f.entry.what = sched::of_running_root(second);
  const sched::scheduler_time here;
  if (by == placed_by::schedule) return s.hand_out(piece_of(f, 1), f.entry);
  f.origin = sched::hot::self();
  s.send(f.entry, score::member(f.hinted_owner));
}

sched::join_counter& join_counter_in(void* storage) noexcept {
  scored& o = scored_in(storage);
  return o.is_outer ? outer_placer(o)->join_counter_of(analysis_storage(storage)) : *o.waiting;
}
void wait(void* storage) noexcept { join_counter_in(storage).wait(); }

scored_run& run_in(void* storage) noexcept { return *static_cast<scored_run*>(storage); }

/// Opens a run. If the region follows no schedule itself, a region around it may follow one.
void* begin_run(observer& at) noexcept {
  const sched::scheduler_time here;
  position& p = static_cast<position&>(at);
  scored_run& o = *new scored_run{p};
  if (const sched::placer_hooks* outer = outer_placer(o)) o.outer = outer->open_run(*p.analysis);
  o.is_outer = o.outer != nullptr && !p.of->follows();
  if (!o.is_outer) o.waiting.emplace(*p.of, 2U, o);
  return &o;
}

sched::join_counter& join_counter_of_run(void* storage) noexcept {
  scored_run& o = run_in(storage);
  return o.is_outer ? outer_placer(o)->join_counter_of_run(o.outer) : *o.waiting;
}

bool is_rest_placed(void* storage) noexcept {
  scored_run& o = run_in(storage);
  if (o.is_outer) return outer_placer(o)->is_rest_placed(o.outer);
  return !sched::is_kept_sequential() && o.parent.of->is_rest_owned(o);
}

void strand_blocked(void* storage) noexcept {
  scored_run& o = run_in(storage);
  o.is_outer ? outer_placer(o)->strand_blocked(o.outer) : o.parent.of->strand_blocked();
}

void strand_unblocked(void* storage) noexcept {
  scored_run& o = run_in(storage);
  o.is_outer ? outer_placer(o)->strand_unblocked(o.outer) : o.parent.of->strand_unblocked();
}

void close_run(void* storage, bool has_waited) noexcept {
  const sched::scheduler_time here;
  scored_run& o = run_in(storage);
  position& p = o.parent;
  o.take_number();
  if (has_waited) p.joined = p.now = p.of->write_join(o);
  if (o.step != schedule::nothing && !o.is_joined) p.of->void_join(o.step);
  if (o.outer != nullptr) outer_placer(o)->close_run(o.outer, has_waited);
  delete &o;
}

constexpr sched::placer_hooks placer{
    .is_placed = &is_placed,
    .place = &place,
    .subranges = &pieces_of_loop,
    .subrange_begin = &begin_of_piece,
    .is_subrange_placed = &is_subrange_placed,
    .place_subrange = &place_subrange,
    .wait = &wait,
    .join_counter_of = &join_counter_in,
    .open_run = &begin_run,
    .join_counter_of_run = &join_counter_of_run,
    .is_rest_placed = &is_rest_placed,
    .strand_blocked = &strand_blocked,
    .strand_unblocked = &strand_unblocked,
    .close_run = &close_run,
    .hint_owner = &hint_owner,
    .hint_cuts = &hint_cuts,
    .forget_hint = &forget_hint,
};

}  // namespace

constexpr sched::observer_hooks score_events{
    .fork = &on_fork,
    .first_done = &on_first_done,
    .first_done_suspended = &on_first_done_suspended,
    .begin = &on_begin,
    .end = &on_end,
    .storage_of_first = &on_storage_of_first,
    .join = &on_join,
    .open_loop = &on_open_loop,
    .close_loop = &on_close_loop,
    .begin_subrange = &on_begin_piece,
    .iteration = &on_iteration,
    .chunk = &on_chunk,
    .end_subrange = &on_end_piece,
    .begin_unsplit = nullptr,  // no loop of a scored strand is run in this way
    .end_unsplit = nullptr,
    .open_tree = &on_open_tree,
    .close_tree = &on_close_tree,
    .begin_leaf = &on_begin_leaf,
    .end_leaf = &on_end_leaf,
    .pause = &on_pause,
    .resume = &on_resume,
    .storage_bytes = storage_bytes,
    .loops = sched::loop_mode::in_chunks,
    .analysis = &analysis_of,
    .set_analysis = &set_analysis,
    .placer = &placer,
};

}  // namespace tine::detail
