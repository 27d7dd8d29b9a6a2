// Algorithms of the standard library with the policy std::execution::par; see managed.hpp. They run on tine in a source
// file that includes tine/pstl.hpp first, otherwise on oneTBB.
#pragma once

#include "harness/algorithms/counting.hpp"

#include <algorithm>
#include <cstddef>
#include <execution>
#include <functional>
#include <numeric>

namespace bench {

struct std_par_algorithms {
  template <class I, class Body>
  void for_each(I lo, I hi, const Body& body) const {
    if (lo < hi) std::for_each(std::execution::par, counting{lo}, counting{hi}, body);
  }

  template <class I, class T, class Map, class Combine>
  T reduce(I lo, I hi, const T& identity, const Map& map, const Combine& combine) const {
    if (!(lo < hi)) return identity;
    return std::transform_reduce(std::execution::par, counting{lo}, counting{hi}, identity, combine, map);
  }

  /// The standard library has no fork; a loop of two iterations is one.
  template <class F, class G>
  void fork(const F& f, const G& g) const {
    for_each(0, 2, [&](int i) { i == 0 ? f() : g(); });
  }

  template <class T, class Value>
  void sums(std::size_t n, T* to, const Value& value) const {
    const auto to_sum = [&value](std::size_t i) { return static_cast<T>(value(i)); };
    std::transform_inclusive_scan(std::execution::par, counting{std::size_t{0}}, counting{n}, to, std::plus<T>{},
                                  to_sum);
  }

  template <class It, class Out, class Keep>
  Out copy_if(It first, It last, Out to, const Keep& keep) const {
    return std::copy_if(std::execution::par, first, last, to, keep);
  }

  template <class It, class Less>
  void sort(It first, It last, const Less& less) const {
    std::sort(std::execution::par, first, last, less);
  }

  template <class It, class Key>
  void integer_sort(It first, It last, const Key& key) const {
    sort(first, last, [&key](const auto& a, const auto& b) { return key(a) < key(b); });
  }
};

}  // namespace bench
