// n-body without forks: the method of Barnes and Hut.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include "tree.hpp"

#include <algorithm>

namespace bench {
namespace {

using namespace n_body;

part build(tree& t, std::uint32_t begin, std::uint32_t end) {
  if (end - begin <= leaf_bodies) return t.make_leaf(begin, end);
  const std::uint32_t middle = t.division(begin, end);
  const part left = build(t, begin, middle);
  return t.join(middle, left, build(t, middle, end));
}

}  // namespace

void serial(problem& p) {
  const auto n = static_cast<std::uint32_t>(p.n);
  box all{p.bodies[0].at, p.bodies[0].at};
  for (const body& b : p.bodies) all = join_boxes{}(all, {b.at, b.at});
  tree t{n};
  for (std::uint32_t i = 0; i < n; ++i) t.places[i] = {key_of(p.bodies[i].at, all), i};
  std::sort(t.places.begin(), t.places.end(), [](const place& a, const place& b) { return a.key < b.key; });
  for (std::uint32_t i = 0; i < n; ++i) t.bodies[i] = p.bodies[t.places[i].number];
  const std::uint32_t root = build(t, 0, n).index;
  for (std::uint32_t i = 0; i < n; ++i) p.fields[t.places[i].number] = t.field_at(i, root);
}

}  // namespace bench
