// See problem.hpp.
#include "programs/map-light/problem.hpp"

namespace bench::map_light {
namespace {

constexpr std::uint64_t first = 0x0123456789abcdef;
constexpr std::uint64_t step = 0x9e3779b97f4a7c15;

}  // namespace

void problem::reset() {
  if (a.size() != n) {
    a.resize(n);
    std::uint64_t x = first;
    for (std::uint64_t& each : a) {
      each = x;
      x += step;
    }
  }
  b.assign(n, 0);
}

bool problem::image_is_right() const {
  std::uint64_t right = 3 * first + 1;
  for (std::uint64_t each : b) {
    if (each != right) return false;
    right += 3 * step;
  }
  return true;
}

}  // namespace bench::map_light
