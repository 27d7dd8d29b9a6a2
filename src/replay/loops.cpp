// Loops of scored strands. Each run of iterations on one strand has a place of its own.
#include "replay/score.hpp"
#include "sched/scheduler_time.hpp"

#include <cstdlib>
#include <utility>

namespace tine::detail {

using sched::watch;

namespace {

__extension__ using wide = unsigned __int128;

open_loop& loop_in(void* room) noexcept { return *static_cast<open_loop*>(room); }
watch* analysis_of(const open_loop& l) noexcept { return l.parent.analysis; }

open_piece& new_piece(open_loop& l) noexcept {
  // relaxed: only who is first matters
  if (!l.has_begun.exchange(true, base::relaxed)) return l.own;
  const sched::scheduler_time here;
  return *static_cast<open_piece*>(std::malloc(sizeof(open_piece)));
}

/// The iteration of this loop at which a piece of the schedule's begins; if that had another length, in proportion.
std::uint64_t scaled(const open_loop& l, std::uint64_t begin) noexcept {
  const std::uint64_t recorded = l.parent.of->step(l.step).count;
  if (recorded == l.count) return begin;
  return static_cast<std::uint64_t>(static_cast<wide>(begin) * l.count / recorded);
}

/// What the schedule has of the loop's pieces. They begin with one at 0, which it may leave out.
struct recorded_pieces {
  explicit recorded_pieces(const open_loop& l) noexcept
      : of{l}, step{l.parent.of->step(l.step)}, left_out{of.parent.of->piece(step.first_piece).begin == 0 ? 0U : 1U} {}

  unsigned count() const noexcept { return step.pieces + left_out; }
  /// The schedule's number of it; nothing if it is left out.
  std::uint32_t number(unsigned piece) const noexcept {
    return piece < left_out ? schedule::nothing : step.first_piece + piece - left_out;
  }
  bool is_owned(unsigned piece) const noexcept {
    return number(piece) != schedule::nothing && of.parent.of->is_owned(number(piece));
  }
  std::uint64_t begin(unsigned piece) const noexcept {
    return number(piece) == schedule::nothing ? 0 : scaled(of, of.parent.of->piece(number(piece)).begin);
  }
  /// What is in the one that begins there.
  std::uint32_t node_at(std::uint64_t where) const noexcept {
    for (unsigned i = count(); i-- > left_out;) {
      if (begin(i) == where) return of.parent.of->piece(number(i)).node;
    }
    return schedule::nothing;
  }

  const open_loop& of;
  const schedule::step& step;
  const unsigned left_out;
};

}  // namespace

void on_open_loop(watch& at, void* room, std::uint64_t n, sched::site where) noexcept {
  place& p = static_cast<place&>(at);
  ::new (room) open_loop{p, n};
  if (p.analysis != nullptr) p.analysis->events->open_loop(*p.analysis, analysis_room(room), n, where);
}

watch& on_begin_piece(void* room, std::uint64_t first, bool on_other) noexcept {
  open_loop& l = loop_in(room);
  // what was given away in between makes it another strand, though it may be on the same worker
  const bool taken = on_other || first != l.own_end;
  open_piece& p = new_piece(l);
  written_segment* const now = taken ? l.parent.of->write_piece(l, first) : l.parent.now;
  ::new (static_cast<void*>(&p)) open_piece{place_in(l.parent, l, first, now), nullptr, 0, taken};
  if (l.step != schedule::nothing) l.parent.of->lead(p, recorded_pieces{l}.node_at(first));
  // release pairs with the acquire in close, though the loop's own join orders them, too
  p.next = l.pieces.load(base::relaxed);
  while (!l.pieces.compare_exchange_weak(p.next, &p, base::release, base::relaxed)) {
  }
  if (watch* a = analysis_of(l)) p.analysis = &a->events->begin_piece(analysis_room(room), first, on_other);
  return p;
}

void on_iteration(watch& piece, std::uint64_t i) noexcept {
  watch* const a = static_cast<place&>(piece).analysis;
  if (a != nullptr) a->events->iteration(*a, i);
}

void on_chunk(watch& piece, std::uint64_t iterations) noexcept {
  open_piece& p = static_cast<open_piece&>(piece);
  p.done += iterations;
  if (p.analysis != nullptr) p.analysis->events->chunk(*p.analysis, iterations);
}

void on_end_piece(watch& piece) noexcept {
  open_piece& p = static_cast<open_piece&>(piece);
  p.of->close(p);
  p.now->end = base::now();
  if (!p.is_taken) {
    p.above->parent.now = p.now;
    static_cast<open_loop*>(p.above)->own_end = p.begin + p.done;
  }
  if (p.analysis != nullptr) p.analysis->events->end_piece(*p.analysis);
}

watch& on_close_loop(void* room) noexcept {
  open_loop& l = loop_in(room);
  place& p = l.parent;
  bool is_split = false;
  const sched::scheduler_time here;
  // acquire pairs with the release in on_begin_piece
  for (open_piece* next = l.pieces.load(base::acquire); next != nullptr;) {
    open_piece* const piece = std::exchange(next, next->next);
    is_split |= piece->is_taken;
    if (piece != &l.own) std::free(piece);
  }
  std::free(std::exchange(l.entries, nullptr));
  if (is_split) p.joined = p.now = p.of->write_join(l);
  if (l.step != schedule::nothing && !l.is_joined) p.of->void_join(l.step);
  if (watch* a = analysis_of(l)) p.analysis = &a->events->close_loop(analysis_room(room));
  return p;
}

// --- directions --------------------------------------------------------------------------------------------------

namespace {

unsigned pieces_given(const recorded_pieces& all) noexcept {
  unsigned given = 0;
  for (unsigned i = 0; i < all.count(); ++i) given += all.is_owned(i) ? 1 : 0;
  return given;
}

/// Inside tine::sequential nobody gets anything.
void void_given(const recorded_pieces& all) noexcept {
  for (unsigned i = 0; i < all.count(); ++i) {
    if (all.is_owned(i)) all.of.parent.of->void_begin(all.number(i));
  }
}

unsigned pieces_of_outer(open_loop& l, void* room) noexcept {
  const sched::watch_directions* const outer = outer_directions(l);
  if (outer == nullptr) return 0;
  l.is_outer = true;
  return outer->pieces(analysis_room(room));
}

}  // namespace

unsigned pieces_of_loop(void* room) noexcept {
  open_loop& l = loop_in(room);
  if (l.step == schedule::nothing) return pieces_of_outer(l, room);
  const recorded_pieces all{l};
  const unsigned given = pieces_given(all);
  if (given > 0 && sched::is_kept_sequential()) {
    void_given(all);
  } else if (given > 0) {
    const sched::scheduler_time here;
    l.is_given = true;
    l.waiting.emplace(*l.parent.of, given + 1, l);
    l.entries = static_cast<sched::submission*>(std::calloc(all.count(), sizeof(sched::submission)));
  }
  return all.count();
}

std::uint64_t begin_of_piece(void* room, unsigned piece) noexcept {
  const open_loop& l = loop_in(room);
  return l.is_outer ? outer_directions(l)->piece_begin(analysis_room(room), piece) : recorded_pieces{l}.begin(piece);
}

bool is_piece_given(void* room, unsigned piece) noexcept {
  const open_loop& l = loop_in(room);
  if (l.is_outer) return outer_directions(l)->is_piece_given(analysis_room(room), piece);
  return l.is_given && recorded_pieces{l}.is_owned(piece);
}

void give_piece(void* room, unsigned piece, sched::task& t) noexcept {
  open_loop& l = loop_in(room);
  if (l.is_outer) return outer_directions(l)->give_piece(analysis_room(room), piece, t);
  l.waiting->expect(t);
  l.entries[piece].what = &t;
  const sched::scheduler_time here;
  l.parent.of->hand_out(recorded_pieces{l}.number(piece), l.entries[piece]);
}

}  // namespace tine::detail
