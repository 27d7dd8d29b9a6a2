// The program that is simulated: the series-parallel trees of a profile's roots, laid out so that a position in the
// serial order leads to the strand there in logarithmic time. Immutable after `program_of`, so any thread may read it.
#pragma once

#include "trace/profile.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tine::simulate {

/// A node of a tree. `begin` is the work of everything before it in the order of one worker, so a node covers the
/// positions from `begin` to `begin + work`. The children of a node are neighbours in `program::nodes`.
struct tree_node {
  trace::node::shape is = trace::node::shape::leaf;
  bool is_iterations = false;  ///< a leaf that holds iterations of the loop above it
  std::uint32_t first = 0;     ///< index of the first child
  std::uint32_t children = 0;
  std::uint64_t begin = 0, work = 0, span = 0;  ///< nanoseconds
  std::uint64_t forks = 0;                      ///< of a leaf: forks, or iterations, inside of it
  std::uint64_t piece = 0;  ///< of a leaf of iterations: the length of a chunk, other than the longest one

  std::uint64_t end() const noexcept { return begin + work; }
  /// Returns true if the leaf stands for strands that can run at the same time.
  bool is_divisible() const noexcept { return children == 0 && work > span; }
};

/// A leaf in the serial order.
struct leaf_position {
  std::uint64_t begin = 0;
  std::uint32_t next_poll =
      0;               ///< the next leaf at whose begin its worker polls; the number of leaves if there is none
  float poll_gap = 0;  ///< the time between two polls inside of the leaf; 0: there are none inside
};

/// Roots that ran at the same time are one group, which begins them all at once.
struct root_group {
  std::uint32_t tree = 0;            ///< index of its topmost node
  std::uint64_t outside_before = 0;  ///< the time in which no root ran, before the group
};

struct program {
  std::vector<tree_node> nodes;
  std::vector<leaf_position> leaves;
  std::vector<root_group> groups;
  std::uint64_t outside_after = 0;   ///< the time after the last root
  std::uint64_t block = 0;           ///< the work of a block (part.hpp); 0: leaves have one block each
  std::uint64_t work = 0, span = 0;  ///< of all groups, one after the other
  std::uint64_t outside = 0;         ///< the time in which no root ran, in all
  double profiling = 0;              ///< the time that was taken out of the work, because profiling had added it
  std::uint64_t strands = 0;         ///< logical strands: two for each fork, and one for each iteration
};

/// Returns the program of a profile. The time that profiling has added to a root is taken out of its leaves, in
/// proportion to their forks, but no more than three quarters of a leaf. `last`: only so many roots, the last ones, and
/// the time between them. The profile must have nodes, if it has roots. Throws std::length_error if the work of all
/// roots, or the process, takes more than 10^18 nanoseconds. Linear.
program program_of(const trace::profile& p, std::size_t last = ~std::size_t{0});

}  // namespace tine::simulate
