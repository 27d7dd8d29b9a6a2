// range-query without forks.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include "index.hpp"

#include <algorithm>

namespace bench {
namespace {

using namespace range_query;

/// Finds the levels one after the other. Reorders `numbers`.
void find_levels(std::vector<level>& levels, std::vector<std::uint32_t>& numbers) {
  std::vector<std::uint32_t> next(numbers.size());
  for (level& l : levels) {
    std::uint32_t ones = 0;
    for (std::size_t b = 0; b < l.blocks.size(); ++b) {
      l.blocks[b].before = ones;
      ones += l.find_ones(b, numbers);
    }
    l.zeros = static_cast<std::uint32_t>(numbers.size()) - ones;
    for (std::size_t b = 0; b < l.blocks.size(); ++b) l.move(b, numbers, next);
    numbers.swap(next);
  }
}

}  // namespace

void serial(problem& p) {
  const std::size_t n = p.n;
  index all{n};
  std::vector<point> points = p.points;
  std::sort(points.begin(), points.end(), [](const point& a, const point& b) { return a.x < b.x; });
  std::vector<placed> by_y(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    all.x[i] = points[i].x;
    by_y[i] = {points[i].y, i};
  }
  std::sort(by_y.begin(), by_y.end(), [](const placed& a, const placed& b) { return a.coordinate < b.coordinate; });
  std::vector<std::uint32_t> ranks(n);
  for (std::uint32_t rank = 0; rank < n; ++rank) {
    all.y[rank] = by_y[rank].coordinate;
    ranks[by_y[rank].place] = rank;
  }
  find_levels(all.levels, ranks);
  for (std::size_t i = 0; i < n; ++i) p.counts[i] = all.count(p.rectangles[i]);
}

}  // namespace bench
