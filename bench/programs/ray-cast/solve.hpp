// Ray casting with a hierarchy of boxes that is divided by the surface area heuristic over slices (Wald, IEEE Symposium on Interactive Ray Tracing
// 2007): a reduction fills the slices, filters divide the triangles, and a fork builds both parts.
#pragma once

#include "hierarchy.hpp"
#include "problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench::ray_cast {

/// The slices of so many items are filled one item after the other, because a result of the reduction is as large as 16 items.
constexpr std::size_t block_items = 256;

template <class Algorithms>
class builder {
 public:
  builder(const Algorithms& algorithms, hierarchy& h) : algorithms_{algorithms}, h_{h} {}

  /// Builds the hierarchy of the items, whose places are those from `begin`. Returns the index of its root. `spare` is room for the items.
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

}  // namespace bench::ray_cast
