// Algorithms with execution policies that libstdc++ does not build on its back end well enough. libstdc++ calls a
// *pattern* for each algorithm. Our overloads take the policy as an lvalue, and so are better matches than libstdc++'s
// own patterns, whose policy may be any reference. The reasons for ours:
//
// - transform_scan, for all scans: libstdc++'s is wrong for floating-point numbers, for operations other than sums, and
//   for exclusive scans in place.
// - transform_reduce of two ranges: libstdc++'s adds items one after the other, and its sequential one four at a time.
// - equal: libstdc++'s compares without memcmp.
// - sort, stable_sort: libstdc++'s gives the back end a leaf to sort by; tine's algorithms have better ones.
// - remove, remove_if, unique, set_union and its relatives: libstdc++'s move all items into a buffer and back.
// - inplace_merge: libstdc++'s merges into a buffer, and moves all items back.
// - stable_partition: libstdc++'s rotates at every chunk, which takes quadratic time in the number of chunks.
// - adjacent_find, is_sorted: libstdc++'s does not end early.
// - find_first_of: libstdc++'s for par_unseq finds an item that is not the first one.
// - nth_element: libstdc++'s takes the first item as the pivot, which takes quadratic time for sorted items.
// - partial_sort, partial_sort_copy: libstdc++'s merges all items.
//
// Newer versions of Parallel STL pass a tag first, a type with a member `__is_vector`, instead of two truth values.
// Each pattern exists in both forms.
#pragma once

#include <tine/algo/remove_if.hpp>
#include <tine/algo/unique.hpp>
#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/compact_chunks.hpp>
#include <tine/detail/algo/merge_in_place.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/algo/quicksort.hpp>
#include <tine/detail/algo/raw_buffer.hpp>
#include <tine/detail/algo/run_set_operation.hpp>
#include <tine/detail/algo/scan_chunks.hpp>
#include <tine/detail/algo/select_nth.hpp>
#include <tine/detail/algo/stable_series.hpp>
#include <tine/detail/pstl/const_callable.hpp>
#include <tine/detail/pstl/in_chunks.hpp>
#include <tine/detail/pstl/par_backend.hpp>
#include <tine/detail/pstl/reduce_chunks.hpp>
#include <tine/detail/pstl/sort_chunks.hpp>
#include <tine/detail/pstl/stop_guard.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>

namespace tine::detail::pstl {

/// The type of the sums of a scan. Without an initial value libstdc++ takes the first item, and its type would be that
/// of a reference to it.
template <class It, class T>
using sum_of = std::conditional_t<std::is_same_v<T, typename std::iterator_traits<It>::reference>,
                                  typename std::iterator_traits<It>::value_type, T>;

template <class It, class Out, class T, bool Inclusive>
Out scan_pattern(It first, It last, Out out, const auto& transform, const T& init, const auto& combine,
                 std::bool_constant<Inclusive>) {
  const std::uint64_t n = length_of(first, last);
  by_standard_rules([&] {
    scan_chunks<Inclusive, sum_of<It, T>>(n, first, out, const_callable{combine}, const_callable{transform}, init);
  });
  return nth_item(out, n);
}

template <class It1, class It2, class T>
T transform_reduce_pattern(It1 first, It1 last, It2 other, const T& init, const auto& combine, const auto& transform) {
  return by_standard_rules([&] {
    return transform_reduce_chunks(
        first, last, [&](It1 i) { return call(transform, *i, *nth_item(other, length_of(first, i))); }, init, combine,
        [=, &combine, &transform](It1 i, It1 j, T sum) {
          return std::transform_reduce(i, j, nth_item(other, length_of(first, i)), std::move(sum), combine, transform);
        });
  });
}

template <class It1, class It2, class Pred>
bool equal_pattern(It1 first, It1 last, It2 other, const Pred& pred) {
  const auto differ = [=](It1 i, It1 j) {
    if constexpr (std::is_same_v<Pred, std::equal_to<>>) {
      return !std::equal(i, j, nth_item(other, length_of(first, i)));
    } else {
      return !std::equal(i, j, nth_item(other, length_of(first, i)), pred);
    }
  };
  return !by_standard_rules([&] { return any_in_chunks(first, last, differ); });
}

template <class It>
It adjacent_find_pattern(It first, It last, const auto& pred) {
  if (last - first < 2) return last;
  const It end = last - 1;
  const It found = by_standard_rules([&] {
    return find_in_chunks(first, end, [&pred](It i, It j) {
      const It at = std::adjacent_find(i, j + 1, pred);
      return at == j + 1 ? j : at;
    });
  });
  return found == end ? last : found;
}

template <class It, class Of>
It find_first_of_pattern(It first, It last, Of of_first, Of of_last, const auto& pred) {
  return by_standard_rules([&] {
    return find_in_chunks(first, last,
                          [=, &pred](It i, It j) { return std::find_first_of(i, j, of_first, of_last, pred); });
  });
}

/// `Items` are those of tine's algorithm: `filtered_items` or `unlike_items`.
template <template <class, class, class> class Items, class It, class Pred>
It compact_pattern(It first, It last, const Pred& pred) {
  const auto begin = plain_iterator(first);
  const Items<std::remove_cv_t<decltype(begin)>, const_callable<Pred>, std::identity> items{begin, {pred}, {}};
  return nth_item(first, by_standard_rules([&] { return compact_chunks(length_of(first, last), begin, items); }));
}

template <set_operation Operation, class It1, class It2, class Out>
Out set_pattern(It1 first1, It1 last1, It2 first2, It2 last2, Out out, const auto& compare) {
  const auto order = order_of_two(compare);
  const sorted_ranges in{plain_input<It2>(first1), length_of(first1, last1), plain_input<It1>(first2),
                         length_of(first2, last2), kept_callable{order}};
  return nth_item(out, by_standard_rules([&] { return run_set_operation<Operation>(in, plain_iterator(out)); }));
}

template <class It>
void sort_pattern(It first, It last, const auto& compare) {
  by_standard_rules([&] { sort_range(plain_iterator(first), plain_iterator(last), order_of(compare)); });
}

template <class It>
It stable_partition_pattern(It first, It last, const auto& pred) {
  const auto begin = plain_iterator(first);
  return nth_item(first, by_standard_rules([&] {
                    return stable_partition_range(begin, length_of(first, last), [&pred](auto&& item) TINE_INLINED {
                      return static_cast<bool>(call(pred, std::forward<decltype(item)>(item)));
                    });
                  }));
}

template <class It>
void inplace_merge_pattern(It first, It middle, It last, const auto& compare) {
  by_standard_rules(
      [&] { merge_in_place(plain_iterator(first), plain_iterator(middle), plain_iterator(last), order_of(compare)); });
}

/// If the output is shorter than the range, we select the items in memory. They are not destroyed if std::bad_alloc
/// leaves the function, as in libstdc++'s own.
template <class It, class Out>
Out partial_sort_copy_pattern(It first, It last, Out out, Out out_last, const auto& compare) {
  const std::uint64_t n = length_of(first, last), most = length_of(out, out_last);
  if (n == 0 || most == 0) return out;
  return by_standard_rules([&] {
    if (n <= most) {
      const Out end = nth_item(out, n);
      for_chunks(first, last, [first, out](It i, It j) { std::copy(i, j, nth_item(out, length_of(first, i))); });
      sort_range(plain_iterator(out), plain_iterator(end), order_of(compare));
      return end;
    }
    using T = std::iter_value_t<It>;
    const raw_buffer<T> memory{n};
    T* const items = memory.begin();
    for_chunks(first, last, [first, items](It i, It j) { std::uninitialized_copy(i, j, items + length_of(first, i)); });
    partial_sort_items(items, items + most, items + n, compare);
    for_chunks(items, items + most, [items, out](T* i, T* j) { std::move(i, j, nth_item(out, length_of(items, i))); });
    for_chunks(items, items + n, [](T* i, T* j) { std::destroy(i, j); });
    return out_last;
  });
}

template <class It>
void nth_element_pattern(It first, It nth, It last, const auto& compare) {
  if (nth == last) return;
  by_standard_rules(
      [&] { select_nth(plain_iterator(first), plain_iterator(nth), plain_iterator(last), order_of(compare)); });
}

}  // namespace tine::detail::pstl

// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming): libstdc++ names them
namespace __pstl::__internal {

template <class IsVector>
struct __parallel_tag;  // of newer versions

template <class Policy, class It, class Out, class Transform, class T, class Combine, class Inclusive, class IsVector>
Out __pattern_transform_scan(Policy&, It first, It last, Out out, Transform transform, T init, Combine combine,
                             Inclusive inclusive, IsVector, std::true_type) {
  return tine::detail::pstl::scan_pattern(first, last, out, transform, init, combine, inclusive);
}
template <class IsVector, class Policy, class It, class Out, class Transform, class T, class Combine, class Inclusive>
Out __pattern_transform_scan(__parallel_tag<IsVector>, Policy&, It first, It last, Out out, Transform transform, T init,
                             Combine combine, Inclusive inclusive) {
  return tine::detail::pstl::scan_pattern(first, last, out, transform, init, combine, inclusive);
}

template <class Policy, class It1, class It2, class T, class Combine, class Transform, class IsVector>
T __pattern_transform_reduce(Policy&, It1 first, It1 last, It2 other, T init, Combine combine, Transform transform,
                             IsVector, std::true_type) {
  return tine::detail::pstl::transform_reduce_pattern(first, last, other, init, combine, transform);
}
template <class IsVector, class Policy, class It1, class It2, class T, class Combine, class Transform>
T __pattern_transform_reduce(__parallel_tag<IsVector>, Policy&, It1 first, It1 last, It2 other, T init, Combine combine,
                             Transform transform) {
  return tine::detail::pstl::transform_reduce_pattern(first, last, other, init, combine, transform);
}

template <class Policy, class It1, class It2, class Pred, class IsVector>
bool __pattern_equal(Policy&, It1 first, It1 last, It2 other, Pred pred, IsVector, std::true_type) {
  return tine::detail::pstl::equal_pattern(first, last, other, pred);
}
template <class Policy, class It1, class It2, class Pred, class IsVector>
bool __pattern_equal(Policy&, It1 first, It1 last, It2 other, It2 other_last, Pred pred, IsVector, std::true_type) {
  return last - first == other_last - other && tine::detail::pstl::equal_pattern(first, last, other, pred);
}
template <class IsVector, class Policy, class It1, class It2, class Pred>
bool __pattern_equal(__parallel_tag<IsVector>, Policy&, It1 first, It1 last, It2 other, Pred pred) {
  return tine::detail::pstl::equal_pattern(first, last, other, pred);
}
template <class IsVector, class Policy, class It1, class It2, class Pred>
bool __pattern_equal(__parallel_tag<IsVector>, Policy&, It1 first, It1 last, It2 other, It2 other_last, Pred pred) {
  return last - first == other_last - other && tine::detail::pstl::equal_pattern(first, last, other, pred);
}

template <class Policy, class It, class Pred, class IsVector>
It __pattern_stable_partition(Policy&, It first, It last, Pred pred, IsVector, std::true_type) {
  return tine::detail::pstl::stable_partition_pattern(first, last, pred);
}
template <class IsVector, class Policy, class It, class Pred>
It __pattern_stable_partition(__parallel_tag<IsVector>, Policy&, It first, It last, Pred pred) {
  return tine::detail::pstl::stable_partition_pattern(first, last, pred);
}

template <class Policy, class It, class Compare, class IsVector>
void __pattern_inplace_merge(Policy&, It first, It middle, It last, Compare compare, IsVector, std::true_type) {
  tine::detail::pstl::inplace_merge_pattern(first, middle, last, compare);
}
template <class IsVector, class Policy, class It, class Compare>
void __pattern_inplace_merge(__parallel_tag<IsVector>, Policy&, It first, It middle, It last, Compare compare) {
  tine::detail::pstl::inplace_merge_pattern(first, middle, last, compare);
}

template <class Policy, class It, class Pred, class IsVector>
It __pattern_adjacent_find(Policy&, It first, It last, Pred pred, std::true_type, IsVector, bool) {
  return tine::detail::pstl::adjacent_find_pattern(first, last, pred);
}
template <class IsVector, class Policy, class It, class Pred>
It __pattern_adjacent_find(__parallel_tag<IsVector>, Policy&, It first, It last, Pred pred, bool) {
  return tine::detail::pstl::adjacent_find_pattern(first, last, pred);
}

template <class Policy, class It, class Of, class Pred, class IsVector>
It __pattern_find_first_of(Policy&, It first, It last, Of of_first, Of of_last, Pred pred, IsVector, std::true_type) {
  return tine::detail::pstl::find_first_of_pattern(first, last, of_first, of_last, pred);
}
template <class IsVector, class Policy, class It, class Of, class Pred>
It __pattern_find_first_of(__parallel_tag<IsVector>, Policy&, It first, It last, Of of_first, Of of_last, Pred pred) {
  return tine::detail::pstl::find_first_of_pattern(first, last, of_first, of_last, pred);
}

template <class Policy, class It, class Pred, class IsVector>
It __pattern_remove_if(Policy&, It first, It last, Pred pred, IsVector, std::true_type) {
  return tine::detail::pstl::compact_pattern<tine::detail::filtered_items>(first, last, pred);
}
template <class IsVector, class Policy, class It, class Pred>
It __pattern_remove_if(__parallel_tag<IsVector>, Policy&, It first, It last, Pred pred) {
  return tine::detail::pstl::compact_pattern<tine::detail::filtered_items>(first, last, pred);
}

template <class Policy, class It, class Pred, class IsVector>
It __pattern_unique(Policy&, It first, It last, Pred pred, IsVector, std::true_type) {
  return tine::detail::pstl::compact_pattern<tine::detail::unlike_items>(first, last, pred);
}
template <class IsVector, class Policy, class It, class Pred>
It __pattern_unique(__parallel_tag<IsVector>, Policy&, It first, It last, Pred pred) {
  return tine::detail::pstl::compact_pattern<tine::detail::unlike_items>(first, last, pred);
}

template <class Policy, class It1, class It2, class Out, class Compare, class IsVector>
Out __pattern_set_union(Policy&, It1 first1, It1 last1, It2 first2, It2 last2, Out out, Compare compare, IsVector,
                        std::true_type) {
  return tine::detail::pstl::set_pattern<tine::detail::union_of>(first1, last1, first2, last2, out, compare);
}
template <class IsVector, class Policy, class It1, class It2, class Out, class Compare>
Out __pattern_set_union(__parallel_tag<IsVector>, Policy&, It1 first1, It1 last1, It2 first2, It2 last2, Out out,
                        Compare compare) {
  return tine::detail::pstl::set_pattern<tine::detail::union_of>(first1, last1, first2, last2, out, compare);
}

template <class Policy, class It1, class It2, class Out, class Compare, class IsVector>
Out __pattern_set_intersection(Policy&, It1 first1, It1 last1, It2 first2, It2 last2, Out out, Compare compare,
                               IsVector, std::true_type) {
  return tine::detail::pstl::set_pattern<tine::detail::intersection_of>(first1, last1, first2, last2, out, compare);
}
template <class IsVector, class Policy, class It1, class It2, class Out, class Compare>
Out __pattern_set_intersection(__parallel_tag<IsVector>, Policy&, It1 first1, It1 last1, It2 first2, It2 last2, Out out,
                               Compare compare) {
  return tine::detail::pstl::set_pattern<tine::detail::intersection_of>(first1, last1, first2, last2, out, compare);
}

template <class Policy, class It1, class It2, class Out, class Compare, class IsVector>
Out __pattern_set_difference(Policy&, It1 first1, It1 last1, It2 first2, It2 last2, Out out, Compare compare, IsVector,
                             std::true_type) {
  return tine::detail::pstl::set_pattern<tine::detail::difference_of>(first1, last1, first2, last2, out, compare);
}
template <class IsVector, class Policy, class It1, class It2, class Out, class Compare>
Out __pattern_set_difference(__parallel_tag<IsVector>, Policy&, It1 first1, It1 last1, It2 first2, It2 last2, Out out,
                             Compare compare) {
  return tine::detail::pstl::set_pattern<tine::detail::difference_of>(first1, last1, first2, last2, out, compare);
}

template <class Policy, class It1, class It2, class Out, class Compare, class IsVector>
Out __pattern_set_symmetric_difference(Policy&, It1 first1, It1 last1, It2 first2, It2 last2, Out out, Compare compare,
                                       IsVector, std::true_type) {
  return tine::detail::pstl::set_pattern<tine::detail::symmetric_difference_of>(first1, last1, first2, last2, out,
                                                                                compare);
}
template <class IsVector, class Policy, class It1, class It2, class Out, class Compare>
Out __pattern_set_symmetric_difference(__parallel_tag<IsVector>, Policy&, It1 first1, It1 last1, It2 first2, It2 last2,
                                       Out out, Compare compare) {
  return tine::detail::pstl::set_pattern<tine::detail::symmetric_difference_of>(first1, last1, first2, last2, out,
                                                                                compare);
}

template <class Policy, class It, class Compare, class IsVector>
void __pattern_sort(Policy&, It first, It last, Compare compare, IsVector, std::true_type, std::true_type) {
  tine::detail::pstl::sort_pattern(first, last, compare);
}
template <class IsVector, class Policy, class It, class Compare>
void __pattern_sort(__parallel_tag<IsVector>, Policy&, It first, It last, Compare compare, std::true_type) {
  tine::detail::pstl::sort_pattern(first, last, compare);
}

template <class Policy, class It, class Compare, class IsVector>
void __pattern_stable_sort(Policy&, It first, It last, Compare compare, IsVector, std::true_type) {
  tine::detail::pstl::by_standard_rules([&] { tine::detail::pstl::stable_sort_items(first, last, compare); });
}
template <class IsVector, class Policy, class It, class Compare>
void __pattern_stable_sort(__parallel_tag<IsVector>, Policy&, It first, It last, Compare compare) {
  tine::detail::pstl::by_standard_rules([&] { tine::detail::pstl::stable_sort_items(first, last, compare); });
}

template <class Policy, class It, class Compare, class IsVector>
void __pattern_nth_element(Policy&, It first, It nth, It last, Compare compare, IsVector, std::true_type) {
  tine::detail::pstl::nth_element_pattern(first, nth, last, compare);
}
template <class IsVector, class Policy, class It, class Compare>
void __pattern_nth_element(__parallel_tag<IsVector>, Policy&, It first, It nth, It last, Compare compare) {
  tine::detail::pstl::nth_element_pattern(first, nth, last, compare);
}

template <class Policy, class It, class Compare, class IsVector>
void __pattern_partial_sort(Policy&, It first, It middle, It last, Compare compare, IsVector, std::true_type) {
  tine::detail::pstl::by_standard_rules([&] { tine::detail::pstl::partial_sort_items(first, middle, last, compare); });
}
template <class IsVector, class Policy, class It, class Compare>
void __pattern_partial_sort(__parallel_tag<IsVector>, Policy&, It first, It middle, It last, Compare compare) {
  tine::detail::pstl::by_standard_rules([&] { tine::detail::pstl::partial_sort_items(first, middle, last, compare); });
}

template <class Policy, class It, class Out, class Compare, class IsVector>
Out __pattern_partial_sort_copy(Policy&, It first, It last, Out out, Out out_last, Compare compare, IsVector,
                                std::true_type) {
  return tine::detail::pstl::partial_sort_copy_pattern(first, last, out, out_last, compare);
}
template <class IsVector, class Policy, class It, class Out, class Compare>
Out __pattern_partial_sort_copy(__parallel_tag<IsVector>, Policy&, It first, It last, Out out, Out out_last,
                                Compare compare) {
  return tine::detail::pstl::partial_sort_copy_pattern(first, last, out, out_last, compare);
}

}  // namespace __pstl::__internal
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)
