// The problem delaunay: triangulation by divide and conquer (Guibas and Stolfi, ACM Transactions on Graphics 4(2),
// 1985, section 9): triangulates the halves left and right of a vertical line in parallel, and then makes the edges
// over that line from the lowest to the highest.
#pragma once

#include "harness/loops/serial.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace bench {

// Points of the plane whose coordinates are small whole numbers, and the two tests on them that a triangulation needs.

/// Coordinates are whole numbers from 0 to below this. Their differences have 25 bits with the sign, and sums of two
/// products of differences at most 51 bits: both are exact in a double.
constexpr std::uint64_t coordinates = std::uint64_t{1} << 24;

struct point {
  double x;
  double y;
  friend auto operator<=>(const point&, const point&) = default;
};

/// Returns twice the area of the triangle a, b, c, which is positive if the points are in counter-clockwise order.
/// Exact.
[[gnu::always_inline]] inline double turn(const point& a, const point& b, const point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The terms whose sum is positive if d is inside the circle through a, b and c, which are in counter-clockwise order:
/// three products of a squared distance to d with twice an area. All six factors are exact.
struct circle_terms {
  double distance[3];
  double area[3];

  [[gnu::always_inline]] circle_terms(const point& a, const point& b, const point& c, const point& d)
      : distance{squared(a, d), squared(b, d), squared(c, d)}, area{turn(d, b, c), turn(d, c, a), turn(d, a, b)} {}

  /// Returns the exact sum, which is positive if d is inside.
  __int128 exact() const {
    __int128 sum = 0;
    for (int i = 0; i < 3; ++i)
      sum += static_cast<__int128>(static_cast<std::int64_t>(distance[i])) * static_cast<std::int64_t>(area[i]);
    return sum;
  }

 private:
  [[gnu::always_inline]] static double squared(const point& a, const point& b) {
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
  }
};

/// Returns true if d is inside the circle through a, b and c. The sum in floating point decides, unless it is so near
/// to zero that the rounding of three products and two additions, at most 4 · 2⁻⁵³ of their absolute values' sum, could
/// matter.
[[gnu::always_inline]] inline bool in_circle(const point& a, const point& b, const point& c, const point& d) {
  const circle_terms t{a, b, c, d};
  double sum = 0, absolute = 0;
  for (int i = 0; i < 3; ++i) {
    sum += t.distance[i] * t.area[i];
    absolute += t.distance[i] * std::abs(t.area[i]);
  }
  if (std::abs(sum) > 0x1p-50 * absolute) [[likely]]
    return sum > 0;
  return t.exact() > 0;
}

// The edges of a triangulation: the primal half of Guibas and Stolfi's quad-edges. Any number of threads may work on a
// mesh, each on edges of its own.

/// Half an edge: the edge as seen from the point where it begins. The other half is `e ^ 1`.
using edge = std::uint32_t;

constexpr std::uint32_t no_point = ~std::uint32_t{0};

/// A list of unused edges, by their even halves. Each part of the points that is being triangulated has a list of its
/// own. Two lists are joined in one step.
struct spares {
  edge first;
  edge last;
};

class mesh {
 public:
  /// An upper bound for the edges of k points, divided by k: a plane graph has fewer than 3·k edges.
  static constexpr std::uint32_t edges_per_point = 3;

  /// Forgets all edges, and makes room for `edges_per_point` edges for each of these points. The points must outlive
  /// the mesh.
  void reset(const std::vector<point>& points) {
    points_ = points.data();
    halves_.assign(points.size() * edges_per_point * 2, half{no_point, no_point, no_point});
  }

  std::size_t halves() const { return halves_.size(); }
  bool exists(edge e) const { return halves_[e].origin != no_point; }

  std::uint32_t origin(edge e) const { return halves_[e].origin; }
  std::uint32_t target(edge e) const { return halves_[e ^ 1].origin; }
  const point& from(edge e) const { return points_[origin(e)]; }
  const point& to(edge e) const { return points_[target(e)]; }

  /// Return the next edge with the same origin, counter-clockwise and clockwise.
  edge next(edge e) const { return halves_[e].next; }
  edge previous(edge e) const { return halves_[e].previous; }
  /// Return the next edge around the face on the left, counter-clockwise, and the previous edge around the face on the
  /// right.
  edge next_on_left(edge e) const { return previous(e ^ 1); }
  edge previous_on_right(edge e) const { return next(e ^ 1); }

  bool is_left_of(const point& p, edge e) const { return turn(p, from(e), to(e)) > 0; }
  bool is_right_of(const point& p, edge e) const { return turn(p, to(e), from(e)) > 0; }

  /// Returns the edges that belong to the points [begin, end). All of them are unused.
  spares spares_of(std::uint32_t begin, std::uint32_t end) {
    const spares all{begin * edges_per_point * 2, (end * edges_per_point - 1) * 2};
    for (edge e = all.first; e != all.last; e += 2) halves_[e].next = e + 2;
    return all;
  }

  spares joined(spares a, spares b) {
    halves_[a.last].next = b.first;
    return {a.first, b.last};
  }

  /// Returns a new edge that meets no other. The list is not empty, because it began with more edges than are ever
  /// used.
  edge make(spares& from, std::uint32_t origin, std::uint32_t target) {
    const edge e = from.first;
    from.first = halves_[e].next;
    halves_[e] = {e, e, origin};
    halves_[e ^ 1] = {e ^ 1, e ^ 1, target};
    return e;
  }

  /// If the edges around the origins of a and b form one ring, splits it into two; if they form two rings, joins them.
  void splice(edge a, edge b) {
    std::swap(halves_[a].next, halves_[b].next);
    halves_[halves_[a].next].previous = a;
    halves_[halves_[b].next].previous = b;
  }

  /// Returns a new edge from the target of a to the origin of b, so that all three edges have the same face on their
  /// left.
  edge connect(spares& from, edge a, edge b) {
    const edge e = make(from, target(a), origin(b));
    splice(e, next_on_left(a));
    splice(e ^ 1, b);
    return e;
  }

  void remove(spares& to, edge e) {
    splice(e, previous(e));
    splice(e ^ 1, previous(e ^ 1));
    e &= ~edge{1};
    halves_[e] = {to.first, no_point, no_point};
    halves_[e ^ 1].origin = no_point;
    to.first = e;
  }

 private:
  struct half {
    edge next;
    edge previous;
    std::uint32_t origin;
  };

  const point* points_ = nullptr;
  std::vector<half> halves_;
};

// The Delaunay triangulation of points in the plane: no circle around a triangle has a point inside.

constexpr std::size_t default_n = 400'000;
constexpr std::size_t large_n = 2'000'000;
constexpr std::size_t largest_n = 20'000'000;

/// Variants with a grain chosen by hand do not fork for this number of points or fewer.
constexpr std::uint32_t tuned_grain = 512;

struct problem {
  std::size_t n = default_n;
  std::vector<point> points;  ///< distinct, in no order; the run puts them in the order of their abscissae
  mesh edges;

  /// Makes the points if `n` has changed since the last call, puts them into their first order, and forgets all edges.
  void reset();

  std::size_t answer() const;

  /// Returns a description of the mistake in the triangulation, or "".
  const char* mistake() const;

 private:
  std::vector<point> input_;
};

/// A triangulation of neighbouring points.
struct part {
  edge leftmost;   ///< of the hull, counter-clockwise, from the leftmost point
  edge rightmost;  ///< of the hull, clockwise, from the rightmost point
  spares unused;
};

inline part triangulate_two(mesh& m, std::uint32_t begin) {
  spares unused = m.spares_of(begin, begin + 2);
  const edge e = m.make(unused, begin, begin + 1);
  return {e, e ^ 1, unused};
}

inline part triangulate_three(mesh& m, std::uint32_t begin) {
  spares unused = m.spares_of(begin, begin + 3);
  const edge a = m.make(unused, begin, begin + 1);
  const edge b = m.make(unused, begin + 1, begin + 2);
  m.splice(a ^ 1, b);
  const double area = turn(m.from(a), m.to(a), m.to(b));
  if (area == 0) return {a, b ^ 1, unused};
  const edge c = m.connect(unused, b, a);
  if (area > 0) return {a, b ^ 1, unused};
  return {c ^ 1, c, unused};
}

/// Joins two parts. `base_` is the edge between them that was made last, from right to left; everything below it is
/// finished.
class seam {
 public:
  seam(mesh& m, const part& left, const part& right) : m_{m}, unused_{m.joined(left.unused, right.unused)}, base_{} {
    whole_ = {left.leftmost, right.rightmost, {}};
    lay_lowest(left.rightmost, right.leftmost);
  }

  part sew() {
    while (rise()) {
    }
    whole_.unused = unused_;
    return whole_;
  }

 private:
  /// Makes the lower common tangent the first base.
  void lay_lowest(edge l, edge r) {
    for (;;) {
      if (m_.is_left_of(m_.from(r), l)) {
        l = m_.next_on_left(l);
      } else if (m_.is_right_of(m_.from(l), r)) {
        r = m_.previous_on_right(r);
      } else {
        break;
      }
    }
    base_ = m_.connect(unused_, r ^ 1, l);
    if (m_.origin(l) == m_.origin(whole_.leftmost)) whole_.leftmost = base_ ^ 1;
    if (m_.origin(r) == m_.origin(whole_.rightmost)) whole_.rightmost = base_;
  }

  bool is_above(edge e) const { return m_.is_right_of(m_.to(e), base_); }
  bool encircles(const point& above, const point& p) const { return in_circle(m_.to(base_), m_.from(base_), above, p); }

  /// Return the edge from the left end, and from the right end, of the base to the point that the next triangle may
  /// have, and remove the edges that are in its way.
  edge left_candidate() {
    edge e = m_.next(base_ ^ 1);
    if (!is_above(e)) return e;
    for (edge after = m_.next(e); encircles(m_.to(e), m_.to(after)); after = m_.next(e)) {
      m_.remove(unused_, e);
      e = after;
    }
    return e;
  }
  edge right_candidate() {
    edge e = m_.previous(base_);
    if (!is_above(e)) return e;
    for (edge after = m_.previous(e); encircles(m_.to(e), m_.to(after)); after = m_.previous(e)) {
      m_.remove(unused_, e);
      e = after;
    }
    return e;
  }

  /// Makes the next edge over the line. Returns false if the base is the upper common tangent.
  bool rise() {
    const edge l = left_candidate(), r = right_candidate();
    const bool l_is_above = is_above(l), r_is_above = is_above(r);
    if (!l_is_above && !r_is_above) return false;
    if (!l_is_above || (r_is_above && in_circle(m_.to(l), m_.from(l), m_.from(r), m_.to(r)))) {
      base_ = m_.connect(unused_, r, base_ ^ 1);
    } else {
      base_ = m_.connect(unused_, base_ ^ 1, l ^ 1);
    }
    return true;
  }

  mesh& m_;
  spares unused_;
  part whole_;
  edge base_;
};

/// Triangulates the points [begin, end), of which there are at least two. Does not fork for `grain` points or fewer.
template <class Loops>
[[gnu::noinline]] part triangulate(mesh& m, std::uint32_t begin, std::uint32_t end, const Loops& loops,
                                   std::uint32_t grain) {
  const std::uint32_t n = end - begin;
  if (n == 2) return triangulate_two(m, begin);
  if (n == 3) return triangulate_three(m, begin);
  if (n <= grain) return triangulate(m, begin, end, serial_loops{}, 0);
  const std::uint32_t middle = begin + n / 2;
  part left, right;
  loops.fork([&, begin, middle] { left = triangulate(m, begin, middle, loops, grain); },
             [&, middle, end] { right = triangulate(m, middle, end, loops, grain); });
  return seam{m, left, right}.sew();
}

/// Sorts and triangulates the points. An algorithms object sorts in parallel.
template <class Loops>
void solve(problem& p, const Loops& loops, std::uint32_t grain = tuned_grain) {
  if constexpr (requires { loops.sort(p.points.begin(), p.points.end(), std::less<>{}); }) {
    loops.sort(p.points.begin(), p.points.end(), std::less<>{});
  } else {
    std::sort(p.points.begin(), p.points.end());
  }
  triangulate(p.edges, 0, static_cast<std::uint32_t>(p.points.size()), loops, grain);
}

}  // namespace bench
