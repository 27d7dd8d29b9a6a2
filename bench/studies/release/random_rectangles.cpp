// See random_rectangles.hpp.
#include "studies/release/random_rectangles.hpp"

#include "harness/splitmix.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace bench::release {

std::vector<rank> random_heights(std::size_t n) {
  std::vector<rank> heights(n);
  std::iota(heights.begin(), heights.end(), rank{0});
  splitmix random{1};
  for (std::size_t i = n; i > 1; --i) std::swap(heights[i - 1], heights[random.below(i)]);
  return heights;
}

std::vector<rectangle> random_rectangles(std::size_t count, std::size_t n) {
  splitmix random{2};
  const auto side = [&] {
    const auto a = static_cast<std::uint32_t>(random.below(n + 1)), b = static_cast<std::uint32_t>(random.below(n + 1));
    return std::minmax({a, b});
  };
  std::vector<rectangle> all(count);
  for (rectangle& r : all) {
    std::tie(r.left, r.right) = side();
    std::tie(r.bottom, r.top) = side();
  }
  return all;
}

std::uint32_t count_plainly(std::span<const rank> heights, const rectangle& r) {
  const auto columns = heights.subspan(r.left, r.right - r.left);
  return static_cast<std::uint32_t>(std::ranges::count_if(columns, [&](rank y) { return r.bottom <= y && y < r.top; }));
}

}  // namespace bench::release
