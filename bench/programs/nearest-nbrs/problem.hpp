// The problem nearest-nbrs: find the nearest neighbour of each of many points in the plane.
#pragma once

#include "harness/loops/serial.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

// A k-d tree of points in the plane, over any loops. The tree is an order of the points: the middle point of a range
// parts the range. In one coordinate the points before it are not greater, and the points after it are not less.

/// A point, and its number in the input.
struct point {
  std::int32_t at[2];
  std::uint32_t number;
};

/// Ranges of this number of points or fewer are not parted.
constexpr std::size_t leaf_points = 8;

/// Returns the square of the distance, which is exact.
inline std::int64_t distance(const point& p, const point& q) {
  const std::int64_t x = std::int64_t{p.at[0]} - q.at[0], y = std::int64_t{p.at[1]} - q.at[1];
  return x * x + y * y;
}

/// Orders the points as a tree whose root parts them by the coordinate `axis`. Forks for more than `grain` points.
template <class Loops>
void build(const Loops& loops, std::span<point> points, std::size_t grain, int axis = 0) {
  if (points.size() <= leaf_points) return;
  if constexpr (!std::is_same_v<Loops, serial_loops>)
    if (points.size() <= grain) return build(serial_loops{}, points, 0, axis);
  const auto middle = points.begin() + static_cast<std::ptrdiff_t>(points.size() / 2);
  const auto less = [axis](const point& p, const point& q) { return p.at[axis] < q.at[axis]; };
  if constexpr (requires { loops.nth_element(points.begin(), middle, points.end(), less); }) {
    loops.nth_element(points.begin(), middle, points.end(), less);
  } else {
    std::nth_element(points.begin(), middle, points.end(), less);
  }
  loops.fork([=, &loops] { build(loops, {points.begin(), middle}, grain, 1 - axis); },
             [=, &loops] { build(loops, {middle + 1, points.end()}, grain, 1 - axis); });
}

/// A walk through the tree that finds the nearest of all other points.
class search {
 public:
  explicit search(const point& from) : from_{from} {}

  void visit(std::span<const point> tree, int axis = 0) {
    if (tree.size() <= leaf_points) {
      for (const point& p : tree) consider(p);
      return;
    }
    const auto half = tree.size() / 2;
    const point& parting = tree[half];
    const auto before = tree.first(half), after = tree.subspan(half + 1);
    const std::int64_t beyond = std::int64_t{from_.at[axis]} - parting.at[axis];
    visit(beyond < 0 ? before : after, 1 - axis);
    if (beyond * beyond >= best_) return;
    consider(parting);
    visit(beyond < 0 ? after : before, 1 - axis);
  }

  std::uint32_t nearest() const { return nearest_; }

 private:
  void consider(const point& p) {
    const std::int64_t d = distance(p, from_);
    if (d >= best_ || p.number == from_.number) return;
    best_ = d;
    nearest_ = p.number;
  }

  const point& from_;
  std::int64_t best_ = std::numeric_limits<std::int64_t>::max();
  std::uint32_t nearest_ = 0;
};

/// Puts the points in order and writes each one's nearest neighbour to nearest[number].
template <class Loops>
void find_neighbours(const Loops& loops, std::span<point> points, std::uint32_t* nearest, std::size_t build_grain = 0) {
  build(loops, points, build_grain);
  loops.for_each(std::size_t{0}, points.size(), [=, tree = std::span<const point>{points}](std::size_t i) {
    search from_here{tree[i]};
    from_here.visit(tree);
    nearest[tree[i].number] = from_here.nearest();
  });
}

constexpr std::size_t usual_n = 1'000'000;
constexpr std::size_t large_n = 4'000'000;
constexpr std::size_t largest_n = 100'000'000;

/// Points and their nearest neighbours.
class problem {
 public:
  /// Makes the points if `n` has changed since the last call, puts them into the order of their numbers and forgets the
  /// neighbours.
  void reset();
  /// Returns a description of a mistake in the neighbours; empty if the check finds none.
  std::string mistake() const;
  /// Returns the sum of the squares of all distances, modulo 2^64: the answer that is reported.
  std::uint64_t answer() const;

  std::size_t n = usual_n;
  std::vector<point> points;
  std::vector<std::uint32_t> nearest;  ///< the number of each point's neighbour, by the point's number

 private:
  struct sample {
    std::uint32_t number;
    std::int64_t distance;
  };

  std::int64_t distance_of(std::size_t i) const { return distance(input_[i], input_[nearest[i]]); }

  std::vector<point> input_;
  std::vector<sample> samples_;  // some points and the distances to their neighbours
};

template <class Loops>
void solve(problem& p, const Loops& loops, std::size_t build_grain = 0) {
  find_neighbours(loops, p.points, p.nearest.data(), build_grain);
}

}  // namespace bench
