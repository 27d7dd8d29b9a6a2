// Prefix sums on any kind of loops; see managed.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace bench {

/// Replaces the first n numbers at `at` by the sums of those before them, and returns the sum of all. Two passes over
/// blocks, the usual algorithm: first the sum of each block, then, from the sum of all blocks before, its elements. What
/// is between the passes takes one addition for each block, and is not parallel.
template <class T, class Loops>
T prefix_sums(T* at, std::size_t n, const Loops& loops) {
  constexpr std::size_t block = 1024;
  const std::size_t blocks = (n + block - 1) / block;
  std::vector<T> before(blocks);
  const auto each_of = [=](std::size_t b, auto visit) {
    for (std::size_t i = b * block, end = std::min(n, i + block); i < end; ++i) visit(at[i]);
  };

  loops.for_each(std::size_t{0}, blocks, [&before, each_of](std::size_t b) {
    T sum{};
    each_of(b, [&sum](T x) { sum += x; });
    before[b] = sum;
  });
  T all{};
  for (T& sum : before) all += std::exchange(sum, all);
  loops.for_each(std::size_t{0}, blocks, [&before, each_of](std::size_t b) {
    T sum = before[b];
    each_of(b, [&sum](T& x) { sum += std::exchange(x, sum); });
  });
  return all;
}

}  // namespace bench
