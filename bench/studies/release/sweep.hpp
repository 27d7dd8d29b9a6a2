// A sweep over points in the plane: after each point, from left to right, a version of the tree of all heights so far. How
// many points are in a rectangle is then said by two versions.
#pragma once

#include "studies/release/tree.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace bench::release {

/// The points with `left` <= x < `right` and `bottom` <= y < `top`; x is a point's number.
struct rectangle {
  std::uint32_t left, right;
  rank bottom, top;
};

class sweep {
 public:
  /// The heights of the points, from left to right: a permutation of 0 up to a power of two.
  explicit sweep(std::span<const rank> heights);

  /// Makes all versions: those at the borders of blocks one after the other, each in parallel, and then the blocks in parallel.
  void build();
  std::uint32_t count(const rectangle& r) const;
  /// Lets go of all versions, blocks in parallel: by forks and not by a loop, so that a profile has a point for each fork.
  template <class CutOff>
  void release();

 private:
  static constexpr std::size_t block = 256;

  std::size_t blocks() const noexcept { return (heights_.size() + block - 1) / block; }
  std::span<const rank> heights_of(std::size_t b) const;
  void build_block(std::size_t b);
  template <class CutOff>
  void release_blocks(std::size_t begin, std::size_t end);
  extent all() const noexcept { return {0, static_cast<rank>(heights_.size())}; }

  std::span<const rank> heights_;
  std::vector<const node*> versions_;  // number i has the first i points
};

}  // namespace bench::release
