// Loops on tine's own par_for and par_reduce, without a grain.
//
// A program of several phases is a template over a loops object, so that its variants are the same program. All loops
// objects have `for_each(lo, hi, body)`, which calls body(i); `reduce(lo, hi, identity, map, combine)`, whose `combine`
// is associative and commutative; `fork(f, g)`; and `fork(f, g, combine)`, which combines the results.
#pragma once

#include <tine/tine.hpp>

namespace bench {

struct managed_loops {
  template <class I, class Body>
  [[gnu::always_inline]] void for_each(I lo, I hi, const Body& body) const {
    tine::par_for(lo, hi, body);
  }

  template <class I, class T, class Map, class Combine>
  [[gnu::always_inline]] T reduce(I lo, I hi, const T& identity, const Map& map, const Combine& combine) const {
    return tine::par_reduce(lo, hi, identity, map, combine);
  }

  template <class F, class G>
  [[gnu::always_inline]] void fork(const F& f, const G& g) const {
    tine::par(f, g, [](tine::void_result, tine::void_result) {});
  }

  /// The results need not be in memory, so this is the fastest form of a fork.
  template <class F, class G, class Combine>
  [[gnu::always_inline]] auto fork(const F& f, const G& g, const Combine& combine) const {
    return tine::par(f, g, combine);
  }
};

/// Forks in the form that returns both results.
struct managed_pairs : managed_loops {
  template <class F, class G, class Combine>
  [[gnu::always_inline]] auto fork(const F& f, const G& g, const Combine& combine) const {
    const auto [a, b] = tine::par(f, g);
    return combine(a, b);
  }
};

}  // namespace bench
