// The edges of a triangulation: the primal half of Guibas and Stolfi's quad-edges. Any number of threads may work on a
// mesh, each on edges of its own.
#pragma once

#include "programs/delaunay/point.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bench::delaunay {

/// Half an edge: the edge as seen from the point where it begins. The other half is `e ^ 1`.
using edge = std::uint32_t;

constexpr std::uint32_t no_point = ~std::uint32_t{0};

/// A list of unused edges, by their even halves. Each part of the points that is being triangulated has a list of its own.
/// Two lists are joined in one step.
struct spares {
  edge first;
  edge last;
};

class mesh {
 public:
  /// An upper bound for the edges of k points, divided by k: a plane graph has fewer than 3·k edges.
  static constexpr std::uint32_t edges_per_point = 3;

  /// Forgets all edges, and makes room for `edges_per_point` edges for each of these points. The points must outlive the mesh.
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
  /// Return the next edge around the face on the left, counter-clockwise, and the previous edge around the face on the right.
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

  /// Returns a new edge that meets no other. The list is not empty, because it began with more edges than are ever used.
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

  /// Returns a new edge from the target of a to the origin of b, so that all three edges have the same face on their left.
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

}  // namespace bench::delaunay
