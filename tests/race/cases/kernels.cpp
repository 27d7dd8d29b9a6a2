// Loops that compilers vectorise.
#include "../race_case.hpp"

#include <array>
#include <cstddef>

namespace {

using race_test::keep;

struct point {
  float x, y;
};

// Loops that clang vectorises with accesses of more than 16 bytes, also for the oldest processors.
RACE_CASE(loop_over_points) {
  std::array<point, 256> points{};
  its.races_on(points[17]);
  tine::par(
      [&] {
        for (point& p : points) p = {p.x * 2 + 1, p.y * 3 + 2};
      },
      [&] {
        if (its.racy) points[17].y = 1;
      });
  keep(points);
}

RACE_CASE(loop_with_a_pragma) {
  std::array<point, 256> points{};
  its.races_on(points[17]);
  tine::par(
      [&] {
#ifdef __clang__
#pragma clang loop vectorize(enable)
#else
#pragma GCC ivdep
#endif
        for (std::size_t i = 0; i < 256; ++i) points[i] = {points[i].x * 2 + 1, points[i].y * 3 + 2};
      },
      [&] {
        if (its.racy) points[17].y = 1;
      });
  keep(points);
}

}  // namespace
