// Loops of a region: each run of iterations on one strand has a cursor of its own. The strands of a loop call these
// functions at once; they share the list of pieces.
#include "replay/session.hpp"
#include "sched/scheduler_time.hpp"
#include "sched/worker.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/sched/scope.hpp>

#include <cstdlib>
#include <span>
#include <utility>

namespace tine::detail {

namespace {

__extension__ using wide = unsigned __int128;

loop_node& loop_in(void* storage) noexcept { return *static_cast<loop_node*>(storage); }

/// Ends the program if the allocation failed, because a loop has no way to report that.
template <class T>
T* not_null(T* allocated) noexcept {
  if (allocated == nullptr) base::fatal("no memory is left to follow a loop.");
  return allocated;
}

piece_node& new_piece(loop_node& l) noexcept {
  // relaxed: only the first exchange matters
  if (!l.has_begun.exchange(true, base::relaxed)) return l.own;
  const sched::scheduler_time here;
  return *not_null(static_cast<piece_node*>(std::malloc(sizeof(piece_node))));
}

sched::submission* new_entries(unsigned pieces) noexcept {
  return not_null(static_cast<sched::submission*>(std::calloc(pieces, sizeof(sched::submission))));
}

/// Returns the iteration at which a piece of the recorded loop begins in this loop. If the lengths differ, it is
/// scaled.
std::uint64_t scaled(const loop_node& l, std::uint64_t begin) noexcept {
  const std::uint64_t recorded = l.of().followed().step(l.step).count;
  if (recorded == l.count) return begin;
  return static_cast<std::uint64_t>(static_cast<wide>(begin) * l.count / recorded);
}

/// The loop's pieces in the schedule. The first piece begins at 0; the schedule may leave it out.
struct recorded_pieces {
  explicit recorded_pieces(const loop_node& l) noexcept
      : of{l},
        in{l.of().followed()},
        step{in.step(l.step)},
        left_out{in.piece(step.first_piece).begin == 0 ? 0U : 1U} {}

  unsigned count() const noexcept { return step.pieces + left_out; }
  /// Returns the piece's index in the schedule; `schedule::nothing` if it is left out.
  std::uint32_t number(unsigned piece) const noexcept {
    return piece < left_out ? schedule::nothing : step.first_piece + piece - left_out;
  }
  bool is_owned(unsigned piece) const noexcept {
    return number(piece) != schedule::nothing && in.is_owned(number(piece));
  }
  std::uint64_t begin(unsigned piece) const noexcept {
    return number(piece) == schedule::nothing ? 0 : scaled(of, in.piece(number(piece)).begin);
  }
  /// Returns the node of the piece that begins at iteration `where`.
  std::uint32_t node_at(std::uint64_t where) const noexcept {
    unsigned first = left_out, behind = count();  // the piece is in this range, if there is one
    while (behind - first > 1) {
      const unsigned middle = first + (behind - first) / 2;
      (begin(middle) <= where ? first : behind) = middle;
    }
    return first != behind && begin(first) == where ? in.piece(number(first)).node : schedule::nothing;
  }
  int owner(unsigned piece) const noexcept { return in.piece(number(piece)).run.owner; }
  void place(unsigned piece, sched::submission& s) const noexcept { of.of().submit_scheduled(number(piece), s); }
  void skip_placed() const noexcept {
    for (unsigned i = 0; i < count(); ++i) {
      if (is_owned(i)) in.skip_begin(number(i));
    }
  }

  const loop_node& of;
  followed_schedule& in;
  const schedule::step& step;
  const unsigned left_out;
};

/// The loop's pieces by the partition of the program, or of the perturbation; it has the functions of recorded_pieces.
/// If the piece at the start of the loop is for the running worker, it is not placed.
struct hinted_pieces {
  explicit hinted_pieces(const loop_node& l) noexcept
      : of{l}, partition{l.wanted}, left_out{partition.front().begin == 0 ? 0U : 1U} {}

  unsigned count() const noexcept { return static_cast<unsigned>(partition.size()) + left_out; }
  const placed_subrange& at(unsigned piece) const noexcept { return partition[piece - left_out]; }
  bool is_owned(unsigned piece) const noexcept {
    if (piece < left_out || at(piece).worker < 0) return false;
    return at(piece).begin != 0 || &session::member(at(piece).worker) != of.origin;
  }
  std::uint64_t begin(unsigned piece) const noexcept { return piece < left_out ? 0 : at(piece).begin; }
  int owner(unsigned piece) const noexcept { return at(piece).worker; }
  void place(unsigned piece, sched::submission& s) const noexcept {
    of.of().submit_hinted(s, session::member(at(piece).worker));
  }
  static void skip_placed() noexcept {}

  const loop_node& of;
  const std::span<const placed_subrange> partition;
  const unsigned left_out;
};

bool is_in_schedule(const loop_node& l) noexcept { return l.step != schedule::nothing; }

}  // namespace

namespace {

/// Makes the nodes of a loop of strand `s` at `p`, in all regions.
loop_node& make_nodes(void* storage, sched::region_strand& s, sched::position& p, std::uint64_t n) noexcept {
  loop_node& l = *::new (storage) loop_node{s, p, n};
  if (s.outer == nullptr) return l;
  l.outer = &make_nodes(static_cast<std::byte*>(storage) + node_bytes, *s.outer, *as_cursor(p)->outer, n);
  pass_hint_on(l);
  return l;
}

/// Makes the piece that begins at iteration `first`, in all regions.
piece_node& make_pieces(loop_node& l, std::uint64_t first, bool on_other_strand) noexcept {
  // after placed iterations it is another strand, even if it is on the same worker
  const bool is_taken = on_other_strand || first != l.own_end;
  piece_node& p =
      *::new (static_cast<void*>(&new_piece(l))) piece_node{cursor_in(l, first), nullptr, nullptr, is_taken, {}};
  sched::region_strand& strand = on_other_strand ? p.other : l.strand;
  if (on_other_strand) p.other = {&l.of(), nullptr, nullptr, any_worker, nullptr};
  if (is_taken) strand.now = l.of().write_piece(l, first);
  if (is_in_schedule(l)) l.of().followed().assign(p, recorded_pieces{l}.node_at(first));
  // release pairs with the acquire in close_node, though the loop's own join already orders these accesses
  p.next = l.pieces.load(base::relaxed);
  while (!l.pieces.compare_exchange_weak(p.next, &p, base::release, base::relaxed)) {
  }
  if (l.outer == nullptr) return p;
  piece_node& around = make_pieces(*outer_of(l), first, on_other_strand);
  p.outer_piece = &around;
  p.outer = &around;
  p.other.outer = &around.other;
  return p;
}

void end_pieces(piece_node& p, std::uint64_t iterations, base::ticks now) noexcept {
  loop_node& l = static_cast<loop_node&>(*p.above);
  l.of().followed().finish(p);
  (p.other.in != nullptr ? p.other : l.strand).now->end_at(now);
  if (!p.is_taken) l.own_end = p.begin + iterations;
  if (p.outer_piece != nullptr) end_pieces(*p.outer_piece, iterations, now);
}

void close_node(loop_node& l) noexcept {
  bool is_split = false;
  // acquire pairs with the release in make_pieces
  for (piece_node* next = l.pieces.load(base::acquire); next != nullptr;) {
    piece_node* const piece = std::exchange(next, next->next);
    is_split |= piece->is_taken;
    if (piece != &l.own) std::free(piece);
  }
  std::free(std::exchange(l.entries, nullptr));
  if (is_split) l.strand.now = l.of().write_join(l);
  l.of().followed().close(l);
  if (l.outer != nullptr) close_node(*outer_of(l));
}

}  // namespace

sched::position& session::begin_subrange(void* storage, std::uint64_t first, bool on_other_strand) noexcept {
  piece_node& p = make_pieces(loop_in(storage), first, on_other_strand);
  on_other_strand ? sched::enter_region(p.other, p) : sched::set_position(p);
  return p;
}

void session::end_subrange(sched::position& piece, std::uint64_t iterations) noexcept {
  end_pieces(static_cast<piece_node&>(*as_cursor(piece)), iterations, base::now());
}

void session::close_loop(void* storage) noexcept {
  const sched::scheduler_time here;
  loop_node& l = loop_in(storage);
  close_node(l);
  sched::resume_strand(l.strand, l.parent);
}

// --- placed pieces -----------------------------------------------------------------------------------------------

namespace {

template <class Pieces>
unsigned count_placed(const Pieces& all) noexcept {
  unsigned given = 0;
  for (unsigned i = 0; i < all.count(); ++i) given += all.is_owned(i) ? 1 : 0;
  return given;
}

/// Returns the number of pieces, and prepares submissions if some are placed. None are placed if the strand must keep
/// its thread.
template <class Pieces>
unsigned pieces_of(const Pieces& all, loop_node& l) noexcept {
  const unsigned given = count_placed(all);
  if (given > 0 && sched::must_keep_thread()) {
    all.skip_placed();
  } else if (given > 0) {
    const sched::scheduler_time here;
    l.is_placed = true;
    l.waiting.emplace(l.of(), given + 1, l);
    l.entries = new_entries(all.count());
  }
  return all.count();
}

/// Asks `question` about the loop's pieces: those of the schedule, or else those of the program.
template <class Question>
auto ask_pieces(const loop_node& l, Question question) noexcept {
  return is_in_schedule(l) ? question(recorded_pieces{l}) : question(hinted_pieces{l});
}

/// Decides in how many pieces the loop runs, and which region places them.
unsigned pieces_by_region(loop_node& l) noexcept {
  if (is_in_schedule(l)) {
    l.origin = l.of().home();
    return pieces_of(recorded_pieces{l}, l);
  }
  const unsigned outer = l.outer != nullptr ? pieces_by_region(*outer_of(l)) : 0;
  l.is_outer = outer != 0;
  if (!l.is_outer) l.of().chosen().choose(l);
  if (l.is_outer || l.wanted.empty()) return outer;
  l.origin = sched::hot::self();
  return pieces_of(hinted_pieces{l}, l);
}

/// Returns the loop's node in the region that decides on its pieces.
loop_node& deciding(loop_node& l) noexcept { return l.is_outer ? deciding(*outer_of(l)) : l; }

}  // namespace

unsigned session::open_loop(void* storage, std::uint64_t n) noexcept {
  return pieces_by_region(make_nodes(storage, *sched::region_strand::current(), *sched::position::current(), n));
}

sched::region::subrange session::subrange_of(void* storage, unsigned piece) noexcept {
  const loop_node& l = deciding(loop_in(storage));
  return ask_pieces(l, [&](const auto& all) { return subrange{all.begin(piece), l.is_placed && all.is_owned(piece)}; });
}

void session::place_subrange(void* storage, unsigned piece, sched::task& t) noexcept {
  loop_node& l = deciding(loop_in(storage));
  l.waiting->expect(t);
  l.entries[piece].what = sched::of_running_root(&t);
  const sched::scheduler_time here;
  ask_pieces(l, [&](const auto& all) {
    l.of().writer().note_placed(l, all.begin(piece), all.owner(piece));
    all.place(piece, l.entries[piece]);
  });
}

}  // namespace tine::detail
