// range-query: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>
#include <numeric>

namespace bench {
namespace {

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

void managed(problem& p) { solve(p, managed_algorithms{}); }

namespace {

point random_point(splitmix& random) {
  return {static_cast<std::uint32_t>(random.below(coordinates)), static_cast<std::uint32_t>(random.below(coordinates))};
}

/// Returns a rectangle whose sides have random scales, from all of the plane down to 1/4096 of it.
rectangle random_rectangle(splitmix& random) {
  const point low = random_point(random);
  const auto end_of = [&random](std::uint32_t begin) {
    const auto side = static_cast<std::uint32_t>(random.below(coordinates >> random.below(13)));
    return std::min(begin + side, coordinates - 1);
  };
  return {low, {end_of(low.x), end_of(low.y)}};
}

/// Counts of points by ordinates, in a tree of sums (Fenwick, Software: Practice and Experience 24(3), 1994).
class tally {
 public:
  explicit tally(const std::vector<point>& points) : sums_(points.size() + 1) {
    for (const point& p : points) ordinates_.push_back(p.y);
    std::ranges::sort(ordinates_);
  }

  void add(std::uint32_t y) {
    for (std::size_t i = rank(y); i < sums_.size(); i += i & (~i + 1)) ++sums_[i];
  }

  /// Returns the number of points that were added and are not above y.
  std::uint32_t up_to(std::uint32_t y) const {
    std::uint32_t sum = 0;
    for (std::size_t i = rank(y); i > 0; i &= i - 1) sum += sums_[i];
    return sum;
  }

 private:
  std::size_t rank(std::uint32_t y) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(ordinates_, y) - ordinates_.begin());
  }

  std::vector<std::uint32_t> ordinates_;
  std::vector<std::uint32_t> sums_;
};

/// Returns the number of points in each rectangle: a line sweeps over the plane from left to right and meets points and
/// the sides of rectangles.
std::vector<std::uint32_t> count_by_sweep(std::vector<point> points, const std::vector<rectangle>& rectangles) {
  tally below{points};
  std::ranges::sort(points, {}, &point::x);
  std::vector<std::uint32_t> by_begin(rectangles.size());
  std::iota(by_begin.begin(), by_begin.end(), 0U);
  std::vector<std::uint32_t> by_end = by_begin, counts(rectangles.size());
  std::ranges::sort(by_begin, {}, [&](std::uint32_t r) { return rectangles[r].low.x; });
  std::ranges::sort(by_end, {}, [&](std::uint32_t r) { return rectangles[r].high.x; });
  const auto between = [&](const rectangle& r) {
    return below.up_to(r.high.y) - (r.low.y == 0 ? 0 : below.up_to(r.low.y - 1));
  };
  auto begin = by_begin.begin(), end = by_end.begin();
  const auto sweep_to = [&](std::uint64_t x) {  // all begins up to x, and all ends before x
    while (begin != by_begin.end() || end != by_end.end()) {
      const std::uint64_t at_begin = begin == by_begin.end() ? x + 1 : rectangles[*begin].low.x;
      const std::uint64_t at_end = end == by_end.end() ? x + 1 : std::uint64_t{rectangles[*end].high.x} + 1;
      if (std::min(at_begin, at_end) > x) return;
      if (at_begin <= at_end) {
        counts[*begin] -= between(rectangles[*begin]);
        ++begin;
      } else {
        counts[*end] += between(rectangles[*end]);
        ++end;
      }
    }
  };
  for (const point& p : points) {
    sweep_to(p.x);
    below.add(p.y);
  }
  sweep_to(std::uint64_t{coordinates});
  return counts;
}

}  // namespace

void problem::reset() {
  if (points.size() != n) {
    splitmix random{1};
    points.resize(n);
    rectangles.resize(n);
    for (point& p : points) p = random_point(random);
    for (rectangle& r : rectangles) r = random_rectangle(random);
    expected_ = count_by_sweep(points, rectangles);
  }
  counts.assign(n, ~std::uint32_t{0});
}

std::uint64_t problem::answer() const { return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}); }

std::string problem::mistake() const {
  for (std::size_t i = 0; i < n; ++i)
    if (counts[i] != expected_[i]) return format("rectangle {} has {} points, not {}", i, expected_[i], counts[i]);
  return "";
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Points, and rectangles"); };
  program it{
      .name = "range-query",
      .description = "Counts the points in each of many rectangles.",
      .add_options = add_options,
      .params = [] { return parameters{{"n", p.n}}; },
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
