// Algorithms over any loops, for runtimes that have loops and forks but no algorithms; see managed.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

namespace bench {

namespace detail {

constexpr std::ptrdiff_t sort_leaf = 2048;   ///< so many items are sorted without forks
constexpr std::ptrdiff_t merge_leaf = 4096;  ///< so many items are merged without forks

/// Merges [a, a_end) and [b, b_end), which may be given in either order.
template <class Loops, class From, class To, class Less>
void merge(const Loops& loops, From a, From a_end, From b, From b_end, To to, const Less& less) {
  if (a_end - a < b_end - b) return merge(loops, b, b_end, a, a_end, to, less);
  if ((a_end - a) + (b_end - b) <= merge_leaf) {
    std::merge(a, a_end, b, b_end, to, less);
    return;
  }
  const From a_middle = a + (a_end - a) / 2;
  const From b_middle = std::lower_bound(b, b_end, *a_middle, less);
  const To to_middle = to + (a_middle - a) + (b_middle - b);
  loops.fork([&] { merge(loops, a, a_middle, b, b_middle, to, less); },
             [&] { merge(loops, a_middle, a_end, b_middle, b_end, to_middle, less); });
}

/// Sorts the items. Leaves them in `buffer` if `to_buffer` is true.
template <class Loops, class It, class Buffer, class Less>
void sort_halves(const Loops& loops, It first, It last, Buffer buffer, bool to_buffer, const Less& less) {
  const std::ptrdiff_t n = last - first;
  if (n <= sort_leaf) {
    std::sort(first, last, less);
    if (to_buffer) std::copy(first, last, buffer);
    return;
  }
  const std::ptrdiff_t half = n / 2;
  loops.fork([&] { sort_halves(loops, first, first + half, buffer, !to_buffer, less); },
             [&] { sort_halves(loops, first + half, last, buffer + half, !to_buffer, less); });
  if (to_buffer) {
    merge(loops, first, first + half, first + half, last, buffer, less);
  } else {
    merge(loops, buffer, buffer + half, buffer + half, buffer + n, first, less);
  }
}

}  // namespace detail

/// Sorts the items; not stable. Copies them to a buffer, so they should be cheap to copy.
template <class Loops, class It, class Less>
void sort_by_merging(const Loops& loops, It first, It last, const Less& less) {
  std::vector<std::iter_value_t<It>> buffer(static_cast<std::size_t>(last - first));
  detail::sort_halves(loops, first, last, buffer.begin(), false, less);
}

/// Makes two passes over blocks, as is usual: the first finds the sum, or the number of copies, of each block, the
/// second writes the block's part of the output. The code between the passes takes one addition for each block, and is
/// not parallel.
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
