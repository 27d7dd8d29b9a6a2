// The loop under collect_reduce with buckets: a fold of the values of each bucket.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tine::detail {

[[noreturn]] TINE_COLD inline void refuse_bucket() {
  throw std::out_of_range{"tine: collect_reduce: a key is negative, or not less than the number of buckets"};
}

/// The values of a series that does not begin at item 0: a list of values with their buckets, or else a vector of
/// folds.
template <class T>
struct bucket_part {
  std::vector<std::pair<std::size_t, T>> list;
  std::vector<T> folds;  ///< empty: the list holds the values
};

/// The result of a series.
template <class T>
struct bucket_state {
  bool is_first = false;                 ///< the series begins at item 0: its folds are in the result
  std::unique_ptr<bucket_part<T>> part;  ///< of any other series
};

/// The items of a fold of buckets.
template <class It, class Key, class Value, class T, class Op>
struct bucket_items {
  It first;
  std::size_t buckets;
  Key key;
  Value value;
  T identity;
  Op op;

  template <class Item>
  TINE_ALWAYS_INLINE std::size_t bucket_of(Item& item) const {
    const auto k = std::invoke(key, item);
    const auto bucket = static_cast<std::size_t>(k);  // a negative key becomes a large number
    if (bucket >= buckets) [[unlikely]]
      refuse_bucket();
    return bucket;
  }

  template <class V>
  TINE_ALWAYS_INLINE void add(T& fold, V&& v) const {
    fold = static_cast<T>(std::invoke(op, std::move(fold), std::forward<V>(v)));
  }

  /// Adds items to the folds.
  TINE_ALWAYS_INLINE void run(T* folds, std::uint64_t begin, std::uint64_t end) const {
    for (It i = nth_item(first, begin), stop = nth_item(first, end); i != stop; ++i) {
      auto&& item = *i;
      add(folds[bucket_of(item)], std::invoke(value, item));
    }
  }

  /// Adds items to a series that does not begin at item 0.
  TINE_NOINLINE void keep(bucket_state<T>& so_far, std::uint64_t begin, std::uint64_t end) const {
    if (so_far.part == nullptr) so_far.part = std::make_unique<bucket_part<T>>();
    bucket_part<T>& part = *so_far.part;
    if (!use_folds(part, end - begin)) {
      for (It i = nth_item(first, begin), stop = nth_item(first, end); i != stop; ++i) {
        auto&& item = *i;
        const std::size_t bucket = bucket_of(item);
        part.list.emplace_back(bucket, fold_of(std::invoke(value, item)));
      }
    } else {
      run(part.folds.data(), begin, end);
    }
  }

  /// Adds a part to the folds of earlier items.
  void add_part(std::vector<T>& folds, bucket_part<T>&& later) const {
    if (later.folds.empty()) {
      for (auto& [bucket, v] : later.list) add(folds[bucket], std::move(v));
    } else {
      for_each_chunk(buckets, [this, &folds, &later](std::uint64_t b, std::uint64_t stop) {
        for (; b != stop; ++b) add(folds[b], std::move(later.folds[b]));
      });
    }
  }

  /// Adds a part to an earlier one.
  void unite(bucket_part<T>& so_far, bucket_part<T>&& later) const {
    if (later.folds.empty() && !use_folds(so_far, later.list.size())) {
      so_far.list.insert(so_far.list.end(), std::move_iterator{later.list.begin()},
                         std::move_iterator{later.list.end()});
    } else {
      if (so_far.folds.empty()) give_up_list(so_far);
      add_part(so_far.folds, std::move(later));
    }
  }

 private:
  template <class V>
  T fold_of(V&& v) const {
    return static_cast<T>(std::invoke(op, identity, std::forward<V>(v)));
  }

  /// Returns true if the next `count` values go into folds.
  bool use_folds(bucket_part<T>& part, std::uint64_t count) const {
    if (part.folds.empty() && part.list.size() + count > buckets / 8) give_up_list(part);
    return !part.folds.empty();
  }

  void give_up_list(bucket_part<T>& part) const {
    part.folds.assign(buckets, identity);
    for (auto& [bucket, v] : std::exchange(part.list, {})) add(part.folds[bucket], std::move(v));
  }
};

/// Returns the folds of all buckets over `n` items from `first` on.
template <class It, class Key, class Value, class T, class Op>
TINE_ALWAYS_INLINE std::vector<T> fold_buckets(It first, std::uint64_t n, std::size_t buckets, Key key, Value value,
                                               T identity, Op op) {
  static_assert(!std::is_same_v<T, bool>,
                "tine: several workers must not write to a std::vector<bool>: give char(0) as the identity");
  std::vector<T> all(buckets, identity);
  const bucket_items<It, Key, Value, T, Op> items{
      first, buckets, std::move(key), std::move(value), std::move(identity), std::move(op)};
  fold_chunks(
      n, [] { return bucket_state<T>{}; },
      [items, folds = all.data()](bucket_state<T>& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        if (begin == 0) so_far.is_first = true;
        if (so_far.is_first) [[likely]] {
          items.run(folds, begin, end);
        } else {
          items.keep(so_far, begin, end);
        }
      },
      [&items, &all](bucket_state<T>& so_far, bucket_state<T>&& later) {
        if (later.part == nullptr) {
          if (later.is_first) so_far = std::move(later);
        } else if (so_far.is_first) {
          items.add_part(all, std::move(*later.part));
        } else if (so_far.part != nullptr) {
          items.unite(*so_far.part, std::move(*later.part));
        } else {
          so_far.part = std::move(later.part);
        }
      });
  return all;
}

}  // namespace tine::detail
