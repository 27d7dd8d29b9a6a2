// Range counting by an index: two sorts, and a wavelet matrix whose levels are prefix sums and permutations (Labeit, Shun and Blelloch, Journal of
// Discrete Algorithms 43, 2017).
#pragma once

#include "index.hpp"
#include "problem.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench::range_query {

/// Finds the levels one after the other. Reorders `numbers`.
template <class Algorithms>
void find_levels(const Algorithms& algorithms, std::vector<level>& levels, std::vector<std::uint32_t>& numbers) {
  const std::size_t blocks = levels.front().blocks.size();
  std::vector<std::uint32_t> next(numbers.size()), sums(blocks);
  for (level& l : levels) {
    algorithms.for_each(std::size_t{0}, blocks, [&](std::size_t b) { l.blocks[b].before = l.find_ones(b, numbers); });
    algorithms.sums(blocks, sums.data(), [&l](std::size_t b) { return l.blocks[b].before; });
    l.zeros = static_cast<std::uint32_t>(numbers.size()) - sums.back();
    algorithms.for_each(std::size_t{0}, blocks, [&](std::size_t b) {
      l.blocks[b].before = b == 0 ? 0 : sums[b - 1];
      l.move(b, numbers, next);
    });
    numbers.swap(next);
  }
}

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  const std::size_t n = p.n;
  index all{n};
  std::vector<point> points(n);
  algorithms.for_each(std::size_t{0}, n, [&](std::size_t i) { points[i] = p.points[i]; });
  algorithms.integer_sort(points.data(), points.data() + n, [](const point& q) { return q.x; });
  std::vector<placed> by_y(n);
  algorithms.for_each(std::size_t{0}, n, [&](std::size_t i) {
    all.x[i] = points[i].x;
    by_y[i] = {points[i].y, static_cast<std::uint32_t>(i)};
  });
  algorithms.integer_sort(by_y.data(), by_y.data() + n, [](const placed& c) { return c.coordinate; });
  std::vector<std::uint32_t> ranks(n);
  algorithms.for_each(std::size_t{0}, n, [&](std::size_t rank) {
    all.y[rank] = by_y[rank].coordinate;
    ranks[by_y[rank].place] = static_cast<std::uint32_t>(rank);
  });
  find_levels(algorithms, all.levels, ranks);
  algorithms.for_each(std::size_t{0}, n, [&](std::size_t i) { p.counts[i] = all.count(p.rectangles[i]); });
}

}  // namespace bench::range_query
