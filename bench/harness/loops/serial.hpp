// Plain loops, for programs whose serial variant is the same algorithm; see managed.hpp.
#pragma once

namespace bench {

struct serial_loops {
  template <class I, class Body>
  void for_each(I lo, I hi, const Body& body) const {
    for (I i = lo; i < hi; ++i) body(i);
  }

  template <class I, class T, class Map, class Combine>
  T reduce(I lo, I hi, const T& identity, const Map& map, const Combine& combine) const {
    T result = identity;
    for (I i = lo; i < hi; ++i) result = combine(result, map(i));
    return result;
  }

  template <class F, class G>
  [[gnu::always_inline]] void fork(const F& f, const G& g) const {
    f();
    g();
  }

  template <class F, class G, class Combine>
  [[gnu::always_inline]] auto fork(const F& f, const G& g, const Combine& combine) const {
    const auto a = f();
    return combine(a, g());
  }
};

}  // namespace bench
