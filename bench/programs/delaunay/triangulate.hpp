// Triangulation by divide and conquer (Guibas and Stolfi, ACM Transactions on Graphics 4(2), 1985, section 9): triangulates the
// halves left and right of a vertical line in parallel, and then makes the edges over that line from the lowest to the highest.
#pragma once

#include "harness/loops/serial.hpp"
#include "programs/delaunay/problem.hpp"

#include <algorithm>
#include <functional>

namespace bench::delaunay {

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

/// Joins two parts. `base_` is the edge between them that was made last, from right to left; everything below it is finished.
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

  /// Return the edge from the left end, and from the right end, of the base to the point that the next triangle may have, and
  /// remove the edges that are in its way.
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
void triangulate(problem& p, const Loops& loops, std::uint32_t grain) {
  if constexpr (requires { loops.sort(p.points.begin(), p.points.end(), std::less<>{}); }) {
    loops.sort(p.points.begin(), p.points.end(), std::less<>{});
  } else {
    std::sort(p.points.begin(), p.points.end());
  }
  triangulate(p.edges, 0, static_cast<std::uint32_t>(p.points.size()), loops, grain);
}

}  // namespace bench::delaunay
