// The problem ray-cast: find the first triangle of a mesh that each of many rays hits.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace bench {

constexpr std::size_t least_n = 1000;
constexpr std::size_t usual_n = 200'000;
constexpr std::size_t large_n = 2'000'000;
constexpr std::size_t largest_n = 20'000'000;

using vector = std::array<double, 3>;

inline vector operator-(const vector& a, const vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline double dot(const vector& a, const vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline vector cross(const vector& a, const vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

struct triangle {
  std::uint32_t corners[3];
};

/// The places from + t · direction, for all t > 0. No component of the direction is zero.
struct ray {
  vector from;
  vector direction;
};

constexpr std::uint32_t nothing = ~std::uint32_t{0};

/// The mesh of a sphere with bumps, rays, and the triangle that each ray hits first, or `nothing`.
class problem {
 public:
  /// Makes the input if `n` has changed since the last call, and forgets all hits.
  void reset();
  /// Returns the number of rays that hit a triangle: the answer that is reported.
  std::size_t answer() const;
  /// Returns a description of the mistake in `hits`; empty if the check finds none.
  std::string mistake() const;

  std::size_t n = usual_n;  ///< the number of rays, and about that of triangles
  std::vector<vector> points;
  std::vector<triangle> triangles;
  std::vector<ray> rays;
  std::vector<std::uint32_t> hits;

 private:
  struct sample {
    std::size_t ray;
    double t;  ///< where the ray hits its first triangle; infinite if it hits nothing
  };

  sample search(std::size_t of_ray) const;
  std::string mistake_of(std::size_t of_ray) const;

  std::vector<sample> samples_;
};

// A hierarchy of boxes around triangles, and the search for a ray's first hit.

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Ranges of this number of triangles or fewer are leaves.
constexpr std::uint32_t leaf_triangles = 4;

struct box {
  vector low{infinity, infinity, infinity};
  vector high{-infinity, -infinity, -infinity};

  void add(const box& b) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], b.low[axis]);
      high[axis] = std::max(high[axis], b.high[axis]);
    }
  }
  double half_surface() const {
    const vector side = high - low;
    return side[0] * side[1] + side[1] * side[2] + side[2] * side[0];
  }
};
struct join_boxes {
  box operator()(box a, const box& b) const {
    a.add(b);
    return a;
  }
};

/// The box of a triangle.
struct item {
  box bounds;
  std::uint32_t number;
};

inline item item_of(const problem& p, std::size_t number) {
  item i{{}, static_cast<std::uint32_t>(number)};
  for (const std::uint32_t corner : p.triangles[number].corners) i.bounds.add({p.points[corner], p.points[corner]});
  return i;
}

/// The slices of a box along its longest side, with the items whose middles are in each of them.
struct slices {
  static constexpr std::size_t count = 16;
  struct slice {
    box bounds;
    std::uint32_t items = 0;
  };
  std::array<slice, count> all;
};
struct join_slices {
  slices operator()(slices a, const slices& b) const {
    for (std::size_t i = 0; i < slices::count; ++i) {
      a.all[i].bounds.add(b.all[i].bounds);
      a.all[i].items += b.all[i].items;
    }
    return a;
  }
};

/// Cuts a box across its longest side.
class knife {
 public:
  explicit knife(const box& whole) {
    const vector side = whole.high - whole.low;
    axis_ = static_cast<std::size_t>(std::max_element(side.begin(), side.end()) - side.begin());
    begin_ = 2 * whole.low[axis_];
    scale_ = side[axis_] > 0 ? 0.5 * static_cast<double>(slices::count) / side[axis_] : 0;
  }

  std::size_t slice_of(const item& i) const {
    const double middle = i.bounds.low[axis_] + i.bounds.high[axis_];
    return std::min(static_cast<std::size_t>((middle - begin_) * scale_), slices::count - 1);
  }

  void add(slices& to, const item& i) const {
    slices::slice& s = to.all[slice_of(i)];
    s.bounds.add(i.bounds);
    ++s.items;
  }

 private:
  std::size_t axis_;
  double begin_;
  double scale_;
};

/// A division of items: those in the slices before `slice` are in the box `left`.
struct division {
  std::size_t slice = 0;
  std::uint32_t left_items = 0;
  box left, right;
};

/// Returns the division with the least expected cost of a search, the sum of each part's surface times its items. If
/// all items are in one slice, `left_items` is 0.
inline division divide(const slices& s) {
  std::array<box, slices::count> right;
  right.back() = s.all.back().bounds;
  for (std::size_t i = slices::count - 1; i > 0; --i) right[i - 1] = join_boxes{}(right[i], s.all[i - 1].bounds);
  std::uint32_t items = 0, before = 0;
  for (const slices::slice& one : s.all) items += one.items;
  division best;
  double least = infinity;
  box left;
  for (std::size_t i = 1; i < slices::count; ++i) {
    left.add(s.all[i - 1].bounds);
    before += s.all[i - 1].items;
    if (before == 0 || before == items) continue;
    const double cost = left.half_surface() * before + right[i].half_surface() * (items - before);
    if (cost < least) {
      least = cost;
      best = {i, before, left, right[i]};
    }
  }
  return best;
}

/// A triangle as the intersection with a ray needs it.
struct face {
  vector corner, first_edge, second_edge;
  std::uint32_t number;
};

struct node {
  box bounds;
  std::uint32_t first, second;  ///< the children of an inner node; the ends of a leaf's range of faces
};

struct hit {
  double t = infinity;
  std::uint32_t number = nothing;
};

/// The first place of the second child numbers inner nodes, and the first place of a leaf numbers leaves, so that nodes
/// need no allocation: those with even indices are inner ones.
class hierarchy {
 public:
  explicit hierarchy(const problem& p) : p_{p}, nodes_(2 * p.triangles.size()), faces_(p.triangles.size()) {}

  std::uint32_t make_leaf(const box& bounds, const item* items, std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i != end; ++i) {
      const std::uint32_t number = items[i - begin].number;
      const auto& [a, b, c] = p_.triangles[number].corners;
      faces_[i] = {p_.points[a], p_.points[b] - p_.points[a], p_.points[c] - p_.points[a], number};
    }
    return make(2 * begin + 1, bounds, begin, end);
  }

  std::uint32_t join(const box& bounds, std::uint32_t middle, std::uint32_t first, std::uint32_t second) {
    return make(2 * middle, bounds, first, second);
  }

  /// Returns the first triangle that the ray hits. If it hits several triangles at one place, the first is the one with
  /// the smallest number.
  std::uint32_t first_hit(const ray& r, std::uint32_t root) const {
    const vector inverse{1 / r.direction[0], 1 / r.direction[1], 1 / r.direction[2]};
    hit best;
    if (entry(r, inverse, root) < infinity) visit(r, inverse, root, best);
    return best.number;
  }

 private:
  /// Boxes are a little larger than what is in them, so that rounding never hides a triangle.
  std::uint32_t make(std::uint32_t index, box bounds, std::uint32_t first, std::uint32_t second) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      bounds.low[axis] -= 1e-9;
      bounds.high[axis] += 1e-9;
    }
    nodes_[index] = {bounds, first, second};
    return index;
  }

  /// Returns where the ray enters the box of a node; infinity if it misses the box.
  double entry(const ray& r, const vector& inverse, std::uint32_t index) const {
    const box& b = nodes_[index].bounds;
    double begin = 0, end = infinity;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double low = (b.low[axis] - r.from[axis]) * inverse[axis];
      const double high = (b.high[axis] - r.from[axis]) * inverse[axis];
      begin = std::max(begin, std::min(low, high));
      end = std::min(end, std::max(low, high));
    }
    return begin <= end ? begin : infinity;
  }

  /// Tests a triangle by the method of Möller and Trumbore (Journal of Graphics Tools 2(1), 1997).
  static void test(const ray& r, const face& f, hit& best) {
    const vector p = cross(r.direction, f.second_edge);
    const double determinant = dot(f.first_edge, p);
    if (determinant == 0) return;
    const vector s = r.from - f.corner;
    const double inverse = 1 / determinant, u = dot(s, p) * inverse;
    if (u < 0 || u > 1) return;
    const vector q = cross(s, f.first_edge);
    const double v = dot(r.direction, q) * inverse, t = dot(f.second_edge, q) * inverse;
    if (v < 0 || u + v > 1 || t <= 0) return;
    if (t < best.t || (t == best.t && f.number < best.number)) best = {t, f.number};
  }

  void visit(const ray& r, const vector& inverse, std::uint32_t index, hit& best) const {
    const node& here = nodes_[index];
    if (index % 2 != 0) {
      for (std::uint32_t i = here.first; i != here.second; ++i) test(r, faces_[i], best);
      return;
    }
    std::uint32_t near = here.first, far = here.second;
    double to_near = entry(r, inverse, near), to_far = entry(r, inverse, far);
    if (to_far < to_near) {
      std::swap(near, far);
      std::swap(to_near, to_far);
    }
    if (to_near < infinity && to_near <= best.t) visit(r, inverse, near, best);
    if (to_far < infinity && to_far <= best.t) visit(r, inverse, far, best);
  }

  const problem& p_;
  std::vector<node> nodes_;
  std::vector<face> faces_;
};

// Ray casting with a hierarchy of boxes that is divided by the surface area heuristic over slices (Wald, IEEE Symposium
// on Interactive Ray Tracing 2007): a reduction fills the slices, filters divide the triangles, and a fork builds both
// parts.

/// The slices of so many items are filled one item after the other, because a result of the reduction is as large as 16
/// items.
constexpr std::size_t block_items = 256;

template <class Algorithms>
class builder {
 public:
  builder(const Algorithms& algorithms, hierarchy& h) : algorithms_{algorithms}, h_{h} {}

  /// Builds the hierarchy of the items, whose places are those from `begin`. Returns the index of its root. `spare` is
  /// room for the items.
  std::uint32_t build(const box& bounds, item* items, item* spare, std::uint32_t begin, std::uint32_t n) const {
    if (n <= leaf_triangles) return h_.make_leaf(bounds, items, begin, begin + n);
    const knife cut{bounds};
    division parts = divide(fill(cut, items, n));
    if (parts.left_items != 0) {
      const auto is_left = [&cut, &parts](const item& i) { return cut.slice_of(i) < parts.slice; };
      item* const middle = algorithms_.copy_if(items, items + n, spare, is_left);
      algorithms_.copy_if(items, items + n, middle, [&is_left](const item& i) { return !is_left(i); });
      std::swap(items, spare);
    } else {
      parts.left_items = n / 2;
      parts.left = parts.right = bounds;
    }
    const std::uint32_t left = parts.left_items;
    std::uint32_t first = 0, second = 0;
    algorithms_.fork([&, this] { first = build(parts.left, items, spare, begin, left); },
                     [&, this] { second = build(parts.right, items + left, spare + left, begin + left, n - left); });
    return h_.join(bounds, begin + left, first, second);
  }

 private:
  slices fill(const knife& cut, const item* items, std::size_t n) const {
    const auto block = [=](std::size_t b) {
      slices s;
      for (std::size_t i = b * block_items, end = std::min(n, i + block_items); i < end; ++i) cut.add(s, items[i]);
      return s;
    };
    if (n <= block_items) return block(0);
    return algorithms_.reduce(std::size_t{0}, (n + block_items - 1) / block_items, slices{}, block, join_slices{});
  }

  const Algorithms& algorithms_;
  hierarchy& h_;
};

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  const std::size_t n = p.triangles.size();
  hierarchy h{p};
  std::vector<item> items(n), spare(n);
  algorithms.for_each(std::size_t{0}, n, [&](std::size_t i) { items[i] = item_of(p, i); });
  const box bounds =
      algorithms.reduce(std::size_t{0}, n, box{}, [&items](std::size_t i) { return items[i].bounds; }, join_boxes{});
  const std::uint32_t root =
      builder{algorithms, h}.build(bounds, items.data(), spare.data(), 0, static_cast<std::uint32_t>(n));
  algorithms.for_each(std::size_t{0}, p.n, [&, root](std::size_t i) { p.hits[i] = h.first_hit(p.rays[i], root); });
}

}  // namespace bench
