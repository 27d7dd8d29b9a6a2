// A binary heap inside of a range, with the greatest item first. One worker uses it.
#pragma once

#include <tine/detail/algo/item_hole.hpp>

#include <iterator>

namespace tine::detail {

/// The heap of the `n` items from `first` on.
template <class It, class Less>
class item_heap {
 public:
  using distance = std::iter_difference_t<It>;

  item_heap(const It& first, distance n, const Less& less) : first_{first}, n_{n}, less_{less} {}

  /// Makes a heap of the items.
  void make() const {
    for (distance k = n_ / 2; k > 0; --k) {
      item_hole<It> hole{first_ + (k - 1)};
      sift_down(hole, k - 1);
    }
  }

  /// Moves the item at `from`, outside of the heap, into the heap, and the greatest item to `from`.
  void replace_top(const It& from) const {
    item_hole<It> hole{from};
    hole.move_to(first_);
    sift_down(hole, 0);
  }

  /// Sorts the items of the heap, and so destroys the heap.
  void sort() {
    while (n_ > 1) {
      --n_;
      replace_top(first_ + n_);
    }
  }

 private:
  /// Moves the hole at position `at` down until no child is greater than its item.
  void sift_down(item_hole<It>& hole, distance at) const {
    for (distance child = 2 * at + 1; child < n_; child = 2 * at + 1) {
      if (child + 1 < n_ && less_(first_[child], first_[child + 1])) ++child;
      if (!less_(hole.item(), first_[child])) break;
      hole.move_to(first_ + child);
      at = child;
    }
    hole.fill();
  }

  It first_;
  distance n_;
  const Less& less_;
};

/// Sorts a range without memory, on one worker.
template <class It, class Less>
void heap_sort(const It& first, const It& last, const Less& less) {
  item_heap<It, Less> heap{first, last - first, less};
  heap.make();
  heap.sort();
}

}  // namespace tine::detail
