// nearest-nbrs: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/loops/divided.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/loops/serial.hpp"
#include "harness/splitmix.hpp"

namespace bench {

void serial(problem& p) { solve(p, serial_loops{}); }
void managed(problem& p) { solve(p, managed_algorithms{}); }
void tuned(problem& p) { solve(p, divided_loops{256}, 2048); }
void dac(problem& p) { solve(p, divided_loops{single}); }

namespace {

constexpr std::int32_t extent = 1 << 28;
constexpr int clusters = 100;
constexpr std::size_t samples = 2000;

/// Returns random points: half of them are all over the square, the others in clusters that are denser towards their
/// middles.
std::vector<point> make_points(std::size_t n) {
  splitmix random{1};
  point middle[clusters];
  const auto anywhere = [&] { return static_cast<std::int32_t>(random.below(extent)); };
  for (point& p : middle) p = {{anywhere(), anywhere()}, 0};

  std::vector<point> points(n);
  for (std::size_t i = 0; i < n; ++i) {
    point p{{anywhere(), anywhere()}, static_cast<std::uint32_t>(i)};
    if (const std::uint64_t choice = random.below(2 * clusters); choice < clusters) {
      const std::int32_t narrow = 16 << random.below(8);
      for (int axis : {0, 1}) p.at[axis] = middle[choice].at[axis] + p.at[axis] / narrow;
    }
    points[i] = p;
  }
  return points;
}

/// Returns the distance from sorted[i] to its nearest neighbour: looks to the left and to the right until points are
/// too far.
std::int64_t distance_by_sweep(const std::vector<point>& sorted, std::size_t i) {
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  const auto is_beyond = [&](std::size_t j) {
    const std::int64_t x = std::int64_t{sorted[j].at[0]} - sorted[i].at[0];
    if (x * x >= best) return true;
    best = std::min(best, distance(sorted[i], sorted[j]));
    return false;
  };
  for (std::size_t j = i; j-- > 0 && !is_beyond(j);) {
  }
  for (std::size_t j = i + 1; j < sorted.size() && !is_beyond(j); ++j) {
  }
  return best;
}

}  // namespace

void problem::reset() {
  if (input_.size() != n) {
    input_ = make_points(n);
    std::vector<point> sorted = input_;
    std::ranges::sort(sorted, {}, [](const point& p) { return p.at[0]; });
    samples_.clear();
    for (std::size_t i = 0; i < n; i += n / samples + 1)
      samples_.push_back({sorted[i].number, distance_by_sweep(sorted, i)});
  }
  points = input_;
  nearest.assign(n, 0);
}

std::string problem::mistake() const {
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    if (nearest[i] >= nearest.size() || nearest[i] == i) return format("{} is no neighbour of {}", nearest[i], i);
    if (distance_of(nearest[i]) > distance_of(i))
      return format("{} is nearer to {} than {} is", i, nearest[i], nearest[nearest[i]]);
  }
  for (const sample& s : samples_)
    if (distance_of(s.number) != s.distance)
      return format("the nearest neighbour of {} is not {}", s.number, nearest[s.number]);
  return "";
}

std::uint64_t problem::answer() const {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < nearest.size(); ++i) total += static_cast<std::uint64_t>(distance_of(i));
  return total;
}

program describe_program() {
  static problem p;
  program it{
      .name = "nearest-nbrs",
      .description = "Finds the nearest neighbour of each of many points in the plane by a k-d tree.",
      .add_options = [](options& o) { o.size("--n", p.n, {2, largest_n}, large_n, "Points, at least 2"); },
  };
  return program_of_loops(p, std::move(it));
}

}  // namespace bench
