// Regions, and the events of their strands: the vertices of every level follow every fork, join and loop.
#include "augment/callers.hpp"
#include "augment/levels.hpp"

#include <tine/augment/augment.hpp>
#include <tine/augment/strand_clock.hpp>
#include <tine/base/assert.hpp>
#include <tine/base/atomic.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tine::detail {
namespace {

using sched::branch_end;
using sched::watch;

/// The head of a piece: a run of iterations on one strand. The nodes of all levels follow it, in the places that the nodes of a
/// left branch have in a room.
struct alignas(16) piece_room {
  piece_room* next;
  std::uint64_t first, n;
  base::ticks seen;  ///< the last time that was read for the piece
  bool taken;
};

struct loop_room : room_head {
  std::uint64_t n;
  sched::site where;
  base::ticks seen;
  base::atomic<piece_room*> pieces;  ///< a list; the piece that began last is first
  base::atomic<unsigned> begun;
};

/// The head of the room of a fork on a strand with several vertices.
struct fork_room : room_head {
  loop_room* halves;  ///< the loop of which the fork is one halving; null if it is a fork of the program
};

static_assert(sizeof(loop_room) + sizeof(piece_room) <= room_head_bytes);

/// Returns the first piece of a loop's room, which lies before the first left node.
piece_room& own_piece(void* room) noexcept {
  return *reinterpret_cast<piece_room*>(static_cast<std::byte*>(room) + room_head_bytes - sizeof(piece_room));
}

node& left_of(void* room, const level& l) noexcept { return *node_at(room, l.left); }
node& right_of(void* room, const level& l) noexcept { return *node_at(room, l.right); }

base::ticks time_for(const node& n) noexcept { return n.of().is_timed ? strand_now() : 0; }
base::ticks time_after_rest(const node& n) noexcept { return n.of().is_timed ? strand_now_after_rest() : 0; }

/// Makes a node like `n` at `where`. `place` says where in `base` the node of the next outer level is.
node& begin_node(node* where, const node& n, void* base, std::uint32_t level::* place) noexcept {
  node* outer = n.outer != nullptr ? node_at(base, n.of().outer->*place) : nullptr;
  return *::new (static_cast<void*>(where)) node{{n.events}, outer};
}

bool sees_forks(const node& n) noexcept { return n.of().kind->loops == sched::watched_loops::as_forks; }

/// The fork is the halving of a loop. Vertices that see a loop get a piece in each branch; the other vertices fork.
watch& halve(node& parent, void* room, loop_room& loop) noexcept {
  const base::ticks t = time_for(parent);
  ::new (room) fork_room{{&parent}, &loop};
  node* around = loop.parent;
  for (node* n = &parent; n != nullptr; n = n->outer, around = around->outer) {
    void* const l = begin_node(&left_of(room, n->of()), *n, room, &level::left).vertex();
    void* const r = begin_node(&right_of(room, n->of()), *n, room, &level::right).vertex();
    const vertex_kind& kind = *n->of().kind;
    if (sees_forks(*n)) {
      kind.fork(n->vertex(), l, r, t, loop.where);
    } else {
      kind.halve(n->vertex(), l, t);
      kind.piece(around->vertex(), r, loop.n, t, loop.where);
      kind.stop(r, t);  // `piece` has started it, but the right half has not begun
    }
  }
  return left_of(room, parent.of());
}

watch& on_fork(watch& at, void* room, sched::site where) noexcept {
  node& parent = static_cast<node&>(at);
  if ((where & sched::of_halving) != 0)
    return halve(parent, room, *reinterpret_cast<loop_room*>(where & ~sched::of_halving));
  const base::ticks t = time_for(parent);
  ::new (room) fork_room{{&parent}, nullptr};
  where = site_with_callers(where);
  for (node* n = &parent; n != nullptr; n = n->outer) {
    node& l = begin_node(&left_of(room, n->of()), *n, room, &level::left);
    node& r = begin_node(&right_of(room, n->of()), *n, room, &level::right);
    n->of().kind->fork(n->vertex(), l.vertex(), r.vertex(), t, where);
  }
  return left_of(room, parent.of());
}

watch& on_turn(void* room) noexcept {
  node& parent = parent_of(room);
  const base::ticks t = time_for(parent);
  for (const node* n = &parent; n != nullptr; n = n->outer) {
    n->of().kind->turn(left_of(room, n->of()).vertex(), right_of(room, n->of()).vertex(), t);
  }
  return right_of(room, parent.of());
}

void stop_all(node& innermost, base::ticks t) noexcept {
  for (node* n = &innermost; n != nullptr; n = n->outer) n->of().kind->stop(n->vertex(), t);
}
void start_all(node& innermost, base::ticks t) noexcept {
  for (node* n = &innermost; n != nullptr; n = n->outer) n->of().kind->start(n->vertex(), t);
}

void on_leave(void* room) noexcept {
  node& left = left_of(room, parent_of(room).of());
  stop_all(left, time_for(left));
}

watch& on_begin(void* room, bool) noexcept {
  node& right = right_of(room, parent_of(room).of());
  start_all(right, time_after_rest(right));
  return right;
}

void on_end(void* room) noexcept {
  node& right = right_of(room, parent_of(room).of());
  stop_all(right, time_for(right));
}

void* on_room_of_first(watch& first) noexcept {
  node& left = static_cast<node&>(first);
  return reinterpret_cast<std::byte*>(&left) - left.of().left;
}

watch& on_join(void* room, branch_end how, bool here) noexcept {
  node& parent = parent_of(room);
  const base::ticks t = time_for(parent);
  if (here) stop_all(right_of(room, parent.of()), t);
  const bool is_halving = static_cast<fork_room*>(room)->halves != nullptr;
  for (node* n = &parent; n != nullptr; n = n->outer) {
    void *const l = left_of(room, n->of()).vertex(), *const r = right_of(room, n->of()).vertex();
    if (is_halving && !sees_forks(*n)) {
      n->of().kind->join_halves(n->vertex(), l, r, t, how, here || how == branch_end::stolen);
    } else {
      n->of().kind->join(n->vertex(), l, r, t, how);
    }
  }
  return parent;
}

// --- loops -------------------------------------------------------------------------------------------------------

void on_open_loop(watch& at, void* room, std::uint64_t n, sched::site where) noexcept {
  node& parent = static_cast<node&>(at);
  const base::ticks t = time_for(parent);
  ::new (room) loop_room{{&parent}, n, site_with_callers(where), t, nullptr, 0};
  stop_all(parent, t);
}

piece_room& new_piece(loop_room& loop, void* room) noexcept {
  // relaxed: only the count matters
  if (loop.begun.fetch_add(1, base::relaxed) == 0) return own_piece(room);
  const sched::scheduler_time here;
  void* where = std::aligned_alloc(16, (sizeof(piece_room) + loop.parent->events->room_bytes + 15) / 16 * 16);
  if (where == nullptr) base::fatal("no memory is left to watch a loop.");
  return *static_cast<piece_room*>(where);
}

/// Returns the address to which the places of the levels are added to find the nodes of a piece.
void* base_of(piece_room& p) noexcept { return reinterpret_cast<std::byte*>(&p + 1) - room_head_bytes; }

piece_room& piece_of(node& innermost) noexcept {
  return *reinterpret_cast<piece_room*>(reinterpret_cast<std::byte*>(&innermost) - innermost.of().left +
                                        room_head_bytes - sizeof(piece_room));
}

watch& on_begin_piece(void* room, std::uint64_t first, bool taken) noexcept {
  loop_room& loop = *static_cast<loop_room*>(room);
  node& parent = *loop.parent;
  piece_room* p = &new_piece(loop, room);
  const bool at_once = first == 0 && !taken;
  const base::ticks t = at_once ? loop.seen : taken ? time_after_rest(parent) : time_for(parent);
  ::new (static_cast<void*>(p)) piece_room{nullptr, first, loop.n, t, taken};
  void* base = base_of(*p);
  for (node* n = &parent; n != nullptr; n = n->outer) {
    node& v = begin_node(&left_of(base, n->of()), *n, base, &level::left);
    n->of().kind->piece(n->vertex(), v.vertex(), loop.n, t, loop.where);
  }
  // release pairs with the acquire in on_close_loop, though the loop's own join already orders these accesses
  p->next = loop.pieces.load(base::relaxed);
  while (!loop.pieces.compare_exchange_weak(p->next, p, base::release, base::relaxed)) {
  }
  return left_of(base, parent.of());
}

void on_iteration(watch& piece, std::uint64_t i) noexcept {
  node& innermost = static_cast<node&>(piece);
  const std::uint64_t count = piece_of(innermost).n;
  for (node* n = &innermost; n != nullptr; n = n->outer) n->of().kind->iteration(n->vertex(), i, count);
}

void on_chunk(watch& piece, std::uint64_t iterations) noexcept {
  node& innermost = static_cast<node&>(piece);
  const base::ticks t = time_for(innermost);
  piece_of(innermost).seen = t;
  for (node* n = &innermost; n != nullptr; n = n->outer) n->of().kind->chunk(n->vertex(), iterations, t);
}

void on_end_piece(watch& piece) noexcept {
  node& innermost = static_cast<node&>(piece);
  const base::ticks t = time_for(innermost);  // later than the last chunk's time if an exception ends the piece
  piece_of(innermost).seen = t;
  stop_all(innermost, t);
}

/// Merges two lists that are in the order of the iterations into one list in this order.
piece_room* merged(piece_room* a, piece_room* b) noexcept {
  piece_room* first = nullptr;
  piece_room** end = &first;
  while (a != nullptr && b != nullptr) {
    piece_room*& next = b->first < a->first ? b : a;
    *end = std::exchange(next, next->next);
    end = &(*end)->next;
  }
  *end = a != nullptr ? a : b;
  return first;
}

/// Sorts the pieces in the order of the iterations. It is a merge sort, because an eager pool cuts a loop into as many pieces as
/// the loop has iterations. `runs[i]` is empty or has 2^i pieces.
piece_room* sorted(piece_room* list) noexcept {
  std::array<piece_room*, 64> runs{};
  while (list != nullptr) {
    piece_room* run = std::exchange(list, list->next);
    run->next = nullptr;
    std::size_t i = 0;
    for (; runs[i] != nullptr; ++i) run = merged(std::exchange(runs[i], nullptr), run);
    runs[i] = run;
  }
  piece_room* all = nullptr;
  for (piece_room* const run : runs) all = merged(run, all);
  return all;
}

void append_all(node& parent, piece_room& first) noexcept {
  for (piece_room* p = first.next; p != nullptr; p = p->next) {
    for (node* n = &parent; n != nullptr; n = n->outer) {
      n->of().kind->append(left_of(base_of(first), n->of()).vertex(), left_of(base_of(*p), n->of()).vertex(),
                           p->taken ? branch_end::stolen : branch_end::unstolen);
    }
  }
}

void release_others(void* room, piece_room* list) noexcept {
  const sched::scheduler_time here;
  while (list != nullptr) {
    piece_room* p = std::exchange(list, list->next);
    if (p != &own_piece(room)) std::free(p);
  }
}

watch& on_close_loop(void* room) noexcept {
  loop_room& loop = *static_cast<loop_room*>(room);
  node& parent = *loop.parent;
  // acquire pairs with the release in on_begin_piece
  piece_room* all = sorted(loop.pieces.load(base::acquire));
  const bool alone = all != nullptr && all->next == nullptr && !all->taken;
  const base::ticks t = alone ? all->seen : time_for(parent);
  if (all == nullptr) {  // an exception came before the first iteration
    start_all(parent, t);
    return parent;
  }
  append_all(parent, *all);
  for (node* n = &parent; n != nullptr; n = n->outer) {
    n->of().kind->join_loop(n->vertex(), left_of(base_of(*all), n->of()).vertex(), t);
  }
  release_others(room, all);
  return parent;
}

watch& on_begin_whole(watch& at, void* room, std::uint64_t n, sched::site where) noexcept {
  node& parent = static_cast<node&>(at);
  const base::ticks t = time_for(parent);
  ::new (room) room_head{&parent};
  where = site_with_callers(where);
  for (node* each = &parent; each != nullptr; each = each->outer) {
    const vertex_kind& kind = *each->of().kind;
    kind.stop(each->vertex(), t);
    kind.piece(each->vertex(), begin_node(&left_of(room, each->of()), *each, room, &level::left).vertex(), n, t, where);
  }
  return left_of(room, parent.of());
}

watch& on_end_whole(void* room, std::uint64_t iterations) noexcept {
  node& parent = parent_of(room);
  const base::ticks t = time_for(parent);
  for (node* n = &parent; n != nullptr; n = n->outer) {
    const vertex_kind& kind = *n->of().kind;
    void* piece = left_of(room, n->of()).vertex();
    if (iterations != 0) kind.chunk(piece, iterations, t);
    kind.stop(piece, t);
    kind.join_loop(n->vertex(), piece, t);
  }
  return parent;
}

// --- loops that some vertices see as forks -----------------------------------------------------------------------

/// Begins the strand at the root of the tree. For vertices that see the loop it is a piece of the loop; for the other vertices it
/// is the strand around the loop.
watch& on_open_tree(watch& at, void* room, std::uint64_t n, sched::site where) noexcept {
  node& parent = static_cast<node&>(at);
  const base::ticks t = time_for(parent);
  where = site_with_callers(where);
  ::new (room) loop_room{{&parent}, n, where, t, nullptr, 0};
  stop_all(parent, t);
  for (node* each = &parent; each != nullptr; each = each->outer) {
    void* const v = begin_node(&left_of(room, each->of()), *each, room, &level::left).vertex();
    const vertex_kind& kind = *each->of().kind;
    if (sees_forks(*each)) {
      kind.move_to_tree(each->vertex(), v);
      kind.start(v, t);
    } else {
      kind.piece(each->vertex(), v, n, t, where);
    }
  }
  return left_of(room, parent.of());
}

watch& on_close_tree(void* room) noexcept {
  node& parent = parent_of(room);
  const base::ticks t = time_for(parent);
  stop_all(left_of(room, parent.of()), t);
  for (node* n = &parent; n != nullptr; n = n->outer) {
    void* const v = left_of(room, n->of()).vertex();
    const vertex_kind& kind = *n->of().kind;
    if (sees_forks(*n)) {
      kind.move_from_tree(v, n->vertex());
      kind.start(n->vertex(), t);
    } else {
      kind.join_loop(n->vertex(), v, t);
    }
  }
  return parent;
}

void on_begin_leaf(watch& at, std::uint64_t i, std::uint64_t count) noexcept {
  for (node* n = &static_cast<node&>(at); n != nullptr; n = n->outer) n->of().kind->iteration(n->vertex(), i, count);
}

void on_end_leaf(watch& at) noexcept {
  node& innermost = static_cast<node&>(at);
  const base::ticks t = time_for(innermost);
  for (node* n = &innermost; n != nullptr; n = n->outer) n->of().kind->chunk(n->vertex(), 1, t);
}

void on_pause(watch& at) noexcept {
  node& n = static_cast<node&>(at);
  stop_all(n, time_for(n));
}
void on_go_on(watch& at) noexcept {
  node& n = static_cast<node&>(at);
  start_all(n, time_after_rest(n));
}

constexpr sched::watch_events events_of_several{
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
    .begin_whole = &on_begin_whole,
    .end_whole = &on_end_whole,
    .open_tree = &on_open_tree,
    .close_tree = &on_close_tree,
    .begin_leaf = &on_begin_leaf,
    .end_leaf = &on_end_leaf,
    .pause = &on_pause,
    .go_on = &on_go_on,
    .room_bytes = 0,
    .loops = sched::watched_loops::in_chunks,
};

}  // namespace

namespace {

/// Returns how loops are run for the vertices of both levels.
sched::watched_loops loops_of(sched::watched_loops a, sched::watched_loops b) noexcept {
  using enum sched::watched_loops;
  return a != b && std::max(a, b) >= as_forks ? halved : std::max(a, b);
}

}  // namespace

level level_of(const vertex_kind& kind, const level* outer) noexcept {
  const std::uint32_t node_bytes = sizeof(node) + kind.bytes;
  const std::uint32_t left = outer != nullptr ? outer->room_bytes : room_head_bytes;
  level l{events_of_several, &kind, outer, left, left + node_bytes, kind.is_timed};
  l.room_bytes = left + 2 * node_bytes;
  l.loops = kind.loops;
  if (outer != nullptr) {
    l.is_timed = l.is_timed || outer->is_timed;
    l.loops = loops_of(l.loops, outer->loops);
  } else {
    l.fork = kind.alone->fork;
    l.turn = kind.alone->turn;
    l.join = kind.alone->join;
    l.begin_whole = kind.alone->begin_whole;
    l.end_whole = kind.alone->end_whole;
    l.brief_loop_clock = kind.alone->counts_brief_loops ? &settled_strand_now : nullptr;
  }
  return l;
}

void place_node(node& n, const level& l, node* outer) noexcept { ::new (static_cast<void*>(&n)) node{{&l}, outer}; }

region::region(const vertex_kind& kind, node& n) noexcept
    : level_{level_of(kind, node::current() != nullptr ? &node::current()->of() : nullptr)}, node_{n} {
  node* outer = node::current();
  place_node(n, level_, outer);
  kind.start(n.vertex(), level_.is_timed ? strand_now_after_rest() : 0);
  sched::set_analysis(&n);
}

region::~region() {
  node_.of().kind->stop(node_.vertex(), time_for(node_));
  sched::set_analysis(node_.outer);
}

void* find_vertex(const vertex_kind& kind) noexcept {
  for (node* n = node::current(); n != nullptr; n = n->outer) {
    if (n->of().kind == &kind) return n->vertex();
  }
  return nullptr;
}

}  // namespace tine::detail
