// delaunay: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>
#include <utility>

namespace bench {

void serial(problem& p) { solve(p, serial_loops{}, 0); }

/// On tine: a fork for every part of more than three points.
void managed(problem& p) { solve(p, managed_algorithms{}, 0); }

void tuned(problem& p) { solve(p, managed_algorithms{}); }

namespace {

std::vector<point> random_points(std::size_t n) {
  splitmix random{1};
  std::vector<point> points;
  while (points.size() < n) {
    while (points.size() < n)
      points.push_back(
          {static_cast<double>(random.below(coordinates)), static_cast<double>(random.below(coordinates))});
    std::ranges::sort(points);
    points.erase(std::unique(points.begin(), points.end()), points.end());
  }
  for (std::size_t i = n; i > 1; --i) std::swap(points[i - 1], points[random.below(i)]);
  return points;
}

/// Returns twice the area of the points' convex hull: one scan from the left finds the lower and the upper side of the
/// hull (Andrew 1979).
double hull_area(const std::vector<point>& points) {
  std::vector<point> lower, upper;
  const auto extend = [](std::vector<point>& side, const point& p, double sign) {
    while (side.size() >= 2 && sign * turn(side[side.size() - 2], side.back(), p) <= 0) side.pop_back();
    side.push_back(p);
  };
  for (const point& p : points) {
    extend(lower, p, 1);
    extend(upper, p, -1);
  }
  double area = 0;
  for (std::size_t i = 1; i < lower.size(); ++i) area += turn(points[0], lower[i - 1], lower[i]);
  for (std::size_t i = 1; i < upper.size(); ++i) area -= turn(points[0], upper[i - 1], upper[i]);
  return area;
}

/// Walks over all half edges of a triangulation once.
class examination {
 public:
  explicit examination(const problem& p) : p_{p}, m_{p.edges} {}

  const char* mistake() {
    std::vector<bool> met(p_.points.size());
    for (edge e = 0; e < m_.halves(); ++e) {
      if (!m_.exists(e)) continue;
      if (!is_well_linked(e)) return "the edges around a point are no ring";
      met[m_.origin(e)] = true;
      if (is_in_triangle(e)) {
        ++in_triangles_;
        area_ += turn(m_.from(e), m_.to(e), opposite(e)) / 3;
        if (is_in_triangle(e ^ 1) && circle_terms{m_.from(e), m_.to(e), opposite(e), opposite(e ^ 1)}.exact() > 0)
          return "a point is inside the circle around a triangle";
      } else {
        ++outside_;
        an_outer_ = e;
      }
    }
    if (std::ranges::find(met, false) != met.end()) return "a point has no edge";
    if (!outside_is_one_face()) return "there is a face that is no triangle";
    if (!euler_holds()) return "points, edges and faces do not make a plane graph";
    if (std::abs(area_ - hull_area(p_.points)) > 1e-9 * area_) return "the triangles do not cover the convex hull";
    return "";
  }

 private:
  const point& opposite(edge e) const { return m_.to(m_.next_on_left(e)); }

  bool is_well_linked(edge e) const {
    const edge next = m_.next(e);
    return next < m_.halves() && m_.exists(next) && m_.exists(e ^ 1) && m_.previous(next) == e &&
           m_.origin(next) == m_.origin(e) && m_.target(e) != m_.origin(e);
  }

  bool is_in_triangle(edge e) const {
    const edge second = m_.next_on_left(e), third = m_.next_on_left(second);
    return m_.next_on_left(third) == e && turn(m_.from(e), m_.to(e), m_.to(second)) > 0;
  }

  bool outside_is_one_face() const {
    if (outside_ == 0) return false;
    std::size_t steps = 0;
    edge e = an_outer_;
    do {
      e = m_.next_on_left(e);
      ++steps;
    } while (e != an_outer_ && steps <= outside_);
    return e == an_outer_ && steps == outside_;
  }

  /// Points - edges + faces = 2.
  bool euler_holds() const { return p_.points.size() + in_triangles_ / 3 + 1 == 2 + (in_triangles_ + outside_) / 2; }

  const problem& p_;
  const mesh& m_;
  std::size_t in_triangles_ = 0;
  std::size_t outside_ = 0;
  edge an_outer_ = 0;
  double area_ = 0;
};

}  // namespace

void problem::reset() {
  if (input_.size() != n) input_ = random_points(n);
  points = input_;
  edges.reset(points);
}

std::size_t problem::answer() const {
  std::size_t count = 0;
  for (edge e = 0; e < edges.halves(); e += 2) count += edges.exists(e);
  return count;
}

const char* problem::mistake() const {
  std::vector<point> sorted = input_;
  std::ranges::sort(sorted);
  if (points != sorted) return "the points are not those of the input, in order";
  return examination{*this}.mistake();
}

program describe_program() {
  static problem p;
  program it{
      .name = "delaunay",
      .description = "Triangulates random points in the plane, so that no circle around a triangle has one inside.",
      .add_options = [](options& o) { o.size("--n", p.n, {4, largest_n}, large_n, "Points"); },
  };
  return program_of_loops(p, std::move(it));
}

}  // namespace bench
