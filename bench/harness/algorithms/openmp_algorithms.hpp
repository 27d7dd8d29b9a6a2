// Algorithms on oneTBB, which has scans and a sort, and on OpenMP's loops and tasks; see managed.hpp.
#pragma once

#include "harness/algorithms/algorithms_over.hpp"
#include "harness/loops/openmp_loops.hpp"

#include <cstddef>
#include <functional>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>

namespace bench {

struct tbb_algorithms : tbb_loops {
  template <class T, class Value>
  void sums(std::size_t n, T* to, const Value& value) const {
    ::tbb::parallel_scan(
        ::tbb::blocked_range<std::size_t>{0, n}, T{},
        [=, &value](const ::tbb::blocked_range<std::size_t>& part, T sum, bool is_final) {
          for (std::size_t i = part.begin(), end = part.end(); i != end; ++i) {
            sum = static_cast<T>(sum + value(i));
            if (is_final) to[i] = sum;
          }
          return sum;
        },
        std::plus<T>{});
  }

  template <class It, class Out, class Keep>
  Out copy_if(It first, It last, Out to, const Keep& keep) const {
    return to + ::tbb::parallel_scan(
                    ::tbb::blocked_range<It>{first, last}, std::ptrdiff_t{0},
                    [=, &keep](const ::tbb::blocked_range<It>& part, std::ptrdiff_t count, bool is_final) {
                      for (It i = part.begin(), end = part.end(); i != end; ++i)
                        if (keep(*i)) {
                          if (is_final) to[count] = *i;
                          ++count;
                        }
                      return count;
                    },
                    std::plus<std::ptrdiff_t>{});
  }

  template <class It, class Less>
  void sort(It first, It last, const Less& less) const {
    ::tbb::parallel_sort(first, last, less);
  }

  template <class It, class Key>
  void integer_sort(It first, It last, const Key& key) const {
    sort(first, last, [&key](const auto& a, const auto& b) { return key(a) < key(b); });
  }
};

using openmp_algorithms = algorithms_over<openmp_loops>;

}  // namespace bench
