// The vertices of a strand, one for each level of regions, and the storage of a fork, which holds the vertices of both
// branches until the join.
#pragma once

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/observer.hpp>

#include <cstddef>
#include <cstdint>

namespace tine::detail {

struct vertex_kind;

/// The analysis of one region, and through `outer` the analyses of the regions around it: all of them follow every
/// strand.
struct level : sched::observer_hooks {  // the events are those of strands on which this is the innermost level
  const vertex_kind* kind;
  const level* outer;
  std::uint32_t left, right;  ///< offsets of the level's vertex nodes in the storage
  bool is_timed;              ///< true if the vertex of this level, or of an outer one, is timed
};

/// The head of a strand's vertex at one level. The vertex follows it in memory.
struct alignas(16) vertex_node : sched::observer {
  vertex_node* outer;

  const level& of() const noexcept { return *static_cast<const level*>(events); }
  void* vertex() noexcept { return this + 1; }
  static vertex_node* current() noexcept { return static_cast<vertex_node*>(sched::observer::current()); }
};

/// The head of the storage that a fork or a loop lends to the analyses until its join. The storage begins with a head,
/// which begins with this structure, and holds a vertex node and a vertex for each branch at every level. In the
/// storage of a loop, the first subrange is in the place of a left branch.
struct storage_head {
  vertex_node* parent;
  sched::site where;  ///< of the fork or loop, perhaps with callers (src/augment/callers.hpp)
};

/// The length of every head: that of the longest kind of head (region.cpp).
inline constexpr std::uint32_t storage_head_bytes = 96;

/// The vertex node may begin later, but must not be accessed before.
inline vertex_node* node_at(void* storage, std::uint32_t offset) noexcept {
  return base::object_at<vertex_node>(static_cast<std::byte*>(storage) + offset);
}

inline vertex_node& parent_of(void* storage) noexcept { return *base::object_at<storage_head>(storage)->parent; }

}  // namespace tine::detail
