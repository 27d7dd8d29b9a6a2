// The vertices of a strand, one for each level of regions, and the room of a fork, which holds the vertices of both branches until
// the join.
#pragma once

#include <tine/sched/events.hpp>

#include <cstddef>
#include <cstdint>

namespace tine::detail {

struct vertex_kind;

/// The analysis of one region, and through `outer` the analyses of the regions around it: all of them follow every strand.
struct level : sched::watch_events {  // the events are those of strands on which this is the innermost level
  const vertex_kind* kind;
  const level* outer;
  std::uint32_t left, right;  ///< offsets of the level's nodes in a room
  bool is_timed;              ///< true if the vertex of this level, or of an outer one, is timed
};

/// The head of a strand's vertex at one level. The vertex follows it in memory.
struct alignas(16) node : sched::watch {
  node* outer;

  const level& of() const noexcept { return *static_cast<const level*>(events); }
  void* vertex() noexcept { return this + 1; }
  static node* current() noexcept { return static_cast<node*>(sched::analysis()); }
};

/// A room is the memory that a fork or a loop lends to the analyses until its join. It begins with a head, whose first word is this
/// structure, and holds a node and a vertex for each branch at every level. In the room of a loop, the first piece is in the place
/// of a left branch.
struct room_head {
  node* parent;
};

/// The length of every head: that of the longest kind of head (region.cpp).
inline constexpr std::uint32_t room_head_bytes = 96;

inline node* node_at(void* base, std::uint32_t offset) noexcept {
  return reinterpret_cast<node*>(static_cast<std::byte*>(base) + offset);
}

inline node& parent_of(void* room) noexcept { return *static_cast<room_head*>(room)->parent; }

}  // namespace tine::detail
