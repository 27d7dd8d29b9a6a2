// Algorithms over any loops, for runtimes that have loops and forks but no algorithms; see managed.hpp.
#pragma once

#include "harness/algorithms/sort_by_merging.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace bench {

/// Makes two passes over blocks, as is usual: the first finds the sum, or the number of copies, of each block, the second writes the
/// block's part of the output. The code between the passes takes one addition for each block, and is not parallel.
template <class Loops>
struct algorithms_over : Loops {
  template <class T, class Value>
  void sums(std::size_t n, T* to, const Value& value) const {
    std::vector<T> before(blocks_of(n));
    for_blocks(n, [&before, to, &value](std::size_t b, std::size_t begin, std::size_t end) {
      T sum{};
      for (std::size_t i = begin; i < end; ++i) to[i] = sum = static_cast<T>(sum + value(i));
      before[b] = sum;
    });
    T all{};
    for (T& sum : before) sum = std::exchange(all, static_cast<T>(all + sum));
    for_blocks(n, [&before, to](std::size_t b, std::size_t begin, std::size_t end) {
      if (b == 0) return;
      for (std::size_t i = begin; i < end; ++i) to[i] = static_cast<T>(before[b] + to[i]);
    });
  }

  template <class It, class Out, class Keep>
  Out copy_if(It first, It last, Out to, const Keep& keep) const {
    const auto n = static_cast<std::size_t>(last - first);
    std::vector<std::ptrdiff_t> before(blocks_of(n));
    for_blocks(n, [&before, first, &keep](std::size_t b, std::size_t begin, std::size_t end) {
      before[b] = std::count_if(at(first, begin), at(first, end), keep);
    });
    std::ptrdiff_t all = 0;
    for (std::ptrdiff_t& count : before) count = std::exchange(all, all + count);
    for_blocks(n, [&before, first, to, &keep](std::size_t b, std::size_t begin, std::size_t end) {
      std::copy_if(at(first, begin), at(first, end), to + before[b], keep);
    });
    return to + all;
  }

  template <class It, class Less>
  void sort(It first, It last, const Less& less) const {
    sort_by_merging(static_cast<const Loops&>(*this), first, last, less);
  }

  template <class It, class Key>
  void integer_sort(It first, It last, const Key& key) const {
    sort(first, last, [&key](const auto& a, const auto& b) { return key(a) < key(b); });
  }

 private:
  static constexpr std::size_t block = 2048;

  static std::size_t blocks_of(std::size_t n) { return (n + block - 1) / block; }

  template <class It>
  static It at(It first, std::size_t i) {
    return first + static_cast<std::ptrdiff_t>(i);
  }

  /// Calls `body` with the number, the begin and the end of each block.
  template <class Body>
  void for_blocks(std::size_t n, const Body& body) const {
    Loops::for_each(std::size_t{0}, blocks_of(n),
                    [n, &body](std::size_t b) { body(b, b * block, std::min(n, (b + 1) * block)); });
  }
};

template <class Loops>
algorithms_over(Loops) -> algorithms_over<Loops>;

}  // namespace bench
