// Algorithms with execution policies that libstdc++ does not build on its back end well enough. libstdc++ calls a *pattern* for each algorithm; an
// overload for policies that are lvalues is better than libstdc++'s own pattern, whose policy may be any reference.
//
// | pattern | the reason for another one |
// |---|---|
// | transform_scan, for all scans | libstdc++'s is wrong for floating-point numbers and operations other than sums, and for exclusive scans in place |
// | transform_reduce of two ranges | libstdc++'s adds items one after the other, and its sequential one four at a time |
// | equal | libstdc++'s compares without memcmp |
// | remove, remove_if, unique, set_union and its relatives | libstdc++'s move all items into a buffer and back |
// | stable_partition | libstdc++'s rotates at every chunk, which takes quadratic time in the number of chunks |
// | adjacent_find, is_sorted | libstdc++'s does not end early |
// | find_first_of | libstdc++'s for par_unseq finds an item that is not the first one |
// | nth_element | libstdc++'s takes the first item as the pivot: quadratic time for sorted items |
// | partial_sort | libstdc++'s merges all items |
//
// Newer versions of Parallel STL pass a tag first, which is a type with a member `__is_vector`, in place of two truth values. Each pattern
// exists in both forms.
#pragma once

#include <tine/detail/pstl/par_backend.hpp>
#include <tine/detail/pstl/remove_chunks.hpp>
#include <tine/detail/pstl/set_chunks.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <numeric>
#include <type_traits>
#include <utility>

namespace tine::detail::pstl {

template <class It, class Out, class Transform, class T, class Combine, bool Inclusive>
Out scan_pattern(It first, It last, Out out, const Transform& transform, const T& init, const Combine& combine,
                 std::bool_constant<Inclusive>) {
  using index = std::iter_difference_t<It>;
  // `transform` may return a reference to its argument, which may be a temporary object, so the result is used in the same expression or copied.
  or_terminate([&] {
    transform_scan_chunks(
        static_cast<index>(last - first), [&](index i) { return call(transform, first[i]); }, init, combine,
        [&](index i, index j, T sum) {
          for (; i != j; ++i) sum = call(combine, sum, call(transform, first[i]));
          return sum;
        },
        [&](index i, index j, T sum) {
          for (; i != j; ++i) {
            if constexpr (Inclusive) {
              sum = call(combine, sum, call(transform, first[i]));
              out[i] = sum;
            } else {
              const T before = sum;
              sum = call(combine, sum, call(transform, first[i]));
              out[i] = before;
            }
          }
          return sum;
        });
  });
  return out + (last - first);
}

template <class It1, class It2, class T>
T transform_reduce_pattern(It1 first, It1 last, It2 other, const T& init, const auto& combine, const auto& transform) {
  return or_terminate([&] {
    return transform_reduce_chunks(
        first, last, [&](It1 i) { return call(transform, *i, other[i - first]); }, init, combine,
        [=, &combine, &transform](It1 i, It1 j, T sum) {
          return std::transform_reduce(i, j, other + (i - first), std::move(sum), combine, transform);
        });
  });
}

template <class It1, class It2, class Pred>
bool equal_pattern(It1 first, It1 last, It2 other, const Pred& pred) {
  const auto differ = [=](It1 i, It1 j) {
    if constexpr (std::is_same_v<Pred, std::equal_to<>>) {
      return !std::equal(i, j, other + (i - first));
    } else {
      return !std::equal(i, j, other + (i - first), pred);
    }
  };
  return !or_terminate([&] { return any_in_chunks(first, last, differ); });
}

template <class It>
It stable_partition_pattern(It first, It last, const auto& pred) {
  const buffer<std::iter_value_t<It>> memory{static_cast<std::size_t>(last - first)};
  return stable_partition_chunks(first, last, pred, memory.get());
}

template <class It>
It adjacent_find_pattern(It first, It last, const auto& pred) {
  if (last - first < 2) return last;
  const It end = last - 1;
  const It found = or_terminate([&] {
    return find_in_chunks(first, end, [&pred](It i, It j) {
      const It at = std::adjacent_find(i, j + 1, pred);
      return at == j + 1 ? j : at;
    });
  });
  return found == end ? last : found;
}

template <class It, class Of>
It find_first_of_pattern(It first, It last, Of of_first, Of of_last, const auto& pred) {
  return or_terminate([&] {
    return find_in_chunks(first, last,
                          [=, &pred](It i, It j) { return std::find_first_of(i, j, of_first, of_last, pred); });
  });
}

/// The sequential set operations.
struct set_union_op {
  auto operator()(auto... args) const { return std::set_union(args...); }
};
struct set_intersection_op {
  auto operator()(auto... args) const { return std::set_intersection(args...); }
};
struct set_difference_op {
  auto operator()(auto... args) const { return std::set_difference(args...); }
};
struct set_symmetric_difference_op {
  auto operator()(auto... args) const { return std::set_symmetric_difference(args...); }
};

template <class It1, class It2, class Out, class Compare>
Out set_pattern(It1 first1, It1 last1, It2 first2, It2 last2, Out out, const Compare& compare, auto op) {
  return or_terminate([&] { return set_chunks(first1, last1, first2, last2, out, compare, op); });
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
  return tine::detail::pstl::remove_chunks(first, last, pred);
}
template <class IsVector, class Policy, class It, class Pred>
It __pattern_remove_if(__parallel_tag<IsVector>, Policy&, It first, It last, Pred pred) {
  return tine::detail::pstl::remove_chunks(first, last, pred);
}

template <class Policy, class It, class Pred, class IsVector>
It __pattern_unique(Policy&, It first, It last, Pred pred, IsVector, std::true_type) {
  return tine::detail::pstl::unique_chunks(first, last, pred);
}
template <class IsVector, class Policy, class It, class Pred>
It __pattern_unique(__parallel_tag<IsVector>, Policy&, It first, It last, Pred pred) {
  return tine::detail::pstl::unique_chunks(first, last, pred);
}

template <class Policy, class It1, class It2, class Out, class Compare, class IsVector>
Out __pattern_set_union(Policy&, It1 first1, It1 last1, It2 first2, It2 last2, Out out, Compare compare, IsVector,
                        std::true_type) {
  return tine::detail::pstl::set_pattern(first1, last1, first2, last2, out, compare,
                                         tine::detail::pstl::set_union_op{});
}
template <class IsVector, class Policy, class It1, class It2, class Out, class Compare>
Out __pattern_set_union(__parallel_tag<IsVector>, Policy&, It1 first1, It1 last1, It2 first2, It2 last2, Out out,
                        Compare compare) {
  return tine::detail::pstl::set_pattern(first1, last1, first2, last2, out, compare,
                                         tine::detail::pstl::set_union_op{});
}

template <class Policy, class It1, class It2, class Out, class Compare, class IsVector>
Out __pattern_set_intersection(Policy&, It1 first1, It1 last1, It2 first2, It2 last2, Out out, Compare compare,
                               IsVector, std::true_type) {
  return tine::detail::pstl::set_pattern(first1, last1, first2, last2, out, compare,
                                         tine::detail::pstl::set_intersection_op{});
}
template <class IsVector, class Policy, class It1, class It2, class Out, class Compare>
Out __pattern_set_intersection(__parallel_tag<IsVector>, Policy&, It1 first1, It1 last1, It2 first2, It2 last2, Out out,
                               Compare compare) {
  return tine::detail::pstl::set_pattern(first1, last1, first2, last2, out, compare,
                                         tine::detail::pstl::set_intersection_op{});
}

template <class Policy, class It1, class It2, class Out, class Compare, class IsVector>
Out __pattern_set_difference(Policy&, It1 first1, It1 last1, It2 first2, It2 last2, Out out, Compare compare, IsVector,
                             std::true_type) {
  return tine::detail::pstl::set_pattern(first1, last1, first2, last2, out, compare,
                                         tine::detail::pstl::set_difference_op{});
}
template <class IsVector, class Policy, class It1, class It2, class Out, class Compare>
Out __pattern_set_difference(__parallel_tag<IsVector>, Policy&, It1 first1, It1 last1, It2 first2, It2 last2, Out out,
                             Compare compare) {
  return tine::detail::pstl::set_pattern(first1, last1, first2, last2, out, compare,
                                         tine::detail::pstl::set_difference_op{});
}

template <class Policy, class It1, class It2, class Out, class Compare, class IsVector>
Out __pattern_set_symmetric_difference(Policy&, It1 first1, It1 last1, It2 first2, It2 last2, Out out, Compare compare,
                                       IsVector, std::true_type) {
  return tine::detail::pstl::set_pattern(first1, last1, first2, last2, out, compare,
                                         tine::detail::pstl::set_symmetric_difference_op{});
}
template <class IsVector, class Policy, class It1, class It2, class Out, class Compare>
Out __pattern_set_symmetric_difference(__parallel_tag<IsVector>, Policy&, It1 first1, It1 last1, It2 first2, It2 last2,
                                       Out out, Compare compare) {
  return tine::detail::pstl::set_pattern(first1, last1, first2, last2, out, compare,
                                         tine::detail::pstl::set_symmetric_difference_op{});
}

template <class Policy, class It, class Compare, class IsVector>
void __pattern_nth_element(Policy&, It first, It nth, It last, Compare compare, IsVector, std::true_type) {
  tine::detail::pstl::or_terminate([&] { tine::detail::pstl::select_nth(first, nth, last, compare); });
}
template <class IsVector, class Policy, class It, class Compare>
void __pattern_nth_element(__parallel_tag<IsVector>, Policy&, It first, It nth, It last, Compare compare) {
  tine::detail::pstl::or_terminate([&] { tine::detail::pstl::select_nth(first, nth, last, compare); });
}

template <class Policy, class It, class Compare, class IsVector>
void __pattern_partial_sort(Policy&, It first, It middle, It last, Compare compare, IsVector, std::true_type) {
  tine::detail::pstl::or_terminate([&] { tine::detail::pstl::partial_sort_chunks(first, middle, last, compare); });
}
template <class IsVector, class Policy, class It, class Compare>
void __pattern_partial_sort(__parallel_tag<IsVector>, Policy&, It first, It middle, It last, Compare compare) {
  tine::detail::pstl::or_terminate([&] { tine::detail::pstl::partial_sort_chunks(first, middle, last, compare); });
}

}  // namespace __pstl::__internal
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)
