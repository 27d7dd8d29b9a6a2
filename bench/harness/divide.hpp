// Loops by divide and conquer over an eager or lazy fork, for the variants with a grain chosen by hand: `tuned` has a
// grain that suits the program, `dac` has none and divides down to single iterations.
#pragma once

#include <tine/tine.hpp>

#include <type_traits>
#include <utility>

namespace bench {

/// The grain of `dac`. It is a constant, so that a leaf is the body alone without a loop around it.
inline constexpr std::integral_constant<int, 1> single{};

namespace detail {

/// The data that all parts of a loop share. A fork carries one pointer to it.
template <class Grain, class Body>
struct divided_for {
  Grain grain;
  const Body& body;

  template <class I>
  [[gnu::noinline]] void run(I lo, I hi) const {
    if (hi - lo <= static_cast<I>(grain)) {
      for (; lo < hi; ++lo) body(lo);
      return;
    }
    const I middle = lo + (hi - lo) / 2;
    tine::par([=, this] { run(lo, middle); }, [=, this] { run(middle, hi); },
              [](tine::void_result, tine::void_result) {});
  }
};

template <class Grain, class T, class Map, class Combine>
struct divided_reduce {
  Grain grain;
  const T& identity;
  const Map& map;
  const Combine& combine;

  template <class I>
  [[gnu::noinline]] T run(I lo, I hi) const {
    if (hi - lo <= static_cast<I>(grain)) {
      T result = identity;
      for (; lo < hi; ++lo) result = combine(std::move(result), map(lo));
      return result;
    }
    const I middle = lo + (hi - lo) / 2;
    return tine::par([=, this] { return run(lo, middle); }, [=, this] { return run(middle, hi); },
                     [this](T left, T right) { return combine(std::move(left), std::move(right)); });
  }
};

}  // namespace detail

/// Calls `body(i)` for all integers from `lo` to before `hi`, in plain loops over at most `grain` of them.
template <class I, class Grain, class Body>
void divide_for(I lo, I hi, Grain grain, const Body& body) {
  detail::divided_for<Grain, Body>{grain, body}.run(lo, hi);
}

/// Combines `map(i)` for all integers from `lo` to before `hi`, in their order. Each plain loop over at most `grain` of
/// them begins with `identity`. `combine` must be associative.
template <class I, class Grain, class T, class Map, class Combine>
T divide_reduce(I lo, I hi, Grain grain, const T& identity, const Map& map, const Combine& combine) {
  return detail::divided_reduce<Grain, T, Map, Combine>{grain, identity, map, combine}.run(lo, hi);
}

}  // namespace bench
