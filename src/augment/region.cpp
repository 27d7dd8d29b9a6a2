// Regions, and the events of their strands: the vertices of every level follow every fork, join and loop.
#include "augment/callers.hpp"
#include "augment/levels.hpp"
#include "augment/timeline.hpp"
#include "sched/skipped_stretch.hpp"

#include <tine/augment/augment.hpp>
#include <tine/detail/augment/strand_clock.hpp>
#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/object_at.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tine::detail {
namespace {

using sched::branch_end;
using sched::loop_form;
using sched::observer;

/// The head of a subrange: a run of iterations on one strand. The vertex nodes of all levels follow it, at the offsets
/// that the vertex nodes of a left branch have in a fork's storage.
struct alignas(16) subrange_storage {
  subrange_storage* next;
  std::uint64_t first;
  base::ticks seen;  ///< the last time that was read for the subrange
  bool on_other_strand;
};

struct loop_storage : storage_head {
  std::uint64_t n;
  base::ticks seen;
  base::atomic<subrange_storage*> subranges;  ///< a list; the subrange that began last is first
  base::atomic<unsigned> begun;
};

/// The head of the storage of a fork on a strand with several vertices.
struct fork_storage : storage_head {
  loop_storage* halves;  ///< the loop of which the fork is one halving; null if it is a fork of the program
};

static_assert(sizeof(loop_storage) + sizeof(subrange_storage) <= storage_head_bytes);

/// Returns the first subrange of a loop's storage, which lies before the first left vertex node.
subrange_storage& own_subrange(void* storage) noexcept {
  return *base::object_at<subrange_storage>(static_cast<std::byte*>(storage) + storage_head_bytes -
                                            sizeof(subrange_storage));
}

vertex_node& left_of(void* storage, const level& l) noexcept { return *node_at(storage, l.first_at); }
vertex_node& right_of(void* storage, const level& l) noexcept { return *node_at(storage, l.right); }

base::ticks time_for(const vertex_node& n) noexcept { return n.of().is_timed ? strand_now() : 0; }
base::ticks time_after_rest(const vertex_node& n) noexcept { return n.of().is_timed ? strand_now_after_rest() : 0; }

/// Makes a vertex node like `n` at `where`, in the construct `in`. `offset` is the member that holds the offset of the
/// next outer level's vertex node from `base`.
vertex_node& begin_node(vertex_node* where, const vertex_node& n, const storage_head* in, void* base,
                        std::uint32_t level::* offset) noexcept {
  vertex_node* outer = n.outer != nullptr ? node_at(base, n.of().outer->*offset) : nullptr;
  return *::new (static_cast<void*>(where)) vertex_node{{n.events}, outer, in};
}

bool sees_forks(const vertex_node& n) noexcept { return n.of().kind->loops == sched::loop_mode::as_forks; }

/// The fork is the halving of a loop. Vertices that see a loop get a subrange in each branch; the other vertices fork.
observer& halve(vertex_node& parent, void* storage, loop_storage& loop) noexcept {
  const base::ticks t = time_for(parent);
  const storage_head* const in = ::new (storage) fork_storage{{&parent, loop.where}, &loop};
  vertex_node* around = loop.parent;
  for (vertex_node* n = &parent; n != nullptr; n = n->outer, around = around->outer) {
    void* const l = begin_node(&left_of(storage, n->of()), *n, in, storage, &level::first_at).vertex();
    void* const r = begin_node(&right_of(storage, n->of()), *n, in, storage, &level::right).vertex();
    const vertex_kind& kind = *n->of().kind;
    if (sees_forks(*n)) {
      kind.fork(n->vertex(), l, r, t, loop.where);
    } else {
      kind.halve(n->vertex(), l, t);
      kind.subrange(around->vertex(), r, loop.n, t, loop.where);
      kind.stop(r, t);  // `subrange` has started it, but the right half has not begun
    }
  }
  return left_of(storage, parent.of());
}

observer& on_fork(observer& at, void* storage, sched::site where) noexcept {
  vertex_node& parent = static_cast<vertex_node&>(at);
  if ((where & sched::of_halving) != 0)
    return halve(parent, storage, *base::from_word<loop_storage>(where & ~sched::of_halving));
  const base::ticks t = time_for(parent);
  where = site_with_callers(where, parent.site_around());
  const storage_head* const in = ::new (storage) fork_storage{{&parent, where}, nullptr};
  for (vertex_node* n = &parent; n != nullptr; n = n->outer) {
    vertex_node& l = begin_node(&left_of(storage, n->of()), *n, in, storage, &level::first_at);
    vertex_node& r = begin_node(&right_of(storage, n->of()), *n, in, storage, &level::right);
    n->of().kind->fork(n->vertex(), l.vertex(), r.vertex(), t, where);
  }
  return left_of(storage, parent.of());
}

observer& on_first_done(void* storage) noexcept {
  vertex_node& parent = parent_of(storage);
  const base::ticks t = time_for(parent);
  for (const vertex_node* n = &parent; n != nullptr; n = n->outer) {
    n->of().kind->first_done(left_of(storage, n->of()).vertex(), right_of(storage, n->of()).vertex(), t);
  }
  return right_of(storage, parent.of());
}

void stop_all(vertex_node& innermost, base::ticks t) noexcept {
  for (vertex_node* n = &innermost; n != nullptr; n = n->outer) n->of().kind->stop(n->vertex(), t);
}
void start_all(vertex_node& innermost, base::ticks t) noexcept {
  for (vertex_node* n = &innermost; n != nullptr; n = n->outer) n->of().kind->start(n->vertex(), t);
}

observer& on_begin(void* storage, bool on_other_strand) noexcept {
  vertex_node& right = right_of(storage, parent_of(storage).of());
  if (on_other_strand) timeline::note_strand(base::object_at<storage_head>(storage)->where);
  start_all(right, time_after_rest(right));
  return right;
}

void on_stop(observer& at) noexcept {
  vertex_node& innermost = static_cast<vertex_node&>(at);
  stop_all(innermost, time_for(innermost));
}

observer& on_join(void* storage, branch_end how, bool here) noexcept {
  vertex_node& parent = parent_of(storage);
  const base::ticks t = time_for(parent);
  if (here) stop_all(right_of(storage, parent.of()), t);
  const bool is_halving = base::object_at<fork_storage>(storage)->halves != nullptr;
  for (vertex_node* n = &parent; n != nullptr; n = n->outer) {
    void *const l = left_of(storage, n->of()).vertex(), *const r = right_of(storage, n->of()).vertex();
    if (is_halving && !sees_forks(*n)) {
      n->of().kind->join_halves(n->vertex(), l, r, t, how, here || how == branch_end::stolen);
    } else {
      n->of().kind->join(n->vertex(), l, r, t, how);
    }
  }
  return parent;
}

// --- loops -------------------------------------------------------------------------------------------------------

/// The strand continues in the place of a left branch, unless the loop is split: in the only subrange of an unsplit
/// loop, or at the root of the tree. For vertices that see forks, that root is the strand around the loop.
observer& on_open_loop(observer& at, void* storage, loop_form form, std::uint64_t n, sched::site where) noexcept {
  vertex_node& parent = static_cast<vertex_node&>(at);
  const base::ticks t = time_for(parent);
  where = site_with_callers(where, parent.site_around());
  const storage_head* const in = ::new (storage) loop_storage{{&parent, where}, n, t, nullptr, 0};
  stop_all(parent, t);
  if (form == loop_form::split) return parent;
  for (vertex_node* each = &parent; each != nullptr; each = each->outer) {
    void* const v = begin_node(&left_of(storage, each->of()), *each, in, storage, &level::first_at).vertex();
    const vertex_kind& kind = *each->of().kind;
    if (sees_forks(*each)) {
      kind.move_to_tree(each->vertex(), v);
      kind.start(v, t);
    } else {
      kind.subrange(each->vertex(), v, n, t, where);
    }
  }
  return left_of(storage, parent.of());
}

subrange_storage& new_subrange(loop_storage& loop, void* storage) noexcept {
  // relaxed: only the count matters
  if (loop.begun.fetch_add(1, base::relaxed) == 0) return own_subrange(storage);
  const sched::scheduler_time here;
  void* where = std::aligned_alloc(16, (sizeof(subrange_storage) + loop.parent->events->storage_bytes + 15) / 16 * 16);
  if (where == nullptr) base::fatal("no memory is left to observe a loop.");
  return *base::object_at<subrange_storage>(where);
}

/// Returns the address to which the offsets of the levels are added to find the vertex nodes of a subrange.
void* base_of(subrange_storage& p) noexcept { return base::bytes_of(p) + sizeof p - storage_head_bytes; }

subrange_storage& subrange_of(vertex_node& innermost) noexcept {
  return *base::object_at<subrange_storage>(base::bytes_of(innermost) - innermost.of().first_at + storage_head_bytes -
                                            sizeof(subrange_storage));
}

observer& on_begin_subrange(void* storage, std::uint64_t first, bool on_other_strand) noexcept {
  loop_storage& loop = *base::object_at<loop_storage>(storage);
  vertex_node& parent = *loop.parent;
  subrange_storage* p = &new_subrange(loop, storage);
  if (on_other_strand) timeline::note_strand(loop.where);
  const bool at_once = first == 0 && !on_other_strand;
  const base::ticks t = at_once ? loop.seen : on_other_strand ? time_after_rest(parent) : time_for(parent);
  ::new (static_cast<void*>(p)) subrange_storage{nullptr, first, t, on_other_strand};
  void* base = base_of(*p);
  for (vertex_node* n = &parent; n != nullptr; n = n->outer) {
    vertex_node& v = begin_node(&left_of(base, n->of()), *n, &loop, base, &level::first_at);
    n->of().kind->subrange(n->vertex(), v.vertex(), loop.n, t, loop.where);
  }
  // release pairs with the acquire in close_split, though the loop's own join already orders these accesses
  p->next = loop.subranges.load(base::relaxed);
  while (!loop.subranges.compare_exchange_weak(p->next, p, base::release, base::relaxed)) {
  }
  return left_of(base, parent.of());
}

void on_iteration(observer& at, std::uint64_t i, std::uint64_t count) noexcept {
  for (vertex_node* n = &static_cast<vertex_node&>(at); n != nullptr; n = n->outer)
    n->of().kind->iteration(n->vertex(), i, count);
}

void on_chunk(observer& at, std::uint64_t iterations) noexcept {
  vertex_node& innermost = static_cast<vertex_node&>(at);
  const base::ticks t = time_for(innermost);
  for (vertex_node* n = &innermost; n != nullptr; n = n->outer) n->of().kind->chunk(n->vertex(), iterations, t);
}

void on_end_subrange(observer& subrange) noexcept {
  vertex_node& innermost = static_cast<vertex_node&>(subrange);
  const base::ticks t = time_for(innermost);  // later than the last chunk's time if an exception ends the subrange
  subrange_of(innermost).seen = t;
  stop_all(innermost, t);
}

/// Merges two lists that are in the order of the iterations into one list in this order.
subrange_storage* merged(subrange_storage* a, subrange_storage* b) noexcept {
  subrange_storage* first = nullptr;
  subrange_storage** end = &first;
  while (a != nullptr && b != nullptr) {
    subrange_storage*& next = b->first < a->first ? b : a;
    *end = std::exchange(next, next->next);
    end = &(*end)->next;
  }
  *end = a != nullptr ? a : b;
  return first;
}

/// Sorts the subranges in the order of the iterations. It is a merge sort, because an eager pool cuts a loop into as
/// many subranges as the loop has iterations. `runs[i]`, for i < `used`, is empty or has 2^i subranges. Most loops have
/// one subrange, and touch one run.
subrange_storage* sorted(subrange_storage* list) noexcept {
  std::array<subrange_storage*, 64> runs;
  std::size_t used = 0;
  while (list != nullptr) {
    subrange_storage* run = std::exchange(list, list->next);
    run->next = nullptr;
    std::size_t i = 0;
    for (; i != used && runs[i] != nullptr; ++i) run = merged(std::exchange(runs[i], nullptr), run);
    runs[i] = run;
    if (i == used) ++used;
  }
  subrange_storage* all = nullptr;
  for (std::size_t i = 0; i != used; ++i) all = all == nullptr ? runs[i] : merged(runs[i], all);
  return all;
}

void append_all(vertex_node& parent, subrange_storage& first) noexcept {
  for (subrange_storage* p = first.next; p != nullptr; p = p->next) {
    for (vertex_node* n = &parent; n != nullptr; n = n->outer) {
      n->of().kind->append(left_of(base_of(first), n->of()).vertex(), left_of(base_of(*p), n->of()).vertex(),
                           p->on_other_strand ? branch_end::stolen : branch_end::reclaimed);
    }
  }
}

void release_others(void* storage, subrange_storage* list) noexcept {
  const sched::scheduler_time here;
  while (list != nullptr) {
    subrange_storage* p = std::exchange(list, list->next);
    if (p != &own_subrange(storage)) std::free(p);
  }
}

observer& close_split(void* storage) noexcept {
  loop_storage& loop = *base::object_at<loop_storage>(storage);
  vertex_node& parent = *loop.parent;
  // acquire pairs with the release in on_begin_subrange
  subrange_storage* all = sorted(loop.subranges.load(base::acquire));
  const bool alone = all != nullptr && all->next == nullptr && !all->on_other_strand;
  const base::ticks t = alone ? all->seen : time_for(parent);
  if (all == nullptr) {  // an exception came before the first iteration
    start_all(parent, t);
    return parent;
  }
  append_all(parent, *all);
  for (vertex_node* n = &parent; n != nullptr; n = n->outer) {
    n->of().kind->join_loop(n->vertex(), left_of(base_of(*all), n->of()).vertex(), t);
  }
  release_others(storage, all);
  return parent;
}

observer& on_close_loop(void* storage, loop_form form, std::uint64_t iterations) noexcept {
  if (form == loop_form::split) return close_split(storage);
  vertex_node& parent = parent_of(storage);
  const base::ticks t = time_for(parent);
  for (vertex_node* n = &parent; n != nullptr; n = n->outer) {
    void* const v = left_of(storage, n->of()).vertex();
    const vertex_kind& kind = *n->of().kind;
    if (iterations != 0) kind.chunk(v, iterations, t);
    kind.stop(v, t);
    if (sees_forks(*n)) {
      kind.move_from_tree(v, n->vertex());
      kind.start(n->vertex(), t);
    } else {
      kind.join_loop(n->vertex(), v, t);
    }
  }
  return parent;
}

// --- strands that move -------------------------------------------------------------------------------------------

void on_pause(observer& at) noexcept {
  vertex_node& innermost = static_cast<vertex_node&>(at);
  const base::ticks t = time_for(innermost);
  for (vertex_node* n = &innermost; n != nullptr; n = n->outer) {
    const vertex_kind& kind = *n->of().kind;
    kind.pause != nullptr ? kind.pause(n->vertex()) : kind.stop(n->vertex(), t);
  }
}
void on_resume(observer& at) noexcept {
  vertex_node& innermost = static_cast<vertex_node&>(at);
  const base::ticks t = time_after_rest(innermost);
  for (vertex_node* n = &innermost; n != nullptr; n = n->outer) {
    const vertex_kind& kind = *n->of().kind;
    kind.resume != nullptr ? kind.resume(n->vertex()) : kind.start(n->vertex(), t);
  }
}

constexpr sched::observer_hooks events_of_several{
    .fork = &on_fork,
    .first_done = &on_first_done,
    .begin = &on_begin,
    .stop = &on_stop,
    .join = &on_join,
    .open_loop = &on_open_loop,
    .close_loop = &on_close_loop,
    .begin_subrange = &on_begin_subrange,
    .end_subrange = &on_end_subrange,
    .iteration = &on_iteration,
    .chunk = &on_chunk,
    .pause = &on_pause,
    .resume = &on_resume,
    .first_at = 0,
    .storage_bytes = 0,
    .loops = sched::loop_mode::in_chunks,
};

}  // namespace

namespace {

/// Returns how loops are run for the vertices of both levels.
sched::loop_mode loops_of(sched::loop_mode a, sched::loop_mode b) noexcept {
  using enum sched::loop_mode;
  return a != b && std::max(a, b) >= as_forks ? halved : std::max(a, b);
}

}  // namespace

level level_of(const vertex_kind& kind, const level* outer) noexcept {
  const std::uint32_t node_bytes = sizeof(vertex_node) + kind.bytes;
  const std::uint32_t left = outer != nullptr ? outer->storage_bytes : storage_head_bytes;
  level l{events_of_several, &kind, outer, &events_of_several, left + node_bytes, kind.is_timed};
  l.first_at = left;
  l.storage_bytes = left + 2 * node_bytes;
  l.loops = kind.loops;
  l.is_unstealable = kind.is_unstealable;
  l.unseparated_loops = kind.unseparated_loops;
  l.has_pieces = kind.has_pieces && (outer == nullptr || outer->has_pieces);
  if (outer != nullptr) {
    l.is_timed = l.is_timed || outer->is_timed;
    l.loops = loops_of(l.loops, outer->loops);
    l.is_unstealable = l.is_unstealable || outer->is_unstealable;
    l.unseparated_loops = std::max(l.unseparated_loops, outer->unseparated_loops);
  } else if (kind.single != nullptr) {
    l.fork = kind.single->fork;
    l.first_done = kind.single->first_done;
    l.join = kind.single->join;
    l.open_loop = kind.single->open_loop;
    l.close_loop = kind.single->close_loop;
    l.nested_forks = kind.single->nested_forks;
    l.skips = kind.skips;
    l.short_loop_clock = kind.single->counts_short_loops ? &settled_strand_now : nullptr;
  }
  return l;
}

void place_node(vertex_node& n, const level& l, vertex_node* outer, const storage_head* in) noexcept {
  ::new (static_cast<void*>(&n)) vertex_node{{&l}, outer, in};
}

region::region(const vertex_kind& kind, vertex_node& n) noexcept
    : apart_{sched::observe_if_skipping()},
      level_{level_of(kind, vertex_node::current() != nullptr ? &vertex_node::current()->of() : nullptr)},
      node_{n} {
  vertex_node* outer = vertex_node::current();
  place_node(n, level_, outer, outer != nullptr ? outer->in : nullptr);
  kind.start(n.vertex(), level_.is_timed ? strand_now_after_rest() : 0);
  sched::set_observer(&n);
}

region::~region() {
  node_.of().kind->stop(node_.vertex(), time_for(node_));
  sched::set_observer(node_.outer);
}

void* find_vertex(const vertex_kind& kind) noexcept {
  for (vertex_node* n = vertex_node::current(); n != nullptr; n = n->outer) {
    if (n->of().kind == &kind) return n->vertex();
  }
  return nullptr;
}

}  // namespace tine::detail
