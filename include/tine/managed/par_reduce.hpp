// par_reduce: a loop with a result, combined in the order of the iterations.
#pragma once

#include <tine/detail/base/consists_of_numbers.hpp>
#include <tine/detail/managed/iterations.hpp>
#include <tine/detail/managed/loop.hpp>

#include <utility>

namespace tine {
namespace detail {

/// The job of a loop with results.
template <class Space, class T, class Map, class Combine>
struct reduce_job {
  using result = T;
  struct kernel {
    Space space;
    Map map;
    Combine combine;
  };
  kernel parts;
  T empty;

  static constexpr bool is_copied = cheap_to_copy<kernel>;
  static constexpr bool combines_numbers = consists_of_numbers<T> && std::is_empty_v<Combine>;

  TINE_ALWAYS_INLINE T identity() const { return empty; }
  TINE_ALWAYS_INLINE std::conditional_t<is_copied, kernel, const kernel&> kept() const noexcept { return parts; }
  TINE_ALWAYS_INLINE static void pass(const kernel& k, T& so_far, std::uint64_t begin, std::uint64_t end) {
    if constexpr (moves_without_code<T>) {
      T sum = std::move(so_far);  // a local variable, so that the compiler keeps it in a register
      add_items(k, sum, begin, end);
      so_far = std::move(sum);
    } else {
      add_items(k, so_far, begin, end);
    }
  }
  TINE_ALWAYS_INLINE static void add_items(const kernel& k, T& sum, std::uint64_t begin, std::uint64_t end) {
    k.space.visit(begin, end, [&](auto&& item) TINE_INLINED {
      sum = static_cast<T>(k.combine(std::move(sum), run_iteration(k.map, std::forward<decltype(item)>(item))));
    });
  }
  void add(T& so_far, T&& later) const { so_far = static_cast<T>(parts.combine(std::move(so_far), std::move(later))); }
};

/// The type that `combine` returns for the identity and the first item.
template <class Space, class Identity, class Map, class Combine>
using reduced = std::remove_cvref_t<
    std::invoke_result_t<const Combine&, Identity, sched::run_result<const Map&, typename Space::item>>>;

template <class Space, class Identity, class Map, class Combine>
consteval bool check_reduction() {
  static_assert(check_body<Space, Map>());
  using mapped = sched::run_result<const Map&, typename Space::item>;
  static_assert(!std::is_void_v<mapped>, "tine: the map of a reduction must return something");
  static_assert(
      std::invocable<const Combine&, Identity, mapped>,
      "tine: the combine of a reduction takes two arguments, the result so far and what the map gave, and must be "
      "callable as const");
  using result = reduced<Space, Identity, Map, Combine>;
  static_assert(std::is_convertible_v<Identity, result> && std::copy_constructible<result> && std::movable<result>,
                "tine: the identity of a reduction must convert to what combine returns, which must be copyable");
  static_assert(std::invocable<const Combine&, result, mapped> && std::invocable<const Combine&, result, result>,
                "tine: the combine of a reduction must also take two results: that of some iterations and that of the "
                "following ones");
  return true;
}

template <class Space, class Identity, class Map, class Combine>
TINE_ALWAYS_INLINE auto reduce(Space space, std::uint64_t n, Identity& identity, Map& map, Combine& combine) {
  static_assert(check_reduction<Space, Identity, Map, Combine>());
  using result = reduced<Space, Identity, Map, Combine>;
  reduce_job<Space, result, Map, Combine> job{{space, std::move(map), std::move(combine)},
                                              static_cast<result>(std::move(identity))};
  return run_loop(job, n);
}

}  // namespace detail

/// Returns `combine(... combine(combine(identity, map(lo)), map(lo + 1)) ..., map(hi - 1))`, computed possibly in
/// parallel.
///
///     double dot = tine::par_reduce(0, n, 0.0, [&](int i) { return x[i] * y[i]; }, std::plus<>{});
///
/// `combine` must be associative, in the sense that results of consecutive subranges may be combined in any grouping;
/// it need not be commutative, because the order is kept. `identity` must be neutral on the left: every subrange begins
/// with a copy of it. (Floating-point sums depend on the grouping, and so on the schedule: see `tine::reproducible`.)
/// `combine` may fork. The result has the type that `combine` returns for the identity and the first item, so a sum of
/// doubles may have `0` as its identity.
///
/// Everything else is as in `par_for`: no grain size is needed, the order on one worker is the serial one, the bounds
/// may be of any integer types, several workers call `map` and `combine` at once and as const, and the first exception
/// in the order of the iterations is rethrown.
template <std::integral Lo, std::integral Hi, class Identity, class Map, class Combine>
TINE_ALWAYS_INLINE auto par_reduce(Lo lo, Hi hi, Identity identity, Map map, Combine combine) TINE_REFUSE_IF(
    (detail::changes<Hi>(lo) || detail::changes<Lo>(hi)),
    "tine: one bound of a loop is negative and the other one unsigned: give both the same signedness, as in "
    "tine::par_for(-1, std::ssize(v), ...)") {
  return detail::reduce(detail::indices_from(lo, hi), detail::distance(lo, hi), identity, map, combine);
}

/// As `par_reduce(lo, hi, ...)`, over `map(*it)` for random access iterators from `first` up to `last`.
template <detail::random_access It, class Identity, class Map, class Combine>
TINE_ALWAYS_INLINE auto par_reduce(It first, It last, Identity identity, Map map, Combine combine) {
  return detail::reduce(detail::items<It>{first}, detail::distance(first, last), identity, map, combine);
}

/// As `par_reduce(lo, hi, ...)`, over `map(item)` for the items of a range with random access iterators.
template <detail::random_access_range Range, class Identity, class Map, class Combine>
TINE_ALWAYS_INLINE auto par_reduce(Range&& range, Identity identity, Map map, Combine combine) {
  const auto first = std::begin(range);
  return detail::reduce(detail::items{first}, detail::distance(first, std::end(range)), identity, map, combine);
}

/// Refuses bounds of other types, with a message.
template <class Lo, class Hi, class Identity, class Map, class Combine>
  requires detail::no_bounds<Lo, Hi>
void par_reduce(Lo, Hi, Identity, Map, Combine) {
  static_assert(detail::refuse_bounds<Lo, Hi>());
}

/// Refuses other ranges, with a message.
template <class Range, class Identity, class Map, class Combine>
  requires(!detail::random_access_range<Range>)
void par_reduce(Range&&, Identity, Map, Combine) {
  static_assert(detail::refuse_range<Range>());
}

}  // namespace tine
