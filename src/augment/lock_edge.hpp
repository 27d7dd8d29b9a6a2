// The order in which strands take locks, and the search for cycles in it. A cycle may deadlock in some schedule, even
// if this run did not.
#pragma once

#include <tine/augment/labels/english_hebrew.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tine::detail {

/// The number of a lock. A lock that is destroyed and made again at the same address may keep its number.
using lock_number = std::uint32_t;

/// A lock that a strand holds or takes.
struct lock_use {
  lock_number lock;
  bool is_shared = false;  ///< other strands may hold it at the same time, if theirs is shared, too
  /// The number of this acquisition; 0: not known. All strands below a fork have those of the strand that forked, and
  /// these keep none of them from running beside another one.
  std::uint64_t acquired = 0;

  friend bool operator==(const lock_use&, const lock_use&) noexcept = default;
};

/// Returns true if two strands cannot have these uses at the same time.
inline bool exclude(const lock_use& a, const lock_use& b) noexcept {
  return a.lock == b.lock && !(a.is_shared && b.is_shared);
}

/// A strand, for the question which strands may run at the same time.
struct lock_strand {
  std::uint64_t root = 0;
  std::uint64_t root_began = 0, root_ended = ~std::uint64_t{0};  ///< on one count of the beginnings and ends of roots
  labels::english_hebrew label;
};

/// Returns true if both strands may run at the same time. Strands of one root are compared by their labels; strands of
/// two roots are parallel if the roots overlapped.
bool are_parallel(const lock_strand& a, const lock_strand& b) noexcept;

/// A strand took `to` while it held the locks `held`, `from` among them.
struct lock_edge {
  lock_use from, to;
  std::vector<lock_use> held;
  lock_strand strand;
};

/// Returns the edges of a shortest cycle through `edges[first]`, in their order from there; nothing if there is none.
/// In a cycle each edge takes a lock that the strand of the next edge holds; all its strands are parallel to each
/// other, and no two of them hold a common lock (a gate lock), which would keep one of them out.
///
/// The search looks at cycles of at most `most_edges_of_cycle` edges. It tries at most `steps` edges, because the
/// number of paths grows exponentially in the worst case; `was_cut` is set to true if these were not enough.
inline constexpr std::size_t most_edges_of_cycle = 8;
std::vector<std::size_t> shortest_cycle(const std::vector<lock_edge>& edges, std::size_t first, std::size_t steps,
                                        bool& was_cut);

}  // namespace tine::detail
