// Loops by divide and conquer down to a grain; see managed.hpp.
#pragma once

#include "harness/divide.hpp"

namespace bench {

/// `divided_loops{4096}` for `tuned`, `divided_loops{single}` for `dac`.
template <class Grain>
struct divided_loops {
  Grain grain;

  template <class I, class Body>
  void for_each(I lo, I hi, const Body& body) const {
    divide_for(lo, hi, grain, body);
  }

  template <class I, class T, class Map, class Combine>
  T reduce(I lo, I hi, const T& identity, const Map& map, const Combine& combine) const {
    return divide_reduce(lo, hi, grain, identity, map, combine);
  }

  template <class F, class G>
  [[gnu::always_inline]] void fork(const F& f, const G& g) const {
    tine::par(f, g, [](tine::void_result, tine::void_result) {});
  }

  template <class F, class G, class Combine>
  [[gnu::always_inline]] auto fork(const F& f, const G& g, const Combine& combine) const {
    return tine::par(f, g, combine);
  }
};

}  // namespace bench
