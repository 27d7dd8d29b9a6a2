// Set operations on sorted ranges: loops over the items of both ranges. The series that starts with the first item
// knows where its results go, and writes them. The others keep their results until the series before them ends.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/merge_in_loop.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/algo/raw_buffer.hpp>
#include <tine/detail/base/macros.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace tine::detail {

/// Which items a set operation writes: those only in the left range, those of the left range that are in both, and
/// those only in the right range.
struct set_operation {
  bool left_only, both, right_only;
};
inline constexpr set_operation union_of{true, true, true}, intersection_of{false, true, false},
    difference_of{true, false, false}, symmetric_difference_of{true, false, true};

/// Two sorted ranges.
template <class A, class B, class Order>
struct sorted_ranges {
  A a;
  std::uint64_t a_length;
  B b;
  std::uint64_t b_length;
  [[no_unique_address]] kept_callable<Order> kept;

  const Order& order() const { return kept.call; }
  std::uint64_t length() const { return a_length + b_length; }
};
template <class A, class B, class Order>  // for clang 16, as all guides of aggregates
sorted_ranges(A, std::uint64_t, B, std::uint64_t, kept_callable<Order>) -> sorted_ranges<A, B, Order>;

/// A state of the sequential algorithm: how many items of both ranges it has passed.
struct set_place {
  std::uint64_t left = 0, right = 0;

  std::uint64_t passed() const { return left + right; }
};

/// The items of both ranges that equal an item: the positions of the first ones, and where those of the right range
/// end.
struct equal_group {
  set_place begin;
  std::uint64_t right_end = 0;
};

/// Returns the group of the last item before a place of the stable merge, at which at least one item has passed.
template <class A, class B, class Order>
equal_group group_before(const sorted_ranges<A, B, Order>& in, const set_place& at) {
  const Order& order = in.order();
  const auto split = [](const auto& items, std::uint64_t begin, std::uint64_t end, auto is_before) {
    while (begin != end) {
      const std::uint64_t middle = begin + (end - begin) / 2;
      if (is_before(*nth_item(items, middle))) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  };
  equal_group group;
  if (at.right != 0 &&
      (at.left == 0 || !order.right_first(*nth_item(in.b, at.right - 1), *nth_item(in.a, at.left - 1)))) {
    auto&& key = *nth_item(in.b, at.right - 1);
    group.begin.left = split(in.a, 0, at.left, [&](auto&& item) { return order.left_first(item, key); });
    group.begin.right = split(in.b, 0, at.right, [&](auto&& item) { return order.right_less(item, key); });
    group.right_end = split(in.b, at.right, in.b_length, [&](auto&& item) { return !order.right_less(key, item); });
  } else {
    auto&& key = *nth_item(in.a, at.left - 1);
    group.begin.left = split(in.a, 0, at.left, [&](auto&& item) { return order.left_less(item, key); });
    group.begin.right = at.right;
    group.right_end = split(in.b, at.right, in.b_length, [&](auto&& item) { return !order.left_first(key, item); });
  }
  return group;
}

/// Returns the last state of the sequential algorithm in which at most `n` items have passed. The algorithm passes an
/// item of one range, or two equal items at once, so `n` or `n - 1` items have passed.
///
/// Lemma: in a group with l items at the left and r items at the right, the algorithm first passes min(l, r) pairs, and
/// then the rest of the longer part. Proof: as long as both parts have items, these are equal; then the next item of
/// the other range is greater, or there is none.
///
/// The stable merge passes the left part of a group first. If it has passed only some of it, these are all items of the
/// group that have passed. Their number is greater than that of the pairs, so it may stand for l.
template <class A, class B, class Order>
set_place place_after(const sorted_ranges<A, B, Order>& in, std::uint64_t n) {
  if (n == 0) return {};
  const std::uint64_t left = co_rank(in.a, in.a_length, in.b, in.b_length, n, in.order());
  const equal_group group = group_before(in, {left, n - left});
  const std::uint64_t l = left - group.begin.left, r = group.right_end - group.begin.right;
  const std::uint64_t passed = n - group.begin.passed(), pairs = std::min({passed / 2, l, r});
  set_place place{group.begin.left + pairs, group.begin.right + pairs};
  if (pairs == l) {
    place.right += passed - 2 * pairs;
  } else if (pairs == r) {
    place.left += passed - 2 * pairs;
  }
  return place;
}

/// Results of a series that doesn't know yet where they go. `Kept` is an item, or the place of an item in the ranges.
template <class Kept>
class kept_results {
 public:
  /// Makes space for `n` more results, and returns where the first one goes.
  Kept* reserve(std::uint64_t n) {
    constexpr std::uint64_t least_block = 4096;
    if (blocks_.empty() || blocks_.back().items.capacity() - blocks_.back().used < n)
      blocks_.push_back({raw_buffer<Kept>{std::max(n, least_block)}, 0, size_});
    return blocks_.back().items.begin() + blocks_.back().used;
  }
  /// Adds `n` results, which are where `reserve` said.
  void add(std::uint64_t n) {
    blocks_.back().used += n;
    size_ += n;
  }
  /// Adds the results of a later series.
  void append(kept_results&& later) {
    for (block& b : later.blocks_) {
      b.position += size_;
      blocks_.push_back(std::move(b));
    }
    size_ += std::exchange(later.size_, 0);
  }
  std::uint64_t size() const { return size_; }

  /// Calls `visit(result, position)` for all results, in a loop.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for_each_chunk(size_, [this, &visit](std::uint64_t begin, std::uint64_t end) {
      const auto is_behind = [](std::uint64_t position, const block& b) { return position < b.position; };
      for (auto at = std::upper_bound(blocks_.begin(), blocks_.end(), begin, is_behind) - 1; begin != end; ++at) {
        const std::uint64_t stop = std::min(end, at->position + at->used);
        const Kept* result = at->items.begin() + (begin - at->position);
        for (; begin != stop; ++begin, ++result) visit(*result, begin);
      }
    });
  }

 private:
  struct block {
    raw_buffer<Kept> items;
    std::uint64_t used, position;
  };

  std::vector<block> blocks_;
  std::uint64_t size_ = 0;
};

}  // namespace tine::detail
