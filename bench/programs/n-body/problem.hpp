// The problem n-body: find the gravitational field of bodies at each of them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

constexpr std::size_t least_n = 1000;  ///< the method is less exact than the check allows for fewer bodies
constexpr std::size_t usual_n = 100'000;
constexpr std::size_t large_n = 1'000'000;
constexpr std::size_t largest_n = 20'000'000;

/// The square of the length within which the field of a body is weakened.
constexpr double softening = 1e-12;

using triple = std::array<double, 3>;

struct body {
  triple at;
  double mass;
};

/// The field at a place: the acceleration and the potential, for a constant of gravitation of 1.
struct field {
  triple acceleration{};
  double potential = 0;

  /// Adds the field of a mass at the distance `d`. A body adds nothing to the acceleration at its own place.
  [[gnu::always_inline]] void add(const triple& d, double squared, double mass) {
    const double inverse = 1 / std::sqrt(squared + softening), pull = mass * inverse * inverse * inverse;
    for (std::size_t axis = 0; axis < 3; ++axis) acceleration[axis] += d[axis] * pull;
    potential -= mass * inverse;
  }
};

enum class shape { cube, plummer };

/// Bodies, and the field at each of them.
class problem {
 public:
  /// Makes the bodies if `n` or `of` has changed since the last call, and forgets the fields.
  void reset();
  /// Returns the potential energy, the answer that is reported.
  double answer() const;
  /// Returns a description of the mistake in `fields`; empty if the check finds none.
  std::string mistake() const;

  std::size_t n = usual_n;
  shape of = shape::cube;
  std::vector<body> bodies;
  std::vector<field> fields;  ///< of all other bodies

 private:
  field exact_field(std::size_t i) const;
  std::string mistake_in_momentum() const;
  std::string mistake_in_samples() const;

  shape made_ = shape::cube;
};

// A tree of bodies for the method of Barnes and Hut: places in the order of a space-filling curve, and nodes with the
// mass of a range.

/// Ranges of this number of bodies or fewer are leaves.
constexpr std::uint32_t leaf_bodies = 8;

/// A node's mass stands for its bodies at places whose distance is the node's radius divided by this, or more.
constexpr double opening = 0.5;

struct box {
  triple low;
  triple high;
};
struct join_boxes {
  box operator()(box a, const box& b) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      a.low[axis] = std::min(a.low[axis], b.low[axis]);
      a.high[axis] = std::max(a.high[axis], b.high[axis]);
    }
    return a;
  }
};

/// A body's number, and its cell's place on Morton's curve.
struct place {
  std::uint64_t key;
  std::uint32_t number;
};

/// Returns the 21 bits of x with two zeros after each.
inline std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 32) & 0x1f00000000ffff;
  x = (x | x << 16) & 0x1f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}

/// Returns the key of a place in the box: bits of the three coordinates in turn.
inline std::uint64_t key_of(const triple& at, const box& all) {
  double width = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) width = std::max(width, all.high[axis] - all.low[axis]);
  const double scale = width > 0 ? 0x1.fffffp20 / width : 0;
  std::uint64_t key = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    key |= spread(static_cast<std::uint64_t>((at[axis] - all.low[axis]) * scale)) << axis;
  return key;
}

struct node {
  triple middle;  ///< of the mass
  double mass;
  double reach;                 ///< the square of the least distance at which the mass stands for the bodies
  std::uint32_t first, second;  ///< the children of an inner node; the ends of a leaf's range of bodies
};

/// A node under construction.
struct part {
  std::uint32_t index;
  box bounds;
};

/// The tree is binary: a node divides its range of bodies where the highest bit that differs in their keys changes. The
/// place of division numbers inner nodes, and the begin of the range numbers leaves, so that nodes need no allocation:
/// those with even indices are inner ones.
class tree {
 public:
  explicit tree(std::size_t n) : places(n), bodies(n), nodes_(2 * n) {}

  part make_leaf(std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t index = 2 * begin + 1;
    box bounds{bodies[begin].at, bodies[begin].at};
    triple moment{};
    double mass = 0;
    for (std::uint32_t i = begin; i != end; ++i) {
      bounds = join_boxes{}(bounds, {bodies[i].at, bodies[i].at});
      for (std::size_t axis = 0; axis < 3; ++axis) moment[axis] += bodies[i].at[axis] * bodies[i].mass;
      mass += bodies[i].mass;
    }
    finish(index, moment, mass, bounds, begin, end);
    return {index, bounds};
  }

  part join(std::uint32_t division, const part& a, const part& b) {
    const node &left = nodes_[a.index], &right = nodes_[b.index];
    const box bounds = join_boxes{}(a.bounds, b.bounds);
    triple moment;
    for (std::size_t axis = 0; axis < 3; ++axis)
      moment[axis] = left.middle[axis] * left.mass + right.middle[axis] * right.mass;
    finish(2 * division, moment, left.mass + right.mass, bounds, a.index, b.index);
    return {2 * division, bounds};
  }

  /// Returns the place where a range of two bodies or more is divided. Equal keys are divided in the middle.
  std::uint32_t division(std::uint32_t begin, std::uint32_t end) const {
    const std::uint64_t differing = places[begin].key ^ places[end - 1].key;
    if (differing == 0) return begin + (end - begin) / 2;
    const std::uint64_t bit = std::bit_floor(differing);
    const auto first = places.begin() + begin, last = places.begin() + end;
    const auto found = std::partition_point(first, last, [bit](const place& p) { return (p.key & bit) == 0; });
    return static_cast<std::uint32_t>(found - places.begin());
  }

  /// Returns the field at body i of the bodies below a node.
  field field_at(std::uint32_t i, std::uint32_t root) const {
    field sum;
    add_field(i, root, sum);
    return sum;
  }

  std::vector<place> places;  ///< in the order of their keys
  std::vector<body> bodies;   ///< in the order of `places`

 private:
  void finish(std::uint32_t index, const triple& moment, double mass, const box& bounds, std::uint32_t first,
              std::uint32_t second) {
    node& done = nodes_[index];
    double radius = 0;  // its square; of the farthest corner from the middle of the mass
    for (std::size_t axis = 0; axis < 3; ++axis) {
      done.middle[axis] = moment[axis] / mass;
      const double side = std::max(done.middle[axis] - bounds.low[axis], bounds.high[axis] - done.middle[axis]);
      radius += side * side;
    }
    done.mass = mass;
    done.reach = radius / (opening * opening);
    done.first = first;
    done.second = second;
  }

  [[gnu::always_inline]] static double distance(const triple& from, const triple& to, triple& d) {
    for (std::size_t axis = 0; axis < 3; ++axis) d[axis] = to[axis] - from[axis];
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  }

  void add_field(std::uint32_t i, std::uint32_t index, field& sum) const {
    const node& here = nodes_[index];
    triple d;
    const double squared = distance(bodies[i].at, here.middle, d);
    if (squared > here.reach) {
      sum.add(d, squared, here.mass);
    } else if (index % 2 == 0) {
      add_field(i, here.first, sum);
      add_field(i, here.second, sum);
    } else {
      for (std::uint32_t j = here.first; j != here.second; ++j) {
        if (j == i) continue;
        const double between = distance(bodies[i].at, bodies[j].at, d);
        sum.add(d, between, bodies[j].mass);
      }
    }
  }

  std::vector<node> nodes_;
};

// The method of Barnes and Hut (Nature 324, 1986), over a binary tree of the bodies in Morton's order (Warren and
// Salmon, Supercomputing 1993; Karras, HPG 2012).

template <class Algorithms>
part build(const Algorithms& algorithms, tree& t, std::uint32_t begin, std::uint32_t end) {
  if (end - begin <= leaf_bodies) return t.make_leaf(begin, end);
  const std::uint32_t middle = t.division(begin, end);
  part left, right;
  algorithms.fork([&, begin, middle] { left = build(algorithms, t, begin, middle); },
                  [&, middle, end] { right = build(algorithms, t, middle, end); });
  return t.join(middle, left, right);
}

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  const std::size_t n = p.n;
  const body* const bodies = p.bodies.data();
  const box all = algorithms.reduce(
      std::size_t{0}, n, box{bodies[0].at, bodies[0].at},
      [=](std::size_t i) { return box{bodies[i].at, bodies[i].at}; }, join_boxes{});
  tree t{n};
  place* const places = t.places.data();
  algorithms.for_each(std::size_t{0}, n,
                      [=](std::size_t i) { places[i] = {key_of(bodies[i].at, all), static_cast<std::uint32_t>(i)}; });
  algorithms.integer_sort(places, places + n, [](const place& at) { return at.key; });
  algorithms.for_each(std::size_t{0}, n, [&t, bodies](std::size_t i) { t.bodies[i] = bodies[t.places[i].number]; });
  const std::uint32_t root = build(algorithms, t, 0, static_cast<std::uint32_t>(n)).index;
  algorithms.for_each(std::size_t{0}, n, [&t, &p, root](std::size_t i) {
    p.fields[t.places[i].number] = t.field_at(static_cast<std::uint32_t>(i), root);
  });
}

}  // namespace bench
