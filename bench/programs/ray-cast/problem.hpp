// The problem ray-cast: find the first triangle of a mesh that each of many rays hits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::ray_cast {

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

}  // namespace bench::ray_cast

namespace bench {
using ray_cast::problem;
}
