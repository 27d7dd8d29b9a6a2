// ray-cast: its variants on tine and without forks, its input, and the check of its answer.
#include "problem.hpp"

#include "harness/algorithms/managed.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/splitmix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace bench {
namespace {

std::uint32_t build(hierarchy& h, const box& bounds, item* items, std::uint32_t begin, std::uint32_t end) {
  if (end - begin <= leaf_triangles) return h.make_leaf(bounds, items + begin, begin, end);
  const knife cut{bounds};
  slices s;
  for (std::uint32_t i = begin; i != end; ++i) cut.add(s, items[i]);
  division parts = divide(s);
  if (parts.left_items != 0) {
    std::partition(items + begin, items + end, [&](const item& i) { return cut.slice_of(i) < parts.slice; });
  } else {
    parts.left_items = (end - begin) / 2;
    parts.left = parts.right = bounds;
  }
  const std::uint32_t middle = begin + parts.left_items;
  const std::uint32_t first = build(h, parts.left, items, begin, middle);
  return h.join(bounds, middle, first, build(h, parts.right, items, middle, end));
}

}  // namespace

void serial(problem& p) {
  const std::size_t n = p.triangles.size();
  hierarchy h{p};
  std::vector<item> items(n);
  box bounds;
  for (std::size_t i = 0; i < n; ++i) {
    items[i] = item_of(p, i);
    bounds.add(items[i].bounds);
  }
  const std::uint32_t root = build(h, bounds, items.data(), 0, static_cast<std::uint32_t>(n));
  for (std::size_t i = 0; i < p.n; ++i) p.hits[i] = h.first_hit(p.rays[i], root);
}

void managed(problem& p) { solve(p, managed_algorithms{}); }

namespace {

constexpr int samples = 64;
constexpr double tolerance = 1e-9;

/// The mesh is between two spheres of these radii around the origin.
constexpr double inner = 0.8;
constexpr double outer = 1.2;

/// Makes a mesh of 4·m² triangles: m rows of 2·m quadrangles of degrees of latitude and longitude.
void make_mesh(std::size_t m, std::vector<vector>& points, std::vector<triangle>& triangles) {
  points.clear();
  triangles.clear();
  const double step = std::numbers::pi / static_cast<double>(m);
  for (std::size_t row = 0; row <= m; ++row) {
    for (std::size_t column = 0; column < 2 * m; ++column) {
      const double v = static_cast<double>(row) * step, u = static_cast<double>(column) * step;
      const double bumps = 0.08 * std::sin(17 * v) * std::sin(13 * u) + 0.04 * std::sin(61 * v) * std::sin(47 * u);
      const double r = 1 + bumps * std::sin(v);
      points.push_back({r * std::sin(v) * std::cos(u), r * std::sin(v) * std::sin(u), r * std::cos(v)});
    }
  }
  for (std::size_t row = 0; row < m; ++row) {
    for (std::size_t column = 0; column < 2 * m; ++column) {
      const std::size_t next = (column + 1) % (2 * m);
      const auto at = [m](std::size_t r, std::size_t c) { return static_cast<std::uint32_t>(r * 2 * m + c); };
      triangles.push_back({{at(row, column), at(row + 1, column), at(row, next)}});
      triangles.push_back({{at(row, next), at(row + 1, column), at(row + 1, next)}});
    }
  }
}

/// Returns a ray from a place at a distance of 2 to 3 to a random place of a cube around the mesh.
ray random_ray(splitmix& random) {
  for (;;) {
    ray r;
    vector to;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      r.from[axis] = 6 * random.unit() - 3;
      to[axis] = outer * (2 * random.unit() - 1);
    }
    r.direction = to - r.from;
    const bool is_inclined = r.direction[0] != 0 && r.direction[1] != 0 && r.direction[2] != 0;
    if (is_inclined && dot(r.from, r.from) > 4 && dot(r.from, r.from) < 9) return r;
  }
}

/// The plane of a triangle is hit at `t`. The triangle is hit if `inside`, the least of the three barycentric
/// coordinates, is not negative.
struct crossing {
  double t;
  double inside;
};

/// Finds the crossing by the volumes of the tetrahedra between the ray and the edges.
crossing cross_plane(const ray& r, const vector& a, const vector& b, const vector& c) {
  const vector pa = a - r.from, pb = b - r.from, pc = c - r.from;
  const double volumes[3] = {dot(r.direction, cross(pb, pc)), dot(r.direction, cross(pc, pa)),
                             dot(r.direction, cross(pa, pb))};
  const double all = volumes[0] + volumes[1] + volumes[2];
  const vector normal = cross(b - a, c - a);
  const double slope = dot(normal, r.direction);
  if (all == 0 || slope == 0) return {infinity, -infinity};
  return {dot(normal, pa) / slope, std::min({volumes[0] / all, volumes[1] / all, volumes[2] / all})};
}

}  // namespace

void problem::reset() {
  if (rays.size() != n) {
    make_mesh(static_cast<std::size_t>(std::sqrt(static_cast<double>(n) / 4)), points, triangles);
    splitmix random{1};
    rays.resize(n);
    for (ray& r : rays) r = random_ray(random);
    samples_.clear();
    for (int i = 0; i < samples; ++i) samples_.push_back(search(random.below(n)));
  }
  hits.assign(n, nothing - 1);  // the number of no triangle
}

std::size_t problem::answer() const {
  return static_cast<std::size_t>(std::ranges::count_if(hits, [](std::uint32_t hit) { return hit != nothing; }));
}

/// Finds the first hit of a ray by tests with all triangles.
problem::sample problem::search(std::size_t of_ray) const {
  double first = infinity;
  for (const triangle& t : triangles) {
    const auto& [a, b, c] = t.corners;
    const crossing at = cross_plane(rays[of_ray], points[a], points[b], points[c]);
    if (at.inside >= 0 && at.t > 0) first = std::min(first, at.t);
  }
  return {of_ray, first};
}

/// A hit must be one, from outside. A ray that meets the inner sphere must have hit the mesh before, and one that does
/// not meet the outer sphere hits nothing.
std::string problem::mistake_of(std::size_t of_ray) const {
  const ray& r = rays[of_ray];
  const double along = dot(r.direction, r.direction), nearest = -dot(r.from, r.direction) / along;
  const double squared =
      dot(r.from, r.from) - nearest * nearest * along;  // of the distance of the line from the origin
  if (hits[of_ray] == nothing) {
    if (nearest > 0 && squared < inner * inner) return format("ray {} goes through the mesh but hits nothing", of_ray);
    return "";
  }
  if (hits[of_ray] >= triangles.size()) return format("ray {} has no answer", of_ray);
  const auto& [a, b, c] = triangles[hits[of_ray]].corners;
  const crossing at = cross_plane(r, points[a], points[b], points[c]);
  if (at.inside < -tolerance || at.t <= 0) return format("ray {} does not hit triangle {}", of_ray, hits[of_ray]);
  if (dot(cross(points[b] - points[a], points[c] - points[a]), r.direction) >= 0)
    return format("ray {} hits triangle {} from behind", of_ray, hits[of_ray]);
  if (nearest <= 0 || squared > outer * outer) return format("ray {} does not meet the mesh", of_ray);
  if (squared < inner * inner && at.t > nearest - std::sqrt((inner * inner - squared) / along) + tolerance)
    return format("ray {} hits triangle {} from inside", of_ray, hits[of_ray]);
  return "";
}

std::string problem::mistake() const {
  for (std::size_t i = 0; i < n; ++i)
    if (std::string mistake = mistake_of(i); !mistake.empty()) return mistake;
  for (const sample& s : samples_) {
    double t = infinity;
    if (hits[s.ray] != nothing) {
      const auto& [a, b, c] = triangles[hits[s.ray]].corners;
      t = cross_plane(rays[s.ray], points[a], points[b], points[c]).t;
    }
    if (t != s.t && !(std::abs(t - s.t) <= tolerance)) return format("ray {} hits another triangle first", s.ray);
  }
  return "";
}

program describe_program() {
  static problem p;
  const auto add_options = [](options& o) {
    o.size("--n", p.n, {least_n, largest_n}, large_n, "Rays, and about as many triangles");
  };
  program it{
      .name = "ray-cast",
      .description = "Finds the first triangle of a mesh that each of many rays hits.",
      .add_options = add_options,
      .params = [] { return parameters{{"n", p.n}}; },
  };
  return program_of_algorithms(p, std::move(it));
}

}  // namespace bench
