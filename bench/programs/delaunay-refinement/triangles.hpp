// A triangulation as triangles and their neighbours, and the insertion of a point.
#pragma once

#include "programs/delaunay/point.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench::delaunay_refinement {

using delaunay::in_circle;
using delaunay::point;
using delaunay::turn;

constexpr std::uint32_t nothing = ~std::uint32_t{0};

/// Points and triangles are in a square whose sides are on the coordinates 0 and this.
constexpr double side = static_cast<double>(delaunay::coordinates - 1);

/// The square of the sine of 26°, the least angle that a triangle may have.
constexpr double least_sine_squared = 0.19216925;

/// The corners are in counter-clockwise order. Neighbour i shares the edge from corner i to the next corner.
struct triangle {
  std::uint32_t corners[3];
  std::uint32_t neighbours[3];
};

/// The triangles that the insertion of a point replaces, and those around them.
struct cavity {
  /// An edge of a triangle around the cavity, or of the square's sides, with the cavity on its left.
  struct edge {
    std::uint32_t from, to;
    std::uint32_t outer;  ///< `nothing` at a side of the square
  };

  point centre;
  std::vector<std::uint32_t> inner;
  std::vector<edge> edges;
};

/// Any number of threads may insert points at once, if no triangle is in, or around, the cavities of two of them.
class triangulation {
 public:
  std::vector<point> points;
  std::vector<triangle> triangles;
  std::size_t point_count = 0;  ///< the points before this, and the triangles before `triangle_count()`, exist

  /// By Euler's formula, for a hull of four points: the corners of the square.
  std::size_t triangle_count() const { return 2 * point_count - 6; }

  /// Returns true if an angle of the triangle is too small: by the law of sines, the square of the sine of the smallest angle is the square of
  /// twice the area over the product of the squares of the two longer edges.
  bool is_skinny(const triangle& t) const {
    const point &a = points[t.corners[0]], &b = points[t.corners[1]], &c = points[t.corners[2]];
    const double ab = squared(a, b), bc = squared(b, c), ca = squared(c, a), area = turn(a, b, c);
    const double shortest = std::min({ab, bc, ca});
    return area * area * shortest < least_sine_squared * (ab * bc * ca);
  }

  /// Returns true if the triangle is skinny and its centre can be inserted. `centre` becomes the centre of its circle, rounded.
  bool is_refinable(const triangle& t, point& centre) const {
    if (!is_skinny(t)) return false;
    const point &a = points[t.corners[0]], &b = points[t.corners[1]], &c = points[t.corners[2]];
    const double ab = squared(a, b), ac = squared(a, c), twice = 2 * turn(a, b, c);
    centre = {std::round(a.x + ((c.y - a.y) * ab - (b.y - a.y) * ac) / twice),
              std::round(a.y + ((b.x - a.x) * ac - (c.x - a.x) * ab) / twice)};
    return centre.x > 0 && centre.x < side && centre.y > 0 && centre.y < side && in_circle(a, b, c, centre);
  }

  /// Finds the triangles whose circles contain `hole.centre`, beginning with one of them.
  void find_cavity(std::uint32_t first, cavity& hole) const {
    hole.inner.assign(1, first);
    hole.edges.clear();
    for (std::size_t i = 0; i < hole.inner.size(); ++i) {
      const triangle& t = triangles[hole.inner[i]];
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t next = t.neighbours[k];
        if (next != nothing && std::ranges::find(hole.inner, next) != hole.inner.end()) continue;
        if (next != nothing && contains(triangles[next], hole.centre)) {
          hole.inner.push_back(next);
        } else {
          hole.edges.push_back({t.corners[k], t.corners[(k + 1) % 3], next});
        }
      }
    }
  }

  /// Inserts the centre of a cavity as the point `number`, and adds the numbers of the new triangles to `hole.inner`: one for each edge.
  void insert(cavity& hole, std::uint32_t number) {
    points[number] = hole.centre;
    hole.inner.push_back(2 * number - 6);
    hole.inner.push_back(2 * number - 5);
    for (std::size_t i = 0; i < hole.edges.size(); ++i) {
      const cavity::edge& e = hole.edges[i];
      const auto of_edge = [&](auto cavity::edge::* end, std::uint32_t at) {
        const auto found = std::ranges::find(hole.edges, at, end);
        return hole.inner[static_cast<std::size_t>(found - hole.edges.begin())];
      };
      triangles[hole.inner[i]] = {{e.from, e.to, number},
                                  {e.outer, of_edge(&cavity::edge::from, e.to), of_edge(&cavity::edge::to, e.from)}};
      if (e.outer != nothing) neighbour_at(triangles[e.outer], e.to) = hole.inner[i];
    }
  }

 private:
  static double squared(const point& a, const point& b) {
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
  }

  bool contains(const triangle& t, const point& p) const {
    return in_circle(points[t.corners[0]], points[t.corners[1]], points[t.corners[2]], p);
  }

  /// Returns the neighbour of a triangle at the edge that begins at a corner.
  static std::uint32_t& neighbour_at(triangle& t, std::uint32_t corner) {
    return t.neighbours[t.corners[0] == corner ? 0 : t.corners[1] == corner ? 1 : 2];
  }
};

}  // namespace bench::delaunay_refinement
