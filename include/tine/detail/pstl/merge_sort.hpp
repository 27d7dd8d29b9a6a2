// A stable merge sort whose leaves the caller sorts. The levels of merges alternate between the range and a buffer: one level moves the items
// into the buffer, the next one back.
#pragma once

#include <tine/detail/pstl/buffer.hpp>
#include <tine/detail/pstl/in_chunks.hpp>
#include <tine/detail/pstl/merge_parts.hpp>

#include <cstddef>
#include <iterator>
#include <utility>

namespace tine::detail::pstl {

/// A leaf has at most so many items.
inline constexpr std::ptrdiff_t sort_leaf = 2048;

template <class It, class Compare, class SortLeaf>
class merge_sorter {
 public:
  using value = std::iter_value_t<It>;
  using length = std::iter_difference_t<It>;

  merge_sorter(const Compare& compare, const SortLeaf& leaf_sort) noexcept : compare_{compare}, leaf_sort_{leaf_sort} {}

  /// Sorts [first, last) by way of as much memory at `at`, in `levels` levels of merges, an even number.
  void sort(It first, It last, value* at, int levels) const {
    if (levels == 0) {
      const stop_guard leaf;
      return static_cast<void>(call(leaf_sort_, first, last, compare_));
    }
    const length half = (last - first) / 2;
    const buffered<value> halves = par([&] { return sort_to_buffer(first, first + half, at, levels - 1); },
                                       [&] { return sort_to_buffer(first + half, last, at + half, levels - 1); },
                                       [](buffered<value>&& a, buffered<value>&& b) {
                                         a.append(std::move(b));
                                         return std::move(a);
                                       });
    value* const middle = halves.begin() + half;
    merge_parts(halves.begin(), middle, middle, halves.end(), first, compare_,
                [](value* x, value* x_end, value* y, value* y_end, It out, const Compare& by) {
                  merge_serially(x, x_end, y, y_end, out, by, [](It& to, value&& item) { *to++ = std::move(item); });
                });
  }

 private:
  /// Sorts [first, last) into the memory at `at`.
  buffered<value> sort_to_buffer(It first, It last, value* at, int levels) const {
    const length half = (last - first) / 2;
    const It middle = first + half;
    par([&] { sort(first, middle, at, levels - 1); }, [&] { sort(middle, last, at + half, levels - 1); });
    return merge_to_buffer(first, middle, middle, last, at);
  }

  /// As `merge_parts`; the result owns the merged items, so that an exception destroys them.
  buffered<value> merge_to_buffer(It x, It x_end, It y, It y_end, value* at) const {
    if ((x_end - x) + (y_end - y) <= merge_leaf) {
      const stop_guard part;
      buffered<value> merged{at, at};
      merge_serially(x, x_end, y, y_end, at, compare_, [&merged](value*& to, value&& item) {
        merged.push_back(std::move(item));
        ++to;
      });
      return merged;
    }
    const merge_split<It, It> mid = split_merge(x, x_end, y, y_end, compare_);
    return par([&] { return merge_to_buffer(x, mid.x, y, mid.y, at); },
               [&] { return merge_to_buffer(mid.x, x_end, mid.y, y_end, at + (mid.x - x) + (mid.y - y)); },
               [](buffered<value>&& a, buffered<value>&& b) {
                 a.append(std::move(b));
                 return std::move(a);
               });
  }

  const Compare& compare_;
  const SortLeaf& leaf_sort_;
};

/// Sorts [first, last): calls `leaf_sort(begin, end, compare)` for subranges of at most `most` items, once for each item, and merges them.
/// `leaf_sort` must be stable if the sort is to be.
///
/// Source: merge sort with parallel merges (Cormen et al., chapter on multithreaded algorithms).
template <class It, class Compare, class SortLeaf>
void merge_sort(It first, It last, const Compare& compare, const SortLeaf& leaf_sort, std::ptrdiff_t most = sort_leaf) {
  const auto n = last - first;
  int levels = 0;
  for (auto leaf = n; leaf > most; leaf = (leaf + 3) / 4) levels += 2;
  const merge_sorter<It, Compare, SortLeaf> sorter{compare, leaf_sort};
  if (levels == 0) return sorter.sort(first, last, nullptr, 0);
  const buffer<std::iter_value_t<It>> memory{static_cast<std::size_t>(n)};
  sorter.sort(first, last, memory.get(), levels);
}

}  // namespace tine::detail::pstl
