// A sweep over points in the plane, from left to right, that makes after each point a version of the tree of all
// heights so far. Two versions then give the number of points in a rectangle.
#pragma once

#include "studies/release/extent.hpp"

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
  /// `heights` are those of the points, from left to right: a permutation of the numbers from 0 to before a power of
  /// two.
  explicit sweep(std::span<const rank> heights);

  /// Makes all versions: first the versions at the borders of blocks one after the other, each in parallel, and then
  /// the versions inside of the blocks, all blocks in parallel.
  void build();
  std::uint32_t count(const rectangle& r) const;
  /// Releases all versions, blocks in parallel. Uses forks instead of a loop, so that a profile has a point for each
  /// fork.
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
