// The topology: the processors on which workers run and the victims that they steal from. It is all that the scheduler
// needs of a machine. The pool builds these tables once; afterwards only thieves read them (`victim_table::draw`).
// Nothing here changes after construction, so any thread may read everything without a lock.
#pragma once

#include <tine/detail/base/assert.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tine::sched {

/// The processor on which one worker is to run.
struct processor {
  int os_index;   ///< processor to pin to, as the system numbers it; -1: the system decides
  int numa_node;  ///< NUMA node, from 0 to `topology::nodes()` - 1
  int core;       ///< core, a leaf of the tree that `topology::distance` measures
};

/// Returns the numbers of the processors on which the calling thread may run, in ascending order. Returns none if the
/// system doesn't tell.
std::vector<int> processors_of_this_thread();

/// The processors that this process may use, and the tree of the resources that these processors share, in a few plain
/// vectors. Immutable.
class topology {
 public:
  /// Returns the topology of this machine, or of the machine that the HWLOC_* variables describe. The first call loads
  /// it and so fixes the set of allowed processors: call it before you pin the first thread. Thread-safe. Throws
  /// std::runtime_error if hwloc finds no processor.
  static const topology& of_machine();

  /// Reads the topology of this machine anew. The allowed processors are those of the calling thread. A machine with
  /// one NUMA node is read by `of_one_node`, any other by hwloc.
  static topology load();

  /// Reads Linux's files about a machine with one NUMA node, in a few dozen microseconds. `allowed` are the numbers of
  /// the processors that the process may use, in ascending order. The files are below `root`, for tests. Returns
  /// nothing if the machine has more nodes, or if a file is missing or contradicts another one.
  static std::optional<topology> of_one_node(const std::vector<int>& allowed, const std::string& root = "");

  /// Asks hwloc, which takes milliseconds if its plugins are installed. If none of the `allowed` processors is one of
  /// hwloc's, you get all of hwloc's and cannot pin threads to them. On a machine with one NUMA node the result is that
  /// of `of_one_node`.
  static topology by_hwloc(const std::vector<int>& allowed);

  /// Returns the machine that `text` describes in hwloc's notation, e.g. "node:2 core:4 pu:1", outermost level first.
  /// You cannot pin threads to its processors. If hwloc refuses the text, throws std::invalid_argument, which names it.
  static topology synthetic(const std::string& text);

  unsigned processors() const noexcept { return static_cast<unsigned>(processors_.size()); }
  /// Number of NUMA nodes that hold an allowed processor; at least 1.
  unsigned nodes() const noexcept { return nodes_; }

  /// The allowed processors of each kind of core, the fastest kind first: one number if all cores are alike.
  const std::vector<unsigned>& kinds() const noexcept { return kinds_; }

  /// Returns a processor for each of `workers` workers, core by core. First comes the first processor of each core, the
  /// fastest kind of cores first, neighbouring cores one after the other. Then come the second hardware threads in the
  /// same order, and so on: a slow core of its own is worth more than the second thread of a fast one. With more
  /// workers than processors the order starts over, and no worker is pinned, because then the system balances better.
  std::vector<processor> places(unsigned workers) const;

  /// Returns r of libfork §III-D: the larger of the two cores' distances, in edges, to their common ancestor. At least
  /// 1, so workers that share a core are as close as workers on the closest cores.
  int distance(const processor& a, const processor& b) const noexcept;

  /// Returns the weights with which worker `self` chooses its victim: libfork's eq. 6, w = 1/(n·r²), where n is the
  /// number of other workers at distance r. So all workers at distance r together weigh 1/r². The weight of `self` is
  /// 0. The weights are not normalised.
  std::vector<double> victim_weights(const std::vector<processor>& places, unsigned self) const;

 private:
  struct tree_node {
    int parent;  // -1: the root
    int depth;
  };
  friend class topology_builder;

  topology() = default;

  std::vector<processor> processors_;  // in the order in which `places` returns them
  std::vector<tree_node> tree_;        // `processor::core` indexes it
  std::vector<unsigned> kinds_;
  unsigned nodes_ = 0;
};

/// Draws a victim by weight in constant time: an alias table (Walker 1977, built after Vose 1991) in 32-bit fixed
/// point. A binary search over sums would have branches that a random number makes unpredictable; a draw here costs one
/// load and one conditional move, whatever the number of workers. A victim's probability is off by at most P/2^31.
/// Immutable; 8 bytes per victim.
class victim_table {
 public:
  /// A table without victims.
  victim_table() = default;

  /// The victims are the workers with a weight above 0; `weights[i]` is the weight of worker i. Weights must be finite
  /// and not negative, and there must be at most 65536 of them.
  explicit victim_table(const std::vector<double>& weights);

  bool empty() const noexcept { return columns_.empty(); }

  /// Returns the victim that 64 random bits stand for; all of them matter. The table must not be empty.
  unsigned draw(std::uint64_t random) const noexcept {
    TINE_ASSERT(!empty());
    // The upper half, scaled to the number of columns, chooses the column; the lower half chooses its owner or its
    // alias.
    const column& c = columns_[static_cast<std::size_t>(((random >> 32) * columns_.size()) >> 32)];
    return static_cast<std::uint32_t>(random) < c.share ? c.owner : c.alias;
  }

 private:
  struct column {
    std::uint32_t share;  // the owner's share of the column, in units of 1/2^32
    std::uint16_t owner;
    std::uint16_t alias;  // the owner again if the column belongs to it alone
  };

  std::vector<column> columns_;
};

/// Pins the calling thread to that processor. Returns false, and changes nothing, if `where` names no processor or the
/// system refuses; the worker then runs unpinned.
bool pin_this_thread(const processor& where) noexcept;

/// Moves the calling thread to that processor. The system may move it again: its affinity mask is the same afterwards.
/// Does nothing if `where` names no processor, or one that the thread may not use.
void move_this_thread(const processor& where) noexcept;

}  // namespace tine::sched
