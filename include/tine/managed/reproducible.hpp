// Reductions whose result is the same in every schedule, to the last bit.
#pragma once

#include <tine/detail/base/arch.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/managed/dyadic_sums.hpp>
#include <tine/detail/managed/iterations.hpp>
#include <tine/detail/managed/loop.hpp>
#include <tine/managed/par_reduce.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace tine {

/// The type of `tine::reproducible`.
struct reproducible_t {
  /// There is no implicit conversion to the tag.
  explicit reproducible_t() = default;
};

/// The first argument of a reduction whose grouping must not depend on the schedule.
inline constexpr reproducible_t reproducible{};

namespace detail {

/// Returns the value such that the compiler does not know how it was computed: it cannot contract the operations before
/// and behind this call into one that rounds differently, as a fused multiply-add does.
template <class T>
TINE_ALWAYS_INLINE T opaque(T value) noexcept {
  return base::arch::opaque_fraction(value);
}

/// The calls of `map` and `combine` of a reproducible reduction. They round in the same way wherever they are:
/// floating-point values are opaque, and values of classes, which may contain some, come from functions that are not
/// inlined.
template <class Space, class T, class Map, class Combine>
struct rounded_alike {
  Space space;
  Map map;
  Combine combine;
  const T* empty;

  using mapped = sched::run_result<const Map&, typename Space::item>;

  TINE_ALWAYS_INLINE T operator()(T&& first, T&& second) const {
    if constexpr (std::is_floating_point_v<T>) {
      return opaque(static_cast<T>(combine(std::move(first), std::move(second))));
    } else if constexpr (std::is_scalar_v<T>) {
      return static_cast<T>(combine(std::move(first), std::move(second)));
    } else {
      return combine_apart(std::move(first), std::move(second));
    }
  }
  /// Returns item number `i`, mapped.
  TINE_ALWAYS_INLINE T item(std::uint64_t i) const {
    if constexpr (std::is_floating_point_v<T>) {
      return opaque(as_result(i));
    } else if constexpr (std::is_scalar_v<T>) {
      return as_result(i);
    } else {
      return item_apart(i);
    }
  }

 private:
  TINE_ALWAYS_INLINE T as_result(std::uint64_t i) const {
    if constexpr (std::is_same_v<std::remove_cvref_t<mapped>, T>) {
      return run_iteration(map, space.item_at(i));
    } else if constexpr (std::is_floating_point_v<std::remove_cvref_t<mapped>>) {
      return static_cast<T>(
          combine(T(*empty), opaque<std::remove_cvref_t<mapped>>(run_iteration(map, space.item_at(i)))));
    } else {
      return static_cast<T>(combine(T(*empty), run_iteration(map, space.item_at(i))));
    }
  }
  TINE_NOINLINE T item_apart(std::uint64_t i) const { return as_result(i); }
  TINE_NOINLINE T combine_apart(T&& first, T&& second) const {
    return static_cast<T>(combine(std::move(first), std::move(second)));
  }
};

/// The job of a reproducible reduction.
template <class Space, class T, class Map, class Combine>
struct reproducible_job {
  using result = dyadic_sums<T>;
  using kernel = rounded_alike<Space, T, Map, Combine>;
  kernel parts;

  static constexpr bool is_copied = cheap_to_copy<kernel>;
  static constexpr unsigned group_level = 3;
  static constexpr std::uint64_t group = std::uint64_t{1} << group_level;

  result identity() const noexcept { return {}; }
  std::conditional_t<is_copied, kernel, const kernel&> kept() const noexcept { return parts; }
  static void pass(const kernel& k, result& so_far, std::uint64_t begin, std::uint64_t end) {
    if (so_far.empty()) so_far.begin_at(begin);
    while (begin != end && begin % group != 0) so_far.push(k.item(begin++), 0, k);
    for (; end - begin >= group; begin += group) so_far.push(sum_of_group<group>(k, begin), group_level, k);
    while (begin != end) so_far.push(k.item(begin++), 0, k);
  }
  void add(result& so_far, result&& later) const { so_far.append(std::move(later), parts); }

 private:
  /// Returns the sum of a segment of `N` items. Its additions do not wait for each other.
  template <std::uint64_t N>
  TINE_ALWAYS_INLINE static T sum_of_group(const kernel& k, std::uint64_t begin) {
    if constexpr (N == 1) {
      return k.item(begin);
    } else {
      T first = sum_of_group<N / 2>(k, begin);
      return k(std::move(first), sum_of_group<N / 2>(k, begin + N / 2));
    }
  }
};

template <class Space, class Identity, class Map, class Combine>
TINE_ALWAYS_INLINE auto reduce_reproducibly(Space space, std::uint64_t n, Identity& identity, Map& map,
                                            Combine& combine) {
  static_assert(check_reduction<Space, Identity, Map, Combine>());
  using result = reduced<Space, Identity, Map, Combine>;
  const auto empty = static_cast<result>(std::move(identity));
  if (n == 0) return result(empty);
  reproducible_job<Space, result, Map, Combine> job{{space, std::move(map), std::move(combine), &empty}};
  const auto parts = job.parts;
  return parts(result(empty), run_loop(job, n).total(parts));
}

}  // namespace detail

/// As `par_reduce(lo, hi, identity, map, combine)`, but the grouping depends on the number of items alone. So a sum of
/// floating-point numbers has the same bits on any number of workers, in every schedule, whether it is observed,
/// recorded, replayed or none of these, as long as `map` and `combine` are functions of their arguments.
///
///     double dot = tine::par_reduce(tine::reproducible, 0, n, 0.0, [&](int i) { return x[i] * y[i]; }, std::plus<>{});
///
/// The items are combined by the balanced binary tree over their numbers, in their order, and `combine(identity, ...)`
/// is the last step. So the error of a sum of n numbers grows as log n and not as n (Higham 1993, pairwise summation).
/// The workers split the loop as they split that of the other form, and there is no grain either. Other compilers and
/// options may round differently.
///
/// Work O(n), span O(log n) calls of `combine` in addition to that of the loop, memory O(log n) on each worker that
/// takes part. Results that grow when they are combined, such as strings, are moved O(log n) times. Errors and
/// thread-safety are as in the other form; `map` and `combine` must be copyable.
template <std::integral Lo, std::integral Hi, class Identity, class Map, class Combine>
TINE_ALWAYS_INLINE auto par_reduce(reproducible_t, Lo lo, Hi hi, Identity identity, Map map, Combine combine)
    TINE_REFUSE_IF(
        (detail::changes<Hi>(lo) || detail::changes<Lo>(hi)),
        "tine: one bound of a loop is negative and the other one unsigned: give both the same signedness, as in "
        "tine::par_for(-1, std::ssize(v), ...)") {
  return detail::reduce_reproducibly(detail::indices_from(lo, hi), detail::distance(lo, hi), identity, map, combine);
}

/// As `par_reduce(tine::reproducible, lo, hi, ...)`, over `map(*it)` for random access iterators from `first` up to
/// `last`.
template <detail::random_access It, class Identity, class Map, class Combine>
TINE_ALWAYS_INLINE auto par_reduce(reproducible_t, It first, It last, Identity identity, Map map, Combine combine) {
  return detail::reduce_reproducibly(detail::items<It>{first}, detail::distance(first, last), identity, map, combine);
}

/// As `par_reduce(tine::reproducible, lo, hi, ...)`, over `map(item)` for the items of a range with random access
/// iterators.
template <detail::random_access_range Range, class Identity, class Map, class Combine>
TINE_ALWAYS_INLINE auto par_reduce(reproducible_t, Range&& range, Identity identity, Map map, Combine combine) {
  const auto first = std::begin(range);
  return detail::reduce_reproducibly(detail::items{first}, detail::distance(first, std::end(range)), identity, map,
                                     combine);
}

}  // namespace tine
