// Algorithms on tine, without a grain.
//
// A program of several algorithms is a template over an algorithms object, so that its variants are the same program.
// An algorithms object is a loops object (harness/loops/managed.hpp) that also has:
//
//   sums(n, to, value)              writes value(0) + … + value(i) to to[i], for all i < n. `value(i)` may be called twice, and may
//                                   read to[i]. The sums are of the type of *to.
//   copy_if(first, last, to, keep)  copies the items for which keep(item) is true, in their order, and returns the end of the copies.
//                                   The predicate may be called twice for an item. `to` is no place in the range.
//   sort(first, last, less)         sorts; not stable.
//   integer_sort(first, last, key)  sorts by key(item), an unsigned integer; not stable.
//
// managed_algorithms also has nth_element(first, nth, last, less), which oneTBB and OpenMP do not have.
#pragma once

#include "harness/algorithms/counting.hpp"
#include "harness/loops/managed.hpp"

#include <tine/algo/copy_if.hpp>
#include <tine/algo/integer_sort.hpp>
#include <tine/algo/nth_element.hpp>
#include <tine/algo/sort.hpp>
#include <tine/algo/transform_inclusive_scan.hpp>

#include <cstddef>
#include <functional>

namespace bench {

struct managed_algorithms : managed_loops {
  static constexpr bool sorts_by_digits =
      true;  ///< integer_sort does not compare; the other algorithms objects do not have this member

  template <class T, class Value>
  void sums(std::size_t n, T* to, const Value& value) const {
    const auto to_sum = [&value](std::size_t i) { return static_cast<T>(value(i)); };
    tine::transform_inclusive_scan(counting{std::size_t{0}}, counting{n}, to, std::plus<T>{}, to_sum);
  }

  template <class It, class Out, class Keep>
  Out copy_if(It first, It last, Out to, const Keep& keep) const {
    return tine::copy_if(first, last, to, keep).out;
  }

  template <class It, class Less>
  void sort(It first, It last, const Less& less) const {
    tine::sort(first, last, less);
  }

  template <class It, class Less>
  void nth_element(It first, It nth, It last, const Less& less) const {
    tine::nth_element(first, nth, last, less);
  }

  template <class It, class Key>
  void integer_sort(It first, It last, const Key& key) const {
    tine::integer_sort(first, last, key);
  }
};

}  // namespace bench
