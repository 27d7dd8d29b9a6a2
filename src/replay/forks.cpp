// Forks and runs that are more than counted: each fork moves its strand's cursor, and its second branch is placed on
// the worker that the schedule or the program names. The strand that forks calls these functions.
#include "replay/session.hpp"
#include "sched/scheduler_time.hpp"
#include "sched/worker.hpp"

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/continuation.hpp>
#include <tine/detail/sched/scope.hpp>

#include <new>

namespace tine::detail {

cursor cursor_in(replay_node& above, std::uint64_t begin) noexcept {
  const auto around = base::to_word(&above.parent) | cursor::cursor_bit;
  const cursor* const c = as_cursor(above.parent);
  const bool may_place = c != nullptr && c->may_place;
  return {{around, {nullptr}, 0, above.number, nullptr, nullptr}, &above, begin, 0, 0, nullptr, nullptr, may_place};
}

void replay_node::take_number() noexcept {
  if (number != schedule::nothing) return;
  number = parent.next++;
  cursor* const c = as_cursor(parent);
  if (c != nullptr && c->step != c->steps) step = of().followed().match(*c, number, what);
}

namespace {

fork_node& fork_in(void* storage) noexcept { return *static_cast<fork_node*>(storage); }

/// Makes the nodes of a fork of strand `s` at `p`, in all regions.
fork_node& make_nodes(void* storage, sched::region_strand& s, sched::position& p) noexcept {
  fork_node& f = *::new (storage) fork_node{s, p};
  f.of().chosen().choose(f);
  f.first = cursor_in(f, 0);
  f.first.may_place = false;  // as in a schedule: only if the second branch is placed
  if (s.outer == nullptr) return f;
  f.outer = &make_nodes(static_cast<std::byte*>(storage) + node_bytes, *s.outer, *as_cursor(p)->outer);
  pass_hint_on(f);
  f.first.outer = &outer_of(f)->first;
  return f;
}

/// Returns the schedule's piece for this branch of the fork; `schedule::nothing` if there is none.
std::uint32_t piece_of(const fork_node& f, std::uint64_t branch) noexcept {
  if (f.step == schedule::nothing) return schedule::nothing;
  const followed_schedule& s = f.of().followed();
  const schedule::step& step = s.step(f.step);
  for (std::uint32_t p = step.first_piece; p != step.first_piece + step.pieces; ++p) {
    if (s.piece(p).begin == branch) return p;
  }
  return schedule::nothing;
}

std::uint32_t node_of(const fork_node& f, std::uint64_t branch) noexcept {
  const std::uint32_t p = piece_of(f, branch);
  return p != schedule::nothing ? f.of().followed().piece(p).node : schedule::nothing;
}

/// Ends the first branch. Skips the branches that the schedule places if the front end did not ask for them.
void close_first(fork_node& f) noexcept {
  followed_schedule& s = f.of().followed();
  s.finish(f.first);
  if (f.step == schedule::nothing || f.is_placed) return;
  for (const std::uint64_t branch : {0U, 1U}) {
    const std::uint32_t p = piece_of(f, branch);
    if (p == schedule::nothing) continue;
    s.skip_begin(p);
    if (branch == 0) s.skip_inside(p);
  }
}

/// Starts the second branch on the strand that forked.
void begin_second_here(fork_node& f) noexcept {
  f.second = cursor_in(f, 1);
  f.has_second = true;
  if (f.step != schedule::nothing) f.of().followed().assign(f.second, node_of(f, 1));
  if (f.outer == nullptr) return;
  begin_second_here(*outer_of(f));
  f.second.outer = &outer_of(f)->second;
}

void continue_with_second(fork_node& f) noexcept {
  begin_second_here(f);
  sched::set_position(f.second);
}

/// Begins the second branch on another strand.
void begin_second_elsewhere(fork_node& f) noexcept {
  f.second = cursor_in(f, 1);
  f.has_second = f.is_second_elsewhere = true;
  f.other = {&f.of(), nullptr, f.of().write_piece(f, 1), any_worker, nullptr};
  if (f.step != schedule::nothing) f.of().followed().assign(f.second, node_of(f, 1));
  if (f.outer == nullptr) return;
  begin_second_elsewhere(*outer_of(f));
  f.second.outer = &outer_of(f)->second;
  f.other.outer = &outer_of(f)->other;
}

/// A branch that begins elsewhere was placed, by any of the regions, or stolen.
void note_if_stolen(const fork_node& f) noexcept {
  for (const fork_node* each = &f; each != nullptr; each = outer_of(*each)) {
    if (each->is_placed) return;
  }
  for (const fork_node* each = &f; each != nullptr; each = outer_of(*each))
    each->of().followed().note_stolen(each->parent, each->number);
}

/// Writes when strand `s` ends its segment, in all regions.
void end_segments(const sched::region_strand& s) noexcept {
  const base::ticks now = base::now();
  for (const sched::region_strand* each = &s; each != nullptr; each = each->outer) each->now->end_at(now);
}

/// Called if the first branch threw, so that the second branch never starts.
void drop_second(fork_node& f) noexcept {
  const std::uint32_t p = piece_of(f, 1);
  if (p != schedule::nothing) f.of().followed().skip_inside(p);
}

void join_node(fork_node& f, sched::branch_end how, bool here, bool is_last_join) noexcept {
  session& s = f.of();
  if (here) s.followed().finish(f.second);
  if (!f.has_second) {
    drop_second(f);
  } else if (how == sched::branch_end::stolen && is_last_join) {
    f.strand.now = s.write_join(f);
  }
  s.followed().close(f);
}

}  // namespace

void session::fork(void* storage) noexcept {
  sched::set_position(make_nodes(storage, *sched::region_strand::current(), *sched::position::current()).first);
}

void session::first_done(void* storage, bool continues) noexcept {
  fork_node& f = fork_in(storage);
  for (fork_node* each = &f; each != nullptr; each = outer_of(*each)) close_first(*each);
  continues ? continue_with_second(f) : end_segments(f.strand);
}

void session::begin(void* storage, bool on_other_strand) noexcept {
  fork_node& f = fork_in(storage);
  if (on_other_strand) {
    note_if_stolen(f);
    begin_second_elsewhere(f);
    sched::enter_region(f.other, f.second);
  } else {
    continue_with_second(f);
  }
}

void session::end(void* storage) noexcept {
  fork_node& f = fork_in(storage);
  for (fork_node* each = &f; each != nullptr; each = outer_of(*each)) each->of().followed().finish(each->second);
  end_segments(f.is_second_elsewhere ? f.other : f.strand);
}

void session::join(void* storage, sched::branch_end how, bool here, bool is_last_join) noexcept {
  fork_node& f = fork_in(storage);
  for (fork_node* each = &f; each != nullptr; each = outer_of(*each)) join_node(*each, how, here, is_last_join);
  sched::resume_strand(f.strand, f.parent);
}

void* session::storage_of_first(sched::position& first) noexcept {
  return static_cast<fork_node*>(as_cursor(first)->above);
}

// --- placed branches ---------------------------------------------------------------------------------------------

namespace {

/// The component that places the second branch. A schedule, of this region or of one around it, goes before the
/// program.
enum class placed_by : unsigned char { none, schedule, outer, program };

placed_by placed_by_of(const fork_node& f) noexcept {
  const bool may_place = !sched::must_keep_thread();
  const std::uint32_t p = piece_of(f, 1);
  if (may_place && p != schedule::nothing && f.of().followed().is_owned(p)) return placed_by::schedule;
  if (f.outer != nullptr && placed_by_of(*outer_of(f)) != placed_by::none) return placed_by::outer;
  return may_place && f.hinted_worker != any_worker ? placed_by::program : placed_by::none;
}

void place_second(fork_node& f, sched::task* second) noexcept {
  const placed_by by = placed_by_of(f);
  f.is_outer = by == placed_by::outer;
  if (f.is_outer) return place_second(*outer_of(f), second);
  session& s = f.of();
  f.is_placed = true;
  f.waiting.emplace(s, 2U, f);
  if (!sched::is_continuation(second)) f.waiting->expect(*second);
  s.followed().assign(f.first, node_of(f, 0));
  f.first.may_place = true;
  f.entry.what = sched::of_running_root(second);
  const sched::scheduler_time here;
  if (by == placed_by::schedule) {
    f.origin = s.home();
    s.writer().note_placed(f, 1, s.followed().piece(piece_of(f, 1)).run.owner);
    return s.submit_scheduled(piece_of(f, 1), f.entry);
  }
  f.origin = s.chosen().returns_after_join() ? sched::hot::self() : nullptr;
  s.writer().note_placed(f, 1, f.hinted_worker);
  s.submit_hinted(f.entry, session::member(f.hinted_worker));
}

/// Returns the fork's node in the region that placed the second branch.
fork_node& placing(fork_node& f) noexcept { return f.is_outer ? placing(*outer_of(f)) : f; }

/// Returns the join counter of a fork, a loop or a run.
sched::join_counter& join_counter_in(replay_node& n) noexcept {
  return n.is_outer ? join_counter_in(*n.outer) : *n.waiting;
}

}  // namespace

bool session::is_placed(void* storage) noexcept { return placed_by_of(fork_in(storage)) != placed_by::none; }

void session::place(void* storage, sched::task* second) noexcept {
  fork_node& f = fork_in(storage);
  place_second(f, second);
  sched::set_position(f.first);  // the first branch may have steps now
  fork_node& placed = placing(f);
  placed.of().delay_first(placed);
}

/// Lets the first branch wait if the schedule, or the perturbation, wants other strands to go first.
void session::delay_first(fork_node& f) noexcept {
  const std::uint32_t p = piece_of(f, 0);
  const bool is_scheduled = p != schedule::nothing && followed_.is_owned(p);
  if (!strategy_->takes_turns()) {
    if (is_scheduled) followed_.skip_begin(p);
    return;
  }
  if (!is_scheduled && !f.delays_first) return;
  writer_.note_placed(f, 0, static_cast<int>(sched::hot::self()->index));
  end_segments(f.strand);
  strategy_->wait_for_turn({{p, false}, is_scheduled, nullptr});
  f.strand.now = write_piece(f, 0);
}

sched::join_counter& session::join_counter_of(void* storage) noexcept {
  return join_counter_in(*static_cast<replay_node*>(storage));
}

// --- runs --------------------------------------------------------------------------------------------------------

namespace {

run_node& run_in(void* storage) noexcept { return *static_cast<run_node*>(storage); }

/// Opens a run in all regions. A region that does not follow a schedule may be inside one that does.
run_node& open_runs(sched::region_strand& s, sched::position& p) {
  run_node& r = *new run_node{s, p};
  r.origin = r.of().home();
  if (s.outer != nullptr) r.outer = &open_runs(*s.outer, *as_cursor(p)->outer);
  r.is_outer = r.outer != nullptr && !r.of().followed().is_any();
  if (!r.is_outer) r.waiting.emplace(r.of(), 2U, r);
  return r;
}

/// Returns the run in the region that decides where it continues.
run_node& deciding(run_node& r) noexcept { return r.is_outer ? deciding(*outer_of(r)) : r; }

void close_runs(run_node& r, bool has_waited) noexcept {
  session& s = r.of();
  r.take_number();
  if (has_waited) r.strand.now = s.write_join(r);
  s.followed().close(r);
  if (r.outer != nullptr) close_runs(*outer_of(r), has_waited);
  delete &r;
}

}  // namespace

void* session::open_run() noexcept {
  const sched::scheduler_time here;
  return &open_runs(*sched::region_strand::current(), *sched::position::current());
}

bool session::is_rest_placed(void* storage) noexcept {
  run_node& r = deciding(run_in(storage));
  return !sched::must_keep_thread() && r.of().is_rest_owned(r);
}

void session::set_blocked(void* storage, bool blocked) noexcept {
  strategy& s = deciding(run_in(storage)).of().chosen();
  blocked ? s.begin_one() : s.end_one();
}

void session::close_run(void* storage, bool has_waited) noexcept {
  const sched::scheduler_time here;
  run_node& r = run_in(storage);
  sched::region_strand& strand = r.strand;
  sched::position& parent = r.parent;
  close_runs(r, has_waited);
  sched::resume_strand(strand, parent);
}

}  // namespace tine::detail
