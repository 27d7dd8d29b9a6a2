// A schedule: which worker ran which part of a computation, and in which order. It is a value, without references to a
// running program.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tine {

/// The steal tree of a region, which tells the worker of each part of the region (Optimizing Data Locality for
/// Fork/Join Programs, §IV-A). `tine::record` records it, and `tine::replay` follows it.
///
/// Forks and loops are numbered from 0 along each *node*, which is a branch of a fork, a piece of a loop, or the whole
/// region. The tree holds a *step* for each fork or loop that has a part that ran elsewhere, or that contains such a
/// fork or loop. It holds nothing else, so its size grows with the number of steals and not with the number of forks.
///
/// A schedule is a plain value; several threads may read the same one at the same time.
class schedule {
 public:
  static constexpr int no_worker = -1;           ///< in place of a worker
  static constexpr std::uint32_t nothing = ~0U;  ///< in place of an index

  /// A part of a strand that a worker ran without interruption: from where it began with the strand to where the strand
  /// ended or waited.
  struct segment {
    int owner = no_worker;       ///< the worker, by its number in the pool
    std::uint32_t stamp = 0;     ///< the position of its begin among all begins of the region
    std::uint64_t begin_ns = 0;  ///< nanoseconds since the region began
    /// nanoseconds since the region began
    std::uint64_t end_ns = 0;
    friend bool operator==(const segment&, const segment&) = default;
  };

  /// The kind of a step. A run is a task that plain code waits for. Only its continuation is recorded, and only if that
  /// code had nothing else to do meanwhile, or if the schedule that was followed names the worker that continues.
  enum class kind : unsigned char {
    fork,  ///< a fork of two branches
    loop,  ///< a loop, also one that was split
    run,   ///< a task that plain code waits for
  };
  /// Returns "fork", "loop" or "run"; "step" for any other value.
  friend constexpr const char* name_of(kind what) noexcept {
    switch (what) {
      case kind::fork:
        return "fork";
      case kind::loop:
        return "loop";
      case kind::run:
        return "run";
    }
    return "step";
  }

  /// A branch of a fork (the first begins at 0, the second at 1), or iterations of a loop from `begin` to where the
  /// next piece begins. A piece without an owner is run by the strand that ran the part before it. A first branch has
  /// an owner only if it waited at its fork until other strands had begun; a serial replay repeats that, and other
  /// replays begin the branch at once.
  struct piece {
    std::uint64_t begin = 0;
    /// the first segment of the piece; without an owner if the piece was not stolen
    segment run;
    std::uint32_t node = nothing;  ///< the node of the steals inside the piece
    friend bool operator==(const piece&, const piece&) = default;
  };

  /// A fork, a loop or a run.
  struct step {
    std::uint32_t number = 0;  ///< its number among the forks and loops of its node
    /// a fork, a loop or a run
    kind what = kind::fork;
    std::uint64_t count = 2;                    ///< a loop's iterations; 2 for a fork's branches; 0 for a run
    std::uint32_t first_piece = 0, pieces = 0;  ///< a range in `pieces()`, sorted by their begins
    segment after;                              ///< the segment after its join
    friend bool operator==(const step&, const step&) = default;
  };

  /// The steals inside of the region, or inside of a piece: a list of steps.
  struct node {
    std::uint32_t first_step = 0, steps = 0;  ///< a range in `steps()`, sorted by their numbers
    friend bool operator==(const node&, const node&) = default;
  };

  /// Makes a schedule without any steal, on one worker.
  TINE_API schedule();
  /// Makes a schedule from its parts; `nodes[0]` is the whole region. Throws std::invalid_argument with the reason if
  /// the parts are not a tree: indices out of bounds, nodes with two parents or none, numbers or begins that do not
  /// grow, owners that `workers` does not include, two equal stamps, a stolen part below a first branch whose fork had
  /// no stolen part itself.
  TINE_API schedule(unsigned workers, const segment& root, std::vector<node> nodes, std::vector<step> steps,
                    std::vector<piece> pieces);

  /// Returns the number of workers of the pool in which the schedule was recorded. It includes callers with higher
  /// numbers that ran a part.
  unsigned workers() const noexcept { return workers_; }
  /// Returns the first segment of the region's first strand.
  const segment& root() const noexcept { return root_; }
  /// Returns the nodes; the first one is the whole region. The reference is valid until the schedule changes.
  const std::vector<node>& nodes() const noexcept { return nodes_; }
  /// Returns the steps of all nodes. The reference is valid until the schedule changes.
  const std::vector<step>& steps() const noexcept { return steps_; }
  /// Returns the pieces of all steps. The reference is valid until the schedule changes.
  const std::vector<piece>& pieces() const noexcept { return pieces_; }

  /// Returns the shape key: a number that identifies the program, and the build of it, that recorded the schedule; 0:
  /// not known. A replay with `must_match` refuses the schedule of another program. `set_shape` sets it.
  std::uint64_t shape() const noexcept { return shape_; }
  /// Sets the shape key; 0: not known.
  void set_shape(std::uint64_t key) noexcept { shape_ = key; }

  /// Returns the NUMA node of each worker of the pool, by the number of the worker; owners from its size on were
  /// threads from outside the pool. Empty: not known, or the workers were not pinned. A replay in a pool with other
  /// nodes keeps the workers of a node together (docs/reference/replay.md).
  const std::vector<int>& numa_nodes() const noexcept { return numa_nodes_; }
  /// Sets the NUMA nodes. Throws std::invalid_argument if they are more than `workers()`, or a node is not from 0 to
  /// 65,535.
  TINE_API void set_numa_nodes(std::vector<int> nodes);
  /// Takes over what is known of the program and its pool: the shape key and the NUMA nodes of `s`, of which this
  /// schedule is a changed copy.
  void take_heading(const schedule& s) {
    shape_ = s.shape_;
    numa_nodes_ = s.numa_nodes_;
  }

  /// Returns the number of steals: of branches and pieces that have an owner. This function, and each one below, takes
  /// time that is linear in the number of pieces, except `prune`, which sorts them.
  TINE_API std::size_t steals() const noexcept;
  /// Returns the number of bytes that the schedule's parts occupy.
  TINE_API std::size_t size_bytes() const noexcept;
  /// Returns the nanoseconds that each worker spent in segments; the index is the worker's number.
  TINE_API std::vector<std::uint64_t> busy_ns() const;
  /// Returns the nanoseconds from the begin of the region to the end of its last segment.
  TINE_API std::uint64_t duration_ns() const noexcept;

  /// Removes `percent` per cent of the steals, the lowest ones in the tree (constrained stealing, §VI). It starts with
  /// the last level, and inside a level with the steals that moved the least work to another worker. At least
  /// `workers() - 1` steals stay, if there are that many. Throws std::invalid_argument unless 0 <= percent <= 100.
  TINE_API void prune(double percent);

  /// Returns the schedule as a JSON text (docs/reference/schedule-format.md).
  TINE_API std::string to_json() const;
  /// Reads the text that `to_json` has returned. Throws std::runtime_error with the place and the reason if the text is
  /// damaged, of another version, or no tree.
  TINE_API static schedule from_json(const std::string& text);
  /// Writes the JSON text to the file at `path`, in place of a file that is there. Throws std::runtime_error if it
  /// cannot be written.
  TINE_API void save(const std::string& path) const;
  /// Reads the file that `save` has written. Throws std::runtime_error if it cannot be read, and the errors of
  /// `from_json`.
  TINE_API static schedule load(const std::string& path);

  friend bool operator==(const schedule&, const schedule&) = default;

 private:
  unsigned workers_ = 1;
  std::uint64_t shape_ = 0;
  std::vector<int> numa_nodes_;
  segment root_;
  std::vector<node> nodes_;
  std::vector<step> steps_;
  std::vector<piece> pieces_;
};

}  // namespace tine
