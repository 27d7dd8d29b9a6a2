// The algorithms that the study compares, from the library that BENCH_LIBRARY names: the serial ones of the standard
// library, those of tine, or the standard library's parallel ones, whose back end is oneTBB or, with tine/pstl.hpp
// included before, tine.
#pragma once

#define BENCH_SERIAL 1
#define BENCH_TINE 2
#define BENCH_PAR 3

#include <algorithm>
#include <functional>
#include <numeric>
#if BENCH_LIBRARY == BENCH_TINE
#include <tine/algo.hpp>
#define BENCH_CALL(name) tine::name(given...)
#elif BENCH_LIBRARY == BENCH_PAR
#include <execution>
#define BENCH_CALL(name) std::name(std::execution::par, given...)
#else
#define BENCH_CALL(name) std::name(given...)
#endif

namespace bench::algorithms::library {

inline constexpr bool is_serial = BENCH_LIBRARY == BENCH_SERIAL, is_tine = BENCH_LIBRARY == BENCH_TINE;

#define BENCH_ALGORITHM(name)                  \
  template <class... Given>                    \
  decltype(auto) name(const Given&... given) { \
    return BENCH_CALL(name);                   \
  }

BENCH_ALGORITHM(all_of)
BENCH_ALGORITHM(any_of)
BENCH_ALGORITHM(copy_if)
BENCH_ALGORITHM(count_if)
BENCH_ALGORITHM(equal)
BENCH_ALGORITHM(exclusive_scan)
BENCH_ALGORITHM(fill)
BENCH_ALGORITHM(find_if)
BENCH_ALGORITHM(for_each)
BENCH_ALGORITHM(generate)
BENCH_ALGORITHM(inclusive_scan)
BENCH_ALGORITHM(is_sorted)
BENCH_ALGORITHM(max_element)
BENCH_ALGORITHM(merge)
BENCH_ALGORITHM(min_element)
BENCH_ALGORITHM(minmax_element)
BENCH_ALGORITHM(mismatch)
BENCH_ALGORITHM(none_of)
BENCH_ALGORITHM(nth_element)
BENCH_ALGORITHM(partial_sort)
BENCH_ALGORITHM(partition)
BENCH_ALGORITHM(partition_copy)
BENCH_ALGORITHM(reduce)
BENCH_ALGORITHM(remove_if)
BENCH_ALGORITHM(reverse)
BENCH_ALGORITHM(rotate)
BENCH_ALGORITHM(set_difference)
BENCH_ALGORITHM(set_intersection)
BENCH_ALGORITHM(set_union)
BENCH_ALGORITHM(sort)
BENCH_ALGORITHM(stable_sort)
BENCH_ALGORITHM(transform)
BENCH_ALGORITHM(transform_inclusive_scan)
BENCH_ALGORITHM(transform_reduce)
BENCH_ALGORITHM(unique)

#undef BENCH_ALGORITHM
#undef BENCH_CALL

}  // namespace bench::algorithms::library
