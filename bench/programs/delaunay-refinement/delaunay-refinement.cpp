// delaunay-refinement: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/splitmix.hpp"
#include "programs/delaunay/triangulate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bench {

/// Without forks: a queue of triangles.
void serial(problem& p) {
  triangulation& m = p.mesh;
  std::vector<std::uint32_t> queue;
  for (std::uint32_t t = 0; t < m.triangle_count(); ++t)
    if (m.is_skinny(m.triangles[t])) queue.push_back(t);
  cavity hole;
  for (std::size_t head = 0; head < queue.size() && m.point_count < m.points.size(); ++head) {
    const std::uint32_t t = queue[head];
    if (!m.is_refinable(m.triangles[t], hole.centre)) continue;
    m.find_cavity(t, hole);
    m.insert(hole, static_cast<std::uint32_t>(m.point_count++));
    for (const std::uint32_t fresh : hole.inner)
      if (m.is_skinny(m.triangles[fresh])) queue.push_back(fresh);
  }
}

void managed(problem& p) { solve(p, managed_algorithms{}); }

namespace {

/// Returns the corners of the square and random points in it, in the order of their abscissae.
std::vector<point> random_points(std::size_t n) {
  splitmix random{1};
  std::vector<point> points{{0, 0}, {0, side}, {side, 0}, {side, side}};
  const auto inside = [&random] { return static_cast<double>(1 + random.below(delaunay::coordinates - 2)); };
  while (points.size() < n) {
    while (points.size() < n) points.push_back({inside(), inside()});
    std::ranges::sort(points);
    points.erase(std::unique(points.begin(), points.end()), points.end());
  }
  return points;
}

std::vector<triangle> triangulate(const std::vector<point>& points) {
  delaunay::mesh m;
  m.reset(points);
  delaunay::triangulate(m, 0, static_cast<std::uint32_t>(points.size()), serial_loops{}, 0);
  std::vector<std::uint32_t> on_left(m.halves(), nothing);
  std::vector<triangle> triangles;
  const auto visit = [&](auto of_edges) {
    for (delaunay::edge e = 0; e < m.halves(); ++e) {
      if (!m.exists(e)) continue;
      const delaunay::edge second = m.next_on_left(e), third = m.next_on_left(second);
      const bool is_least = e < second && e < third && m.next_on_left(third) == e;
      if (is_least && turn(m.from(e), m.from(second), m.from(third)) > 0) of_edges(e, second, third);
    }
  };
  visit([&](delaunay::edge a, delaunay::edge b, delaunay::edge c) {
    on_left[a] = on_left[b] = on_left[c] = static_cast<std::uint32_t>(triangles.size());
    triangles.push_back({{m.origin(a), m.origin(b), m.origin(c)}, {}});
  });
  visit([&](delaunay::edge a, delaunay::edge b, delaunay::edge c) {
    triangle& t = triangles[on_left[a]];
    t.neighbours[0] = on_left[a ^ 1];
    t.neighbours[1] = on_left[b ^ 1];
    t.neighbours[2] = on_left[c ^ 1];
  });
  return triangles;
}

/// Returns the angle at a, in degrees.
double angle(const point& a, const point& b, const point& c) {
  const double along = (b.x - a.x) * (c.x - a.x) + (b.y - a.y) * (c.y - a.y);
  return std::atan2(turn(a, b, c), along) * 180 / std::numbers::pi;
}

/// Returns the place where the perpendicular bisectors of ab and ac meet.
point middle_of_circle(const point& a, const point& b, const point& c) {
  const double bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y;
  const double s = ((cx - bx) * cx + (cy - by) * cy) / (2 * (bx * cy - by * cx));
  return {a.x + bx / 2 - s * by, a.y + by / 2 + s * bx};
}

}  // namespace

void problem::reset() {
  if (input_points_.size() != n) {
    input_points_ = random_points(n);
    input_triangles_ = triangulate(input_points_);
    mesh.points.resize(capacity * n);
    mesh.triangles.resize(2 * capacity * n);
  }
  std::ranges::copy(input_points_, mesh.points.begin());
  std::ranges::copy(input_triangles_, mesh.triangles.begin());
  mesh.point_count = n;
}

/// A triangle may have a small angle only if the middle of its circle is near to a side of the square, or outside.
std::string problem::mistake_in(std::size_t t) const {
  const triangle& here = mesh.triangles[t];
  point corners[3];
  for (std::size_t k = 0; k < 3; ++k) {
    if (here.corners[k] >= mesh.point_count) return format("triangle {} has a corner that does not exist", t);
    corners[k] = mesh.points[here.corners[k]];
  }
  const auto& [a, b, c] = corners;
  if (turn(a, b, c) <= 0) return format("triangle {} is not in counter-clockwise order", t);
  for (std::size_t k = 0; k < 3; ++k) {
    if (here.neighbours[k] == nothing) continue;
    if (here.neighbours[k] >= mesh.triangle_count()) return format("triangle {} has no neighbour {}", t, k);
    const triangle& other = mesh.triangles[here.neighbours[k]];
    const auto back = std::ranges::find(other.neighbours, static_cast<std::uint32_t>(t)) - other.neighbours;
    if (back == 3 || other.corners[back] != here.corners[(k + 1) % 3] ||
        other.corners[(back + 1) % 3] != here.corners[k])
      return format("triangle {} is no neighbour of its neighbour {}", t, k);
    const point& opposite = mesh.points[other.corners[(back + 2) % 3]];
    if (delaunay::circle_terms{a, b, c, opposite}.exact() > 0) return format("a point is in the circle of {}", t);
  }
  if (std::min({angle(a, b, c), angle(b, c, a), angle(c, a, b)}) >= 26 - 1e-6) return "";
  const point middle = middle_of_circle(a, b, c);
  const bool is_inside = middle.x > 1 && middle.y > 1 && middle.x < side - 1 && middle.y < side - 1;
  return is_inside ? format("triangle {} has a small angle", t) : "";
}

std::string problem::mistake() const {
  if (!std::equal(input_points_.begin(), input_points_.end(), mesh.points.begin())) return "the input points changed";
  std::vector<bool> is_met(mesh.point_count);
  double area = 0;  // twice; exact
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    if (std::string mistake = mistake_in(t); !mistake.empty()) return mistake;
    const auto& [a, b, c] = mesh.triangles[t].corners;
    area += turn(mesh.points[a], mesh.points[b], mesh.points[c]);
    is_met[a] = is_met[b] = is_met[c] = true;
  }
  if (std::ranges::find(is_met, false) != is_met.end()) return "a point has no triangle";
  if (area != 2 * side * side) return "the triangles do not cover the square";
  return "";
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) { o.size("--n", p.n, {least_n, largest_n}, large_n, "Points of the input"); };
  program it{
      .name = "delaunay-refinement",
      .description = "Adds points to a triangulation until no angle is small.",
      .add_options = add_options,
      .params = [] { return parameters{{"n", p.n}}; },
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
