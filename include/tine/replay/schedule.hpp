// A schedule: which worker ran what part of a computation, and in which order. A value; nothing of a running program is in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tine {

/// Who ran what of a region: a steal tree (Optimizing Data Locality for Fork/Join Programs, §IV-A), recorded by `tine::record`
/// and followed by `tine::replay`.
///
/// Forks and loops are numbered from 0 along each *node*, which is a branch of a fork, a piece of a loop, or the whole region.
/// The tree holds a *step* for each fork and loop of which something ran elsewhere, or that contains such a one; nothing else, so
/// its size grows with the number of steals and not with that of forks.
///
/// A plain value; several threads may read one at once.
class schedule {
 public:
  static constexpr int nobody = -1;              ///< in place of a worker
  static constexpr std::uint32_t nothing = ~0U;  ///< in place of an index

  /// What a worker ran in one go: from where it began with a strand to where that ended or waited.
  struct segment {
    int owner = nobody;          ///< the worker, by its number in the pool
    std::uint32_t stamp = 0;     ///< the position of its begin among all begins of the region
    std::uint64_t begin_ns = 0;  ///< since the region began
    std::uint64_t end_ns = 0;
    friend bool operator==(const segment&, const segment&) = default;
  };

  /// A run is a task that plain code waits for: of it only what follows is written, and only if that code had
  /// nothing else to do meanwhile, or if the schedule that was followed names who goes on.
  enum class kind : unsigned char { fork, loop, run };

  /// A branch of a fork (the first begins at 0, the second at 1), or iterations of a loop from `begin` to where the next piece
  /// begins. Without an owner it is run by the strand that ran what came before it.
  struct piece {
    std::uint64_t begin = 0;
    segment run;
    std::uint32_t node = nothing;  ///< what was stolen inside
    friend bool operator==(const piece&, const piece&) = default;
  };

  /// A fork, a loop or a run.
  struct step {
    std::uint32_t number = 0;  ///< among the forks and loops of its node
    kind what = kind::fork;
    std::uint64_t count = 2;                    ///< iterations; of a fork, its two branches; of a run, 0
    std::uint32_t first_piece = 0, pieces = 0;  ///< in `pieces()`, by their begins
    segment after;                              ///< what follows its join
    friend bool operator==(const step&, const step&) = default;
  };

  struct node {
    std::uint32_t first_step = 0, steps = 0;  ///< in `steps()`, by their numbers
    friend bool operator==(const node&, const node&) = default;
  };

  /// A schedule without any steal, on one worker.
  schedule();
  /// From its parts; `nodes[0]` is the whole region. Throws std::invalid_argument for what is not a tree, with the reason:
  /// indices out of bounds, nodes with two parents or none, numbers or begins that do not grow, owners that `workers` does not
  /// include, two equal stamps, a stolen part below a first branch whose fork had no stolen part itself.
  schedule(unsigned workers, const segment& root, std::vector<node> nodes, std::vector<step> steps,
           std::vector<piece> pieces);

  /// Of the pool that it was recorded in.
  unsigned workers() const noexcept { return workers_; }
  /// Its first strand.
  const segment& root() const noexcept { return root_; }
  const std::vector<node>& nodes() const noexcept { return nodes_; }
  const std::vector<step>& steps() const noexcept { return steps_; }
  const std::vector<piece>& pieces() const noexcept { return pieces_; }

  /// Branches and pieces that have an owner: how much was stolen.
  std::size_t steals() const noexcept;
  /// Bytes that its parts occupy.
  std::size_t size_bytes() const noexcept;
  /// Nanoseconds that each worker spent in segments.
  std::vector<std::uint64_t> busy_ns() const;
  /// Nanoseconds from the begin of the region to the end of its last segment.
  std::uint64_t duration_ns() const noexcept;

  /// Takes `percent` of the steals out, those farthest down (constrained stealing, §VI): levels go from the last one up, and inside
  /// a level those go first that brought the least work to another worker. At least `workers() - 1` stay, if there are so many.
  /// Throws std::invalid_argument unless 0 <= percent <= 100.
  void prune(double percent);

  /// As a text in JSON (docs/schedule-format.md), and from one. Throws std::runtime_error with the place and the reason if the text
  /// is damaged, of another version, or no tree.
  std::string to_json() const;
  static schedule from_json(const std::string& text);
  /// To a file, and from one. Throws std::runtime_error if it cannot be written or read, and as above.
  void save(const std::string& path) const;
  static schedule load(const std::string& path);

  friend bool operator==(const schedule&, const schedule&) = default;

 private:
  unsigned workers_ = 1;
  segment root_;
  std::vector<node> nodes_;
  std::vector<step> steps_;
  std::vector<piece> pieces_;
};

}  // namespace tine
