// Prefix sums on any kind of loops; see managed.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace bench {

/// Writes the sum of `value(j)` for all j < i to `to[i]`, for all i < n, and returns the sum of all. `value(i)` may read `to[i]`.
/// The usual algorithm makes two passes over blocks: the first computes the sum of each block, the second computes the elements of
/// each block from the sum of all blocks before it. The code between the passes takes one addition for each block, and is not
/// parallel.
template <class T, class Value, class Loops>
T prefix_sums(T* to, std::size_t n, const Value& value, const Loops& loops) {
  constexpr std::size_t block = 1024;
  const std::size_t blocks = (n + block - 1) / block;
  std::vector<T> before(blocks);

  loops.for_each(std::size_t{0}, blocks, [=, sums = before.data()](std::size_t b) {
    T sum{};
    for (std::size_t i = b * block, end = std::min(n, i + block); i < end; ++i) sum += to[i] = value(i);
    sums[b] = sum;
  });
  T all{};
  for (T& sum : before) all += std::exchange(sum, all);
  loops.for_each(std::size_t{0}, blocks, [=, sums = before.data()](std::size_t b) {
    T sum = sums[b];
    for (std::size_t i = b * block, end = std::min(n, i + block); i < end; ++i) sum += std::exchange(to[i], sum);
  });
  return all;
}

}  // namespace bench
