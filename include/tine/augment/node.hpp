// A strand's vertices, one level of regions each, and the room in which those of both branches wait for a join.
#pragma once

#include <tine/sched/events.hpp>

#include <cstddef>
#include <cstdint>

namespace tine::detail {

struct vertex_kind;

/// One analysis of a region, and through `outer` those of the regions around it: all of them follow every strand.
struct level : sched::watch_events {  // of strands on which this is the innermost one
  const vertex_kind* kind;
  const level* outer;
  std::uint32_t left, right;  ///< where in a room the level's nodes are
  bool is_timed;              ///< this one or an outer one
};

/// A strand's vertex of one level, which follows.
struct alignas(16) node : sched::watch {
  node* outer;

  const level& of() const noexcept { return *static_cast<const level*>(events); }
  void* vertex() noexcept { return this + 1; }
  static node* current() noexcept { return static_cast<node*>(sched::analysis()); }
};

/// A room is what a fork or a loop lends us until its join. It begins with a head, of which the first word is this, and holds a
/// node and a vertex for both branches at every level. Of a loop, the first piece is where a left branch would be.
struct room_head {
  node* parent;
};

/// How long heads are: as the longest of them (region.cpp).
inline constexpr std::uint32_t room_head_bytes = 96;

inline node* node_at(void* base, std::uint32_t offset) noexcept {
  return reinterpret_cast<node*>(static_cast<std::byte*>(base) + offset);
}

inline node& parent_of(void* room) noexcept { return *static_cast<room_head*>(room)->parent; }

}  // namespace tine::detail
