// A part of a program: a node of its tree, a piece of a divisible leaf, or a range of a loop's iterations. Parts are
// values; those inside of leaves and ranges exist only while a scheduler looks at them.
#pragma once

#include "simulate/program.hpp"

#include <algorithm>
#include <cstdint>

namespace tine::simulate {

/// A divisible leaf is a series of equal blocks with at most `program::block` work each. A block with work w, span s
/// and f forks has a strand of max(0, 2s − w), and then, if work is left, two branches, each with half of the rest of
/// the work and the rest of the span. So the work and the span of a leaf are exactly those of the profile. A leaf that
/// holds iterations of a loop is a range of pieces: the first is as long as the span, the others as `tree_node::piece`.
struct part {
  enum class kind : std::uint8_t {
    tree,      ///< the node
    branches,  ///< the branches of a parallel node from position `begin` on
    blocks,    ///< some blocks of a divisible leaf
    block,     ///< a block, or a branch inside of one
    range,     ///< some iterations of a loop, those from position `begin` on
  };
  kind is = kind::tree;
  std::uint32_t node = 0;
  std::uint64_t begin = 0, work = 0;
  std::uint64_t span = 0;    ///< of a block
  std::uint64_t blocks = 0;  ///< their number

  std::uint64_t end() const noexcept { return begin + work; }
};

inline part part_of(const program& p, std::uint32_t node) noexcept {
  const tree_node& n = p.nodes[node];
  using shape = trace::node::shape;
  const bool is_inner = n.children > 0;
  const auto is = is_inner && n.is == shape::loop       ? part::kind::range
                  : is_inner && n.is == shape::parallel ? part::kind::branches
                                                        : part::kind::tree;
  return {is, node, n.begin, n.work, n.span, 0};
}

/// Returns the number of blocks of a divisible leaf: each has a fork.
inline std::uint64_t blocks_in(const program& p, const tree_node& leaf) noexcept {
  if (p.block == 0) return 1;
  return std::clamp<std::uint64_t>((leaf.work + p.block - 1) / p.block, 1,
                                   std::max<std::uint64_t>(1, std::min(leaf.forks, leaf.span)));
}

/// Returns the i-th of the blocks: they are as equal as whole nanoseconds allow.
inline part block_at(const part& all, std::uint64_t i) noexcept {
  const auto share = [&](std::uint64_t of, std::uint64_t k) {
    return of / all.blocks * k + std::min(k, of % all.blocks);
  };
  const std::uint64_t work = share(all.work, i + 1) - share(all.work, i),
                      span = share(all.span, i + 1) - share(all.span, i);
  return {part::kind::block, all.node, all.begin + share(all.work, i), work, std::min(work, span), 0};
}

/// Returns the index of the block that holds the position.
inline std::uint64_t block_index(const part& all, std::uint64_t position) noexcept {
  const std::uint64_t each = all.work / all.blocks, longer = all.work % all.blocks, at = position - all.begin;
  if (at < longer * (each + 1)) return at / (each + 1);
  return longer + (at - longer * (each + 1)) / std::max<std::uint64_t>(each, 1);
}

/// Returns the length of the strand at the begin of a block.
inline std::uint64_t strand_of(const part& block) noexcept {
  if (block.work <= block.span) return block.work;
  return 2 * block.span > block.work ? 2 * block.span - block.work : 0;
}

/// Returns the first and the second branch of a block whose work is more than its span.
inline part first_branch(const part& block) noexcept {
  const std::uint64_t strand = strand_of(block);
  return {part::kind::block, block.node, block.begin + strand, (block.work - strand + 1) / 2, block.span - strand, 0};
}
inline part second_branch(const part& block) noexcept {
  const part first = first_branch(block);
  return {part::kind::block, block.node, first.end(), block.end() - first.end(), first.span, 0};
}

/// Returns the part of a leaf: its blocks, if it is divisible and no range.
inline part inside_leaf(const program& p, std::uint32_t node) noexcept {
  const tree_node& n = p.nodes[node];
  return {part::kind::blocks, node, n.begin, n.work, n.span, blocks_in(p, n)};
}

/// Returns the child that holds the position, which must be inside of the node and below its end.
inline std::uint32_t child_at(const program& p, const tree_node& n, std::uint64_t position) noexcept {
  const auto first = p.nodes.begin() + n.first, last = first + n.children;
  const auto after =
      std::upper_bound(first, last, position, [](std::uint64_t at, const tree_node& c) { return at < c.begin; });
  return static_cast<std::uint32_t>(after - p.nodes.begin()) - 1;
}

/// Returns the end of the last piece of a divisible leaf of iterations that ends at most `length` behind its begin; 0
/// if there is none. The first piece is the longest chunk, which is as long as the span.
inline std::uint64_t pieces_within(const tree_node& leaf, std::uint64_t length) noexcept {
  return length < leaf.span ? 0 : leaf.span + (length - leaf.span) / leaf.piece * leaf.piece;
}

/// Returns the end of the iterations around `position` that no scheduler divides: a chunk with forks of its own, or a
/// piece of the others.
inline std::uint64_t end_of_iterations(const program& p, const part& range, std::uint64_t position) noexcept {
  const tree_node& c = p.nodes[child_at(p, p.nodes[range.node], position)];
  if (!c.is_iterations || !c.is_divisible()) return std::min(c.end(), range.end());
  const std::uint64_t before = pieces_within(c, position - c.begin);
  return std::min({c.begin + before + (before == 0 ? c.span : c.piece), c.end(), range.end()});
}

/// Returns the greatest end of iterations in the range that is not above `wanted`, but at least `least`, which must be
/// one.
inline std::uint64_t end_of_iterations_below(const program& p, const part& range, std::uint64_t wanted,
                                             std::uint64_t least) noexcept {
  if (wanted <= least) return least;
  const tree_node& c = p.nodes[child_at(p, p.nodes[range.node], wanted)];
  const std::uint64_t whole = c.is_iterations && c.is_divisible() ? pieces_within(c, wanted - c.begin) : 0;
  return std::max(c.begin + whole, least);
}

}  // namespace tine::simulate
