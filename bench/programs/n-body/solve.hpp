// The method of Barnes and Hut (Nature 324, 1986), over a binary tree of the bodies in Morton's order (Warren and Salmon, Supercomputing 1993;
// Karras, HPG 2012).
#pragma once

#include "problem.hpp"
#include "tree.hpp"

#include <cstddef>
#include <cstdint>

namespace bench::n_body {

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

}  // namespace bench::n_body
