// Loops of scored strands. Each run of iterations on one strand has a position of its own.
#include "replay/score.hpp"
#include "sched/scheduler_time.hpp"
#include "sched/worker.hpp"

#include <tine/base/assert.hpp>

#include <cstdlib>
#include <span>
#include <utility>

namespace tine::detail {

using sched::observer;

namespace {

__extension__ using wide = unsigned __int128;

scored_loop& loop_in(void* storage) noexcept { return *static_cast<scored_loop*>(storage); }
observer* analysis_of(const scored_loop& l) noexcept { return l.parent.analysis; }

/// Ends the program if the allocation failed, because a loop cannot report a lack of memory.
template <class T>
T* not_null(T* allocated) noexcept {
  if (allocated == nullptr) base::fatal("no memory is left to follow a loop.");
  return allocated;
}

scored_piece& new_piece(scored_loop& l) noexcept {
  // relaxed: only the first exchange matters
  if (!l.has_begun.exchange(true, base::relaxed)) return l.own;
  const sched::scheduler_time here;
  return *not_null(static_cast<scored_piece*>(std::malloc(sizeof(scored_piece))));
}

sched::submission* new_entries(unsigned pieces) noexcept {
  return not_null(static_cast<sched::submission*>(std::calloc(pieces, sizeof(sched::submission))));
}

/// Returns the iteration of this loop at which a piece of the recorded loop begins; in proportion if the recorded loop had another
/// length.
std::uint64_t scaled(const scored_loop& l, std::uint64_t begin) noexcept {
  const std::uint64_t recorded = l.parent.of->step(l.step).count;
  if (recorded == l.count) return begin;
  return static_cast<std::uint64_t>(static_cast<wide>(begin) * l.count / recorded);
}

/// The pieces of a loop in the schedule. The first piece begins at 0; the schedule may leave it out.
struct recorded_pieces {
  explicit recorded_pieces(const scored_loop& l) noexcept
      : of{l}, step{l.parent.of->step(l.step)}, left_out{of.parent.of->piece(step.first_piece).begin == 0 ? 0U : 1U} {}

  unsigned count() const noexcept { return step.pieces + left_out; }
  /// Returns the schedule's index of the piece; `schedule::nothing` if the piece is left out.
  std::uint32_t number(unsigned piece) const noexcept {
    return piece < left_out ? schedule::nothing : step.first_piece + piece - left_out;
  }
  bool is_owned(unsigned piece) const noexcept {
    return number(piece) != schedule::nothing && of.parent.of->is_owned(number(piece));
  }
  std::uint64_t begin(unsigned piece) const noexcept {
    return number(piece) == schedule::nothing ? 0 : scaled(of, of.parent.of->piece(number(piece)).begin);
  }
  /// Returns the node of the piece that begins at iteration `where`.
  std::uint32_t node_at(std::uint64_t where) const noexcept {
    unsigned first = left_out, behind = count();  // the piece is in this range, if there is one
    while (behind - first > 1) {
      const unsigned middle = first + (behind - first) / 2;
      (begin(middle) <= where ? first : behind) = middle;
    }
    return first != behind && begin(first) == where ? of.parent.of->piece(number(first)).node : schedule::nothing;
  }
  void place(unsigned piece, sched::submission& s) const noexcept { of.parent.of->hand_out(number(piece), s); }
  void void_placed() const noexcept {
    for (unsigned i = 0; i < count(); ++i) {
      if (is_owned(i)) of.parent.of->void_begin(number(i));
    }
  }

  const scored_loop& of;
  const schedule::step& step;
  const unsigned left_out;
};

/// The pieces of a loop that the program wants, with the same functions. A piece at the begin of the loop is not placed if it is
/// for the running worker.
struct wanted_pieces {
  explicit wanted_pieces(const scored_loop& l) noexcept
      : of{l}, cuts{l.wanted->cuts()}, left_out{cuts.front().begin == 0 ? 0U : 1U} {}

  unsigned count() const noexcept { return static_cast<unsigned>(cuts.size()) + left_out; }
  const cut& at(unsigned piece) const noexcept { return cuts[piece - left_out]; }
  bool is_owned(unsigned piece) const noexcept {
    if (piece < left_out || at(piece).owner < 0) return false;
    return at(piece).begin != 0 || &score::member(at(piece).owner) != of.origin;
  }
  std::uint64_t begin(unsigned piece) const noexcept { return piece < left_out ? 0 : at(piece).begin; }
  void place(unsigned piece, sched::submission& s) const noexcept {
    of.parent.of->send(s, score::member(at(piece).owner));
  }
  static void void_placed() noexcept {}

  const scored_loop& of;
  const std::span<const cut> cuts;
  const unsigned left_out;
};

bool is_in_schedule(const scored_loop& l) noexcept { return l.step != schedule::nothing; }

}  // namespace

void on_open_loop(observer& at, void* storage, std::uint64_t n, sched::site where) noexcept {
  position& p = static_cast<position&>(at);
  ::new (storage) scored_loop{p, n};
  if (p.analysis != nullptr) p.analysis->events->open_loop(*p.analysis, analysis_storage(storage), n, where);
}

observer& on_begin_piece(void* storage, std::uint64_t first, bool on_other) noexcept {
  scored_loop& l = loop_in(storage);
  // after iterations that were placed it is another strand, though it may be on the same worker
  const bool taken = on_other || first != l.own_end;
  scored_piece& p = new_piece(l);
  written_segment* const now = taken ? l.parent.of->write_piece(l, first) : l.parent.now;
  ::new (static_cast<void*>(&p)) scored_piece{position_in(l.parent, l, first, now), nullptr, 0, taken};
  if (is_in_schedule(l)) l.parent.of->lead(p, recorded_pieces{l}.node_at(first));
  // release pairs with the acquire in on_close_loop, though the loop's own join already orders these accesses
  p.next = l.pieces.load(base::relaxed);
  while (!l.pieces.compare_exchange_weak(p.next, &p, base::release, base::relaxed)) {
  }
  if (observer* a = analysis_of(l)) p.analysis = &a->events->begin_subrange(analysis_storage(storage), first, on_other);
  return p;
}

void on_iteration(observer& piece, std::uint64_t i) noexcept {
  observer* const a = static_cast<position&>(piece).analysis;
  if (a != nullptr) a->events->iteration(*a, i);
}

void on_chunk(observer& piece, std::uint64_t iterations) noexcept {
  scored_piece& p = static_cast<scored_piece&>(piece);
  p.done += iterations;
  if (p.analysis != nullptr) p.analysis->events->chunk(*p.analysis, iterations);
}

void on_end_piece(observer& piece) noexcept {
  scored_piece& p = static_cast<scored_piece&>(piece);
  p.of->close(p);
  p.now->end = base::now();
  if (!p.is_taken) {
    p.above->parent.now = p.now;
    static_cast<scored_loop*>(p.above)->own_end = p.begin + p.done;
  }
  if (p.analysis != nullptr) p.analysis->events->end_subrange(*p.analysis);
}

observer& on_close_loop(void* storage) noexcept {
  scored_loop& l = loop_in(storage);
  position& p = l.parent;
  bool is_split = false;
  const sched::scheduler_time here;
  // acquire pairs with the release in on_begin_piece
  for (scored_piece* next = l.pieces.load(base::acquire); next != nullptr;) {
    scored_piece* const piece = std::exchange(next, next->next);
    is_split |= piece->is_taken;
    if (piece != &l.own) std::free(piece);
  }
  std::free(std::exchange(l.entries, nullptr));
  if (is_split) p.joined = p.now = p.of->write_join(l);
  if (l.step != schedule::nothing && !l.is_joined) p.of->void_join(l.step);
  if (observer* a = analysis_of(l)) p.analysis = &a->events->close_loop(analysis_storage(storage));
  return p;
}

// A loop is halved only for an analysis. A schedule records the halvings as forks.

observer& on_open_tree(observer& at, void* storage, std::uint64_t n, sched::site where) noexcept {
  position& p = static_cast<position&>(at);
  ::new (storage) position* {&p};
  p.analysis = &p.analysis->events->open_tree(*p.analysis, analysis_storage(storage), n, where);
  return p;
}

observer& on_close_tree(void* storage) noexcept {
  position& p = **static_cast<position**>(storage);
  p.analysis = &p.analysis->events->close_tree(analysis_storage(storage));
  return p;
}

void on_begin_leaf(observer& at, std::uint64_t i, std::uint64_t n) noexcept {
  observer& a = *static_cast<position&>(at).analysis;
  a.events->begin_leaf(a, i, n);
}

void on_end_leaf(observer& at) noexcept {
  observer& a = *static_cast<position&>(at).analysis;
  a.events->end_leaf(a);
}

// --- placer --------------------------------------------------------------------------------------------------

namespace {

template <class Pieces>
unsigned count_placed(const Pieces& all) noexcept {
  unsigned given = 0;
  for (unsigned i = 0; i < all.count(); ++i) given += all.is_owned(i) ? 1 : 0;
  return given;
}

/// Returns the number of pieces, and prepares the submissions if some are placed. Inside tine::sequential no piece is placed.
template <class Pieces>
unsigned pieces_of(const Pieces& all, scored_loop& l) noexcept {
  const unsigned given = count_placed(all);
  if (given > 0 && sched::is_kept_sequential()) {
    all.void_placed();
  } else if (given > 0) {
    const sched::scheduler_time here;
    l.is_placed = true;
    l.waiting.emplace(*l.parent.of, given + 1, l);
    l.entries = new_entries(all.count());
  }
  return all.count();
}

unsigned pieces_of_outer(scored_loop& l, void* storage) noexcept {
  const sched::placer_hooks* const outer = outer_placer(l);
  const unsigned pieces = outer != nullptr ? outer->subranges(analysis_storage(storage)) : 0;
  l.is_outer = pieces != 0;
  return pieces;
}

/// Returns `question` of the pieces of the loop, which are those of the schedule or those of the program.
template <class Question>
auto ask_pieces(const scored_loop& l, Question question) noexcept {
  return is_in_schedule(l) ? question(recorded_pieces{l}) : question(wanted_pieces{l});
}

}  // namespace

unsigned pieces_of_loop(void* storage) noexcept {
  scored_loop& l = loop_in(storage);
  if (is_in_schedule(l)) return pieces_of(recorded_pieces{l}, l);
  const unsigned outer = pieces_of_outer(l, storage);
  if (outer != 0 || l.wanted == nullptr) return outer;
  l.origin = sched::hot::self();
  return pieces_of(wanted_pieces{l}, l);
}

std::uint64_t begin_of_piece(void* storage, unsigned piece) noexcept {
  const scored_loop& l = loop_in(storage);
  if (l.is_outer) return outer_placer(l)->subrange_begin(analysis_storage(storage), piece);
  return ask_pieces(l, [piece](const auto& all) { return all.begin(piece); });
}

bool is_subrange_placed(void* storage, unsigned piece) noexcept {
  const scored_loop& l = loop_in(storage);
  if (l.is_outer) return outer_placer(l)->is_subrange_placed(analysis_storage(storage), piece);
  return l.is_placed && ask_pieces(l, [piece](const auto& all) { return all.is_owned(piece); });
}

void place_subrange(void* storage, unsigned piece, sched::task& t) noexcept {
  scored_loop& l = loop_in(storage);
  if (l.is_outer) return outer_placer(l)->place_subrange(analysis_storage(storage), piece, t);
  l.waiting->expect(t);
  l.entries[piece].what = sched::of_running_root(&t);
  const sched::scheduler_time here;
  ask_pieces(l, [&](const auto& all) { all.place(piece, l.entries[piece]); });
}

}  // namespace tine::detail
