// ray-cast without forks.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include "hierarchy.hpp"

#include <algorithm>

namespace bench {
namespace {

using namespace ray_cast;

std::uint32_t build(hierarchy& h, const box& bounds, item* items, std::uint32_t begin, std::uint32_t end) {
  if (end - begin <= leaf_triangles) return h.make_leaf(bounds, items + begin, begin, end);
  const knife cut{bounds};
  slices s;
  for (std::uint32_t i = begin; i != end; ++i) cut.add(s, items[i]);
  division parts = divide(s);
  if (parts.left_items != 0) {
    std::partition(items + begin, items + end, [&](const item& i) { return cut.slice_of(i) < parts.slice; });
  } else {
    parts.left_items = (end - begin) / 2;
    parts.left = parts.right = bounds;
  }
  const std::uint32_t middle = begin + parts.left_items;
  const std::uint32_t first = build(h, parts.left, items, begin, middle);
  return h.join(bounds, middle, first, build(h, parts.right, items, middle, end));
}

}  // namespace

void serial(problem& p) {
  const std::size_t n = p.triangles.size();
  hierarchy h{p};
  std::vector<item> items(n);
  box bounds;
  for (std::size_t i = 0; i < n; ++i) {
    items[i] = item_of(p, i);
    bounds.add(items[i].bounds);
  }
  const std::uint32_t root = build(h, bounds, items.data(), 0, static_cast<std::uint32_t>(n));
  for (std::size_t i = 0; i < p.n; ++i) p.hits[i] = h.first_hit(p.rays[i], root);
}

}  // namespace bench
