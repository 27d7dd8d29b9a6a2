// The spaces that loops iterate over: indices, or items behind random access iterators. We count iterations from 0; a
// space maps the number k to the k-th index or item. Spaces don't change, so all strands of a loop use them.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/sched/pool.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace tine::detail {

/// A signed number of items. It need not be a type of the language: in strict modes that of `views::iota(size_t{0}, n)`
/// is none, because it has more than 64 bits.
template <class D>
concept item_count = !std::floating_point<D> && requires(D d) {
  requires std::bool_constant<(static_cast<D>(-1) < static_cast<D>(0))>::value;
  static_cast<std::uint64_t>(d);
};

/// The operations that a loop needs of an iterator. (The standard's own concept costs as much compile time as the rest
/// of tine; <array> brings std::begin and std::end at little cost.)
template <class It>
concept random_access = !std::integral<It> && requires(const It& i, It& j) {
  { i - i } -> item_count;
  { i + (i - i) } -> std::same_as<It>;
  { i != i } -> std::convertible_to<bool>;
  { ++j } -> std::same_as<It&>;
  *i;
};

template <class R>
concept random_access_range = requires(R& r) {
  { std::begin(r) } -> random_access;
  std::end(r) - std::begin(r);
};

/// Types that cannot be the bounds of a loop, because they are neither two integers nor one type of random access
/// iterators.
template <class Lo, class Hi>
concept no_bounds = !(std::integral<Lo> && std::integral<Hi>) && !(std::same_as<Lo, Hi> && random_access<Lo>);

/// Reports in the caller's terms why these cannot be the bounds of a loop.
template <class Lo, class Hi>
consteval bool refuse_bounds() {
  constexpr bool is_fraction = std::is_floating_point_v<Lo> || std::is_floating_point_v<Hi>;
  constexpr bool is_mixed = !is_fraction && !std::same_as<Lo, Hi> && random_access<Lo> && random_access<Hi>;
  static_assert(
      !is_fraction,
      "tine: a loop counts with integers, not with floating-point numbers: give it integer bounds, and compute the number from the index in its body");
  static_assert(!is_mixed, "tine: both iterators of a loop must have the same type, as in v.begin(), v.end()");
  static_assert(
      is_fraction || is_mixed,
      "tine: the bounds of a loop are two integers or two random access iterators, because another worker may begin anywhere between them: copy the items into a std::vector");
  return true;
}

/// As `refuse_bounds`, for the range of a loop.
template <class Range>
consteval bool refuse_range() {
  static_assert(
      random_access_range<Range>,
      "tine: a loop needs a range with random access iterators, because another worker may begin anywhere in it: copy the items into a std::vector");
  return true;
}

/// Indices from `first` on.
template <class Index>
struct indices {
  Index first;

  using item = Index;

  TINE_ALWAYS_INLINE Index at(std::uint64_t k) const noexcept {
    using bits = std::make_unsigned_t<Index>;
    return static_cast<Index>(static_cast<bits>(static_cast<bits>(first) + static_cast<bits>(k)));
  }
  TINE_ALWAYS_INLINE item item_at(std::uint64_t k) const noexcept { return at(k); }
  template <class F>
  TINE_ALWAYS_INLINE void visit(std::uint64_t begin, std::uint64_t end, F f) const {
    const Index stop = at(end);
    for (Index i = at(begin); i != stop; ++i) f(i);
  }
};

/// The items that an iterator refers to, from `first` on.
template <class It>
struct items {
  It first;

  using item = decltype(*std::declval<const It&>());
  using step = decltype(std::declval<const It&>() - std::declval<const It&>());

  TINE_ALWAYS_INLINE It at(std::uint64_t k) const { return first + static_cast<step>(k); }
  TINE_ALWAYS_INLINE item item_at(std::uint64_t k) const { return *at(k); }
  template <class F>
  TINE_ALWAYS_INLINE void visit(std::uint64_t begin, std::uint64_t end, F f) const {
    const It stop = at(end);
    for (It i = at(begin); i != stop; ++i) f(*i);
  }
};

template <class It>
items(It) -> items<It>;  // clang 16 doesn't find it by itself

/// Returns the indices from `lo` on, in the type that the usual conversions give, as in `for (auto i = lo; i < hi;
/// ++i)`.
template <class Lo, class Hi>
TINE_ALWAYS_INLINE auto indices_from(Lo lo, Hi) noexcept {
  static_assert(!std::is_same_v<Lo, bool> && !std::is_same_v<Hi, bool>,
                "tine: a loop counts with integers, not with bool");
  using index = std::common_type_t<Lo, Hi>;
  return indices<index>{static_cast<index>(lo)};
}

/// Returns true if the usual conversions change this bound of a loop whose other bound is an `Other`: the bound is
/// negative, and the conversions make both bounds unsigned. (clang asks this for the arguments of other overloads,
/// too.)
template <class Other, class Bound>
constexpr bool changes(const Bound& bound) noexcept {
  if constexpr (!std::integral<Bound> || !std::integral<Other>) {
    return false;
  } else if constexpr (std::is_signed_v<Bound> && std::is_unsigned_v<std::common_type_t<Bound, Other>>) {
    return bound < 0;
  } else {
    return false;
  }
}

/// Throws std::invalid_argument.
[[noreturn]] TINE_API TINE_COLD void refuse_negative_bound();

/// Returns the number of iterations; 0 if the end is before the start.
template <std::integral Lo, std::integral Hi>
TINE_ALWAYS_INLINE std::uint64_t distance(Lo lo, Hi hi) {
  using index = std::common_type_t<Lo, Hi>;
  static_assert(sizeof(index) <= sizeof(std::uint64_t), "tine: an index has at most 64 bits");
  if (changes<Hi>(lo) || changes<Lo>(hi)) [[unlikely]]
    refuse_negative_bound();
  const auto first = static_cast<index>(lo), last = static_cast<index>(hi);
  return first < last ? static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) : 0;
}

template <random_access It, class End>
TINE_ALWAYS_INLINE std::uint64_t distance(It first, End last) {
  const auto n = last - first;
  return n > 0 ? static_cast<std::uint64_t>(n) : 0;
}

/// True if every chunk should run on its own copy of a `T`: then the compiler knows that nothing the iterations write
/// changes the copy, as in a plain loop.
template <class T>
inline constexpr bool cheap_to_copy =
    std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T> && sizeof(T) <= 128;

/// Runs one iteration. If `f` returns the task of a coroutine, the task runs to its end. The values that the body
/// captures are in registers only where the body is inlined. A body with a loop in it is easily too large for compilers
/// to inline it by themselves.
template <class F, class Item>
TINE_ALWAYS_INLINE decltype(auto) run_iteration(F& f, Item&& item) {
  using way = sched::way_to_run<std::invoke_result_t<F&, Item>>;
  if constexpr (requires { requires way::is_a_call; } && requires { f(std::forward<Item>(item)); }) {
    TINE_INLINE_CALLS return f(std::forward<Item>(item));
  } else {
    return way::run(f, std::forward<Item>(item));
  }
}

/// Reports an error in the caller's terms, which would otherwise come from deep inside.
template <class Space, class Body>
consteval bool check_body() {
  using item = typename Space::item;
  if constexpr (!std::invocable<const Body&, item>) {
    static_assert(
        !std::invocable<Body&, item>,
        "tine: the body of a loop is called by several workers at once, so it must be callable as const: a lambda must not be mutable");
    static_assert(std::invocable<Body&, item>,
                  "tine: the body of a loop takes one argument, the index or the item of the iteration");
  }
  return true;
}

}  // namespace tine::detail
