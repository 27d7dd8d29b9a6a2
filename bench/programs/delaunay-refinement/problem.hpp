// The problem delaunay-refinement: add points to a Delaunay triangulation until no triangle has a small angle.
#pragma once

#include "harness/algorithms/counting.hpp"
#include "programs/delaunay/triangulate.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bench {

// A triangulation as triangles and their neighbours, and the insertion of a point.

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

  /// Returns true if an angle of the triangle is too small: by the law of sines, the square of the sine of the smallest
  /// angle is the square of twice the area over the product of the squares of the two longer edges.
  bool is_skinny(const triangle& t) const {
    const point &a = points[t.corners[0]], &b = points[t.corners[1]], &c = points[t.corners[2]];
    const double ab = squared(a, b), bc = squared(b, c), ca = squared(c, a), area = turn(a, b, c);
    const double shortest = std::min({ab, bc, ca});
    return area * area * shortest < least_sine_squared * (ab * bc * ca);
  }

  /// Returns true if the triangle is skinny and its centre can be inserted. `centre` becomes the centre of its circle,
  /// rounded.
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

  /// Inserts the centre of a cavity as the point `number`, and adds the numbers of the new triangles to `hole.inner`:
  /// one for each edge.
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

constexpr std::size_t least_n = 100;
constexpr std::size_t usual_n = 200'000;
constexpr std::size_t large_n = 1'000'000;
constexpr std::size_t largest_n = 5'000'000;

/// So many points are possible, for each point of the input.
constexpr std::size_t capacity = 5;

/// A Delaunay triangulation of random points of a square and of its corners.
class problem {
 public:
  /// Makes the triangulation if `n` has changed since the last call, and removes added points.
  void reset();
  /// Returns the number of points: the answer that is reported.
  std::size_t answer() const { return mesh.point_count; }
  /// Returns a description of the mistake in the triangulation; empty if it is right.
  std::string mistake() const;

  std::size_t n = usual_n;
  triangulation mesh;

 private:
  std::string mistake_in(std::size_t t) const;

  std::vector<point> input_points_;
  std::vector<triangle> input_triangles_;
};

// Delaunay refinement in rounds with deterministic reservations (Blelloch, Fineman, Gibbons and Shun, PPoPP 2012).

/// Relaxed accesses are enough: the loop that reserves ends before the loop that reads the reservations begins.
using reservation = std::atomic<std::uint64_t>;
inline constexpr auto relaxed = std::memory_order_relaxed;

/// Makes a number the value, if it is greater than the value.
inline void reserve(reservation& at, std::uint64_t number) {
  std::uint64_t old = at.load(relaxed);
  while (old < number && !at.compare_exchange_weak(old, number, relaxed)) {
  }
}

/// The try to refine one triangle.
struct attempt {
  cavity hole;
  bool is_refinable;
  bool is_won;

  std::uint32_t new_triangles() const { return is_won ? static_cast<std::uint32_t>(hole.edges.size()) : 0; }
};

template <class Algorithms>
class refinement {
 public:
  refinement(problem& p, const Algorithms& algorithms)
      : algorithms_{algorithms},
        m_{p.mesh},
        part_{std::max<std::size_t>(p.n / 50, 64)},
        attempts_(part_),
        reservations_(p.mesh.triangles.size()),
        wins_(part_),
        ends_(part_),
        tries_(part_),
        left_(part_),
        losers_(part_) {}

  /// Makes rounds until no triangle is to be refined. Triangles that rounds make are tried after those that were skinny
  /// before.
  void run() {
    find_skinny();
    while (!next_.empty() && !is_full()) {
      std::swap(queue_, next_);
      next_.clear();
      spread();
      run_queue();
    }
  }

 private:
  bool is_full() const { return m_.point_count + part_ > m_.points.size(); }

  void find_skinny() {
    const auto all = static_cast<std::uint32_t>(m_.triangle_count());
    const auto is_skinny = [this](std::uint32_t t) { return m_.is_skinny(m_.triangles[t]); };
    next_.resize(all);
    const auto end = algorithms_.copy_if(counting{std::uint32_t{0}}, counting{all}, next_.data(), is_skinny);
    next_.resize(static_cast<std::size_t>(end - next_.data()));
  }

  /// Divides the queue into random classes, one for each round, because triangles near to each other are in each
  /// other's way. The triangles of a class are in the order of their numbers, so that those near in memory are tried
  /// one after the other.
  void spread() {
    const std::uint64_t classes = queue_.size() / part_ + 1;
    algorithms_.integer_sort(queue_.data(), queue_.data() + queue_.size(), [classes](std::uint32_t t) {
      const std::uint64_t random = t * std::uint32_t{2654435769};
      return (random * classes >> 32) << 32 | t;
    });
  }

  /// Tries the triangles of the queue, in parts, so that few attempts are in vain.
  void run_queue() {
    std::size_t next = 0, waiting = 0;
    while ((next < queue_.size() || waiting > 0) && !is_full()) {
      const std::size_t fresh = std::min(part_ - waiting, queue_.size() - next), n = waiting + fresh;
      algorithms_.for_each(std::size_t{0}, fresh, [&](std::size_t i) { tries_[waiting + i] = queue_[next + i]; });
      next += fresh;
      attempt_all(n);
      insert_all(n);
      const auto has_lost = [this](std::size_t i) { return attempts_[i].is_refinable && !attempts_[i].is_won; };
      const auto end = algorithms_.copy_if(counting{std::size_t{0}}, counting{n}, losers_.data(), has_lost);
      waiting = static_cast<std::size_t>(end - losers_.data());
      algorithms_.for_each(std::size_t{0}, waiting, [&](std::size_t i) { left_[i] = tries_[losers_[i]]; });
      std::swap(tries_, left_);
    }
  }

  /// Finds the cavities of `n` triangles. If attempts are in each other's way, the earliest wins.
  void attempt_all(std::size_t n) {
    // Numbers become greater from round to round, so that reservations of earlier rounds do not count.
    ++round_;
    const auto number_of = [round = round_](std::size_t i) { return (round << 32) - 1 - i; };
    algorithms_.for_each(std::size_t{0}, n, [&](std::size_t i) {
      attempt& a = attempts_[i];
      a.is_refinable = m_.is_refinable(m_.triangles[tries_[i]], a.hole.centre);
      if (!a.is_refinable) return;
      m_.find_cavity(tries_[i], a.hole);
      for (const std::uint32_t t : a.hole.inner) reserve(reservations_[t], number_of(i));
      for (const cavity::edge& e : a.hole.edges)
        if (e.outer != nothing) reserve(reservations_[e.outer], number_of(i));
    });
    algorithms_.for_each(std::size_t{0}, n, [&](std::size_t i) {
      attempt& a = attempts_[i];
      const auto is_mine = [&](std::uint32_t t) { return reservations_[t].load(relaxed) == number_of(i); };
      a.is_won = a.is_refinable && std::ranges::all_of(a.hole.inner, is_mine) &&
                 std::ranges::all_of(
                     a.hole.edges, [&](std::uint32_t t) { return t == nothing || is_mine(t); }, &cavity::edge::outer);
    });
  }

  /// Inserts the centres of the attempts that are won, and adds the skinny triangles among the new ones to the next
  /// queue.
  void insert_all(std::size_t n) {
    algorithms_.sums(n, wins_.data(), [this](std::size_t i) { return attempts_[i].is_won ? 1U : 0U; });
    algorithms_.sums(n, ends_.data(), [this](std::size_t i) { return attempts_[i].new_triangles(); });
    fresh_.resize(ends_[n - 1]);
    algorithms_.for_each(std::size_t{0}, n, [this](std::size_t i) {
      attempt& a = attempts_[i];
      if (!a.is_won) return;
      m_.insert(a.hole, static_cast<std::uint32_t>(m_.point_count) + wins_[i] - 1);
      std::ranges::copy(a.hole.inner, fresh_.data() + (ends_[i] - a.new_triangles()));
    });
    m_.point_count += wins_[n - 1];
    const std::size_t old = next_.size();
    next_.resize(old + fresh_.size());
    const auto end = algorithms_.copy_if(fresh_.data(), fresh_.data() + fresh_.size(), next_.data() + old,
                                         [this](std::uint32_t t) { return m_.is_skinny(m_.triangles[t]); });
    next_.resize(static_cast<std::size_t>(end - next_.data()));
  }

  const Algorithms& algorithms_;
  triangulation& m_;
  std::size_t part_;  ///< the number of triangles that a round tries
  std::uint64_t round_ = 0;
  std::vector<attempt> attempts_;
  std::vector<reservation>
      reservations_;  ///< by triangle: the number of the earliest attempt of the last round that needs it
  std::vector<std::uint32_t> wins_;          ///< by attempt: how many of the attempts up to this one are won
  std::vector<std::uint32_t> ends_;          ///< by attempt: how many triangles these make
  std::vector<std::uint32_t> tries_, left_;  ///< triangles of this round, and of the next
  std::vector<std::size_t> losers_;          ///< the attempts that are in vain
  std::vector<std::uint32_t> queue_, next_;  ///< triangles that were skinny when they were made
  std::vector<std::uint32_t> fresh_;         ///< triangles that this round makes
};

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  refinement{p, algorithms}.run();
}

}  // namespace bench
