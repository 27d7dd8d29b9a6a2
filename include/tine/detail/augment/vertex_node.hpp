// The vertices of a strand, one for each level of regions, and the storage of a fork, which holds the vertices of both
// branches until the join. Only the strand touches its own.
#pragma once

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/observer.hpp>

#include <cstddef>
#include <cstdint>

namespace tine::detail {

struct vertex_kind;

/// The analysis of one region, and through `outer` those of the regions around it. All of them follow every strand.
struct level : sched::observer_hooks {  // the events are those of strands on which this is the innermost level
  const vertex_kind* kind;
  const level* outer;
  const sched::observer_hooks* of_several;  ///< the events of strands with any number of vertices
  std::uint32_t right;                      ///< offset in the storage: the level's vertex node of the second branch
  bool is_timed;                            ///< true if the vertex of this level, or of an outer one, is timed
};

struct vertex_node;

/// The head of the storage that a fork or loop lends to the analyses until its join. The storage starts with a head,
/// and every head starts with this structure. Behind it lie a vertex node and a vertex for each branch at every level.
/// In the storage of a loop, the first subrange is in the place of a left branch.
struct storage_head {
  vertex_node* parent;  ///< null: of a root
  sched::site where;    ///< of the fork or loop, perhaps with callers (src/augment/callers.hpp)
};

/// The head of a strand's vertex at one level. The vertex follows it in memory.
struct alignas(16) vertex_node : sched::observer {
  vertex_node* outer;
  const storage_head* in;  ///< the fork or loop in which the strand is, or its root; null: not known

  const level& of() const noexcept { return *static_cast<const level*>(events); }
  void* vertex() noexcept { return this + 1; }
  /// Returns the site of the construct in which the strand is; 0: not known.
  sched::site site_around() const noexcept { return in != nullptr ? in->where : 0; }
  static vertex_node* current() noexcept { return static_cast<vertex_node*>(sched::observer::current()); }
};

/// The length of every head: that of the longest kind of head (region.cpp).
inline constexpr std::uint32_t storage_head_bytes = 96;

/// The vertex node may be made later, but don't access it before.
inline vertex_node* node_at(void* storage, std::uint32_t offset) noexcept {
  return base::object_at<vertex_node>(static_cast<std::byte*>(storage) + offset);
}

inline vertex_node& parent_of(void* storage) noexcept { return *base::object_at<storage_head>(storage)->parent; }

}  // namespace tine::detail
