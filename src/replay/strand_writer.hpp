// Writes the strands of a session into its tree. A place in the program is a replay node or a counted position. We
// write the nodes and steps around it when its first strand starts on another worker. All strands of the session use it
// at once.
#pragma once

#include "base/mutex.hpp"
#include "replay/node.hpp"
#include "replay/tree_builder.hpp"

#include <cstdint>

namespace tine::detail {

class strand_writer {
 public:
  explicit strand_writer(const journal_root& journal) noexcept { tree_.write_to(journal); }

  /// Returns the tree. Use it only before the first strand forks and after the last one has ended.
  tree_builder& tree() noexcept { return tree_; }
  const tree_builder& tree() const noexcept { return tree_; }

  /// Write that a strand starts on this worker, and return its segment. `begin_piece`: it starts with the piece of `n`
  /// at `begin`. `begin_after`: it continues after the join. `begin_stolen`: a thief starts at `first` with the second
  /// branch of the counted fork.
  segment_builder* begin_piece(replay_node& n, std::uint64_t begin) noexcept;
  segment_builder* begin_after(replay_node& n) noexcept;
  segment_builder* begin_stolen(sched::position& forked, sched::position& first) noexcept;
  segment_builder* begin_after(sched::position& forked) noexcept;
  /// Notes that the piece of `n` at `begin` will run on worker `owner`; a journal has this before the strand starts.
  void note_placed(replay_node& n, std::uint64_t begin, int owner) noexcept;

 private:
  node_builder& node_of(sched::position& p);
  step_builder& step_of(replay_node& n);
  step_builder& step_of(sched::position& counted);
  step_builder& add_step(node_builder& to, const sched::position& counted);

  base::mutex lock_;  ///< protects the tree
  tree_builder tree_;
};

}  // namespace tine::detail
