// Where workers run and whom they rob: what the scheduler needs from hwloc, and nothing more. The pool
// builds these tables once; afterwards only thieves read them (`victim_table::draw`). Nothing here changes
// after construction, so everything may be read by any thread without a lock.
#pragma once

#include <tine/base/assert.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tine::sched {

/// Where one worker is to run.
struct place {
  int os_index;  ///< processor to pin to, as the system numbers it; -1: the system decides
  int node;      ///< NUMA node, from 0 to `topology::nodes()` - 1
  int core;      ///< core, a leaf of the tree that `topology::distance` measures
};

/// The processors this process may use, and the tree of what they share, in a few plain vectors: hwloc's own
/// object is gone by the time a topology is returned. Immutable.
class topology {
 public:
  /// This machine, or what the HWLOC_* variables make hwloc believe it is. Loaded at the first call, which
  /// therefore fixes the set of allowed processors; call it before the first thread is pinned. Thread-safe.
  /// Throws std::runtime_error if hwloc finds no processor.
  static const topology& of_machine();

  /// The same, read afresh (about a millisecond): processors allowed are those of the calling thread.
  static topology load();

  /// The machine that `text` describes in hwloc's notation, say "node:2 core:4 pu:1", outermost level
  /// first. Its places cannot be pinned. Throws std::invalid_argument that names a text hwloc refuses.
  static topology synthetic(const std::string& text);

  unsigned processors() const noexcept { return static_cast<unsigned>(processors_.size()); }
  /// NUMA nodes that hold an allowed processor; at least 1.
  unsigned nodes() const noexcept { return nodes_; }

  /// Places for `workers` workers, core by core: the first processor of each core, neighbours first, then
  /// the second hardware threads, and so on. With more workers than processors they start over, and none
  /// is pinned, because then the system balances better.
  std::vector<place> places(unsigned workers) const;

  /// r of libfork §III-D: the larger of the two cores' distances, in edges, to their common ancestor. At
  /// least 1, so that workers that share a core are as close as workers on the closest cores.
  int distance(const place& a, const place& b) const noexcept;

  /// Weights with which worker `self` chooses its victim: libfork's eq. 6, w = 1/(n·r²), where n is the
  /// number of other workers at distance r. Thus all workers at distance r together weigh 1/r². The own
  /// weight is 0. They are not normalised.
  std::vector<double> victim_weights(const std::vector<place>& places, unsigned self) const;

 private:
  struct tree_node {
    int parent;  // -1: the root
    int depth;
  };
  friend class topology_reader;

  topology() = default;

  std::vector<place> processors_;  // in the order in which `places` gives them out
  std::vector<tree_node> tree_;    // `place::core` indexes it
  unsigned nodes_ = 0;
};

/// Draws a victim by weight in constant time: an alias table (Walker 1977, built after Vose 1991) in 32-bit
/// fixed point. Against a binary search over sums it costs one load and one conditional move, whatever the
/// number of workers, and no branch that a random number would make unpredictable. A victim's probability
/// is off by at most P/2^31. Immutable; 8 bytes per victim.
class victim_table {
 public:
  /// Without victims.
  victim_table() = default;

  /// Of the workers 0, 1, … those with a weight above 0 are victims. Weights must be finite and not
  /// negative, and at most 65536 of them.
  explicit victim_table(const std::vector<double>& weights);

  bool empty() const noexcept { return columns_.empty(); }

  /// The victim that 64 random bits, all of them used, stand for. The table must not be empty.
  unsigned draw(std::uint64_t random) const noexcept {
    TINE_ASSERT(!empty());
    // The upper half scaled to the number of columns chooses the column, the lower half its owner or guest.
    const column& c = columns_[static_cast<std::size_t>(((random >> 32) * columns_.size()) >> 32)];
    return static_cast<std::uint32_t>(random) < c.share ? c.owner : c.guest;
  }

 private:
  struct column {
    std::uint32_t share;  // of 2^32: how much of the column is the owner's
    std::uint16_t owner;
    std::uint16_t guest;  // the owner again if the column is its alone
  };

  std::vector<column> columns_;
};

/// Pins the calling thread to the place's processor. False, and nothing has changed, if the place names
/// none or the system refuses; a worker then simply runs unpinned.
bool pin_this_thread(const place& where) noexcept;

/// Moves the calling thread to the place's processor and leaves it free to be moved on: its mask is the same afterwards.
/// Does nothing if the place names no processor, or one that the thread may not use.
void move_this_thread(const place& where) noexcept;

}  // namespace tine::sched
