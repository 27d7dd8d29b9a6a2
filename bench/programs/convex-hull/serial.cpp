// convex-hull without forks: quickhull in place.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include <algorithm>

namespace bench {
namespace {

using convex_hull::point;

/// Adds the vertices between the neighbours a and b on the hull of the points [first, last), all of which are on the right of a → b.
void add_between(const point& a, const point& b, point* first, point* last, std::vector<point>& hull) {
  if (first == last) return;
  point far = *first;
  std::int64_t most = turn(a, far, b);
  for (const point* p = first + 1; p != last; ++p) {
    const std::int64_t area = turn(a, *p, b);
    if (area > most || (area == most && *p > far)) {
      most = area;
      far = *p;
    }
  }
  // The points beyond a → far are copied to the front, and those beyond far → b are swapped to the back. Others are dropped.
  point *front = first, *back = last;
  for (point* p = first; p != back;) {
    if (turn(a, *p, far) > 0) {
      *front++ = *p++;
    } else if (turn(far, *p, b) > 0) {
      std::swap(*p, *--back);
    } else {
      ++p;
    }
  }
  add_between(a, far, first, front, hull);
  hull.push_back(far);
  add_between(far, b, back, last, hull);
}

}  // namespace

void serial(problem& p) {
  const auto [min, max] = std::minmax_element(p.points.begin(), p.points.end());
  const point left = *min, right = *max;
  point *const first = p.buffers[0].get(), *const last = first + p.points.size();
  point *lower = first, *upper = last;
  // Every point is written to both places, and kept where its side is: a branch would be mispredicted for half of the points.
  for (const point& q : p.points) {
    const std::int64_t area = turn(left, q, right);
    *lower = q;
    lower += area > 0;
    *(upper - 1) = q;
    upper -= area < 0;
  }
  p.hull.push_back(left);
  add_between(left, right, first, lower, p.hull);
  if (left == right) return;
  p.hull.push_back(right);
  add_between(right, left, upper, last, p.hull);
}

}  // namespace bench
