// The events of a strand with a single vertex. Most strands have only one, so the vertex's own members and the clock are inlined
// here. src/augment/region.cpp does the same for several levels, with one indirect call for each level and step.
#pragma once

#include <tine/augment/kind.hpp>
#include <tine/augment/node.hpp>
#include <tine/augment/strand_clock.hpp>

#include <cstdint>
#include <new>

namespace tine::detail {

/// No event may be inlined into user code: see strand_time.
template <vertex V>
struct vertex_alone {
  using table = vertex_behind_table<V>;

  static constexpr std::uint32_t left = room_head_bytes;
  static constexpr std::uint32_t right = left + sizeof(node) + table::bytes;

  TINE_ALWAYS_INLINE static base::ticks now() noexcept {
    if constexpr (table::is_timed) return strand_time();
    return 0;
  }
  /// Makes a node that equals `parent` in everything but its vertex.
  TINE_ALWAYS_INLINE static node& node_like(const node& parent, void* room, std::uint32_t place) noexcept {
    return *::new (static_cast<void*>(node_at(room, place))) node{parent};
  }

  TINE_NOINLINE static sched::watch& fork(sched::watch& at, void* room, sched::site where) noexcept {
    node& parent = static_cast<node&>(at);
    ::new (room) room_head{&parent};
    node& l = node_like(parent, room, left);
    node& r = node_like(parent, room, right);
    table::fork(parent.vertex(), l.vertex(), r.vertex(), now(), where);
    return l;
  }
  TINE_NOINLINE static sched::watch& turn(void* room) noexcept {
    node& r = *node_at(room, right);
    table::turn(node_at(room, left)->vertex(), r.vertex(), now());
    return r;
  }
  TINE_NOINLINE static sched::watch& join(void* room, sched::branch_end how, bool here) noexcept {
    node& parent = parent_of(room);
    void* r = node_at(room, right)->vertex();
    const base::ticks t = now();
    if (here) table::stop(r, t);
    table::join(parent.vertex(), node_at(room, left)->vertex(), r, t, how);
    return parent;
  }

  TINE_NOINLINE static sched::watch& begin_whole(sched::watch& at, void* room, std::uint64_t n,
                                                 sched::site where) noexcept {
    node& parent = static_cast<node&>(at);
    ::new (room) room_head{&parent};
    node& piece = node_like(parent, room, left);
    const base::ticks t = now();
    table::stop(parent.vertex(), t);
    table::piece(parent.vertex(), piece.vertex(), n, t, where);
    return piece;
  }
  TINE_NOINLINE static sched::watch& end_whole(void* room, std::uint64_t iterations) noexcept {
    node& parent = parent_of(room);
    void* piece = node_at(room, left)->vertex();
    const base::ticks t = now();
    if (iterations != 0) table::chunk(piece, iterations, t);
    table::stop(piece, t);
    table::join_loop(parent.vertex(), piece, t);
    return parent;
  }

  static constexpr alone_events events{&fork, &turn, &join, &begin_whole, &end_whole, only_counts_brief_loops<V>};
  static_assert(sched::brief_loops_at == sizeof(node), "a vertex that counts them begins with them");
};

}  // namespace tine::detail
