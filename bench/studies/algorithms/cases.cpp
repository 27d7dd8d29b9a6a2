// The cases over the library that BENCH_LIBRARY names: the serial algorithms of the standard library, those of tine, or
// the standard library's parallel ones, whose back end is oneTBB or, with tine/pstl.hpp included before, tine.
#include "studies/algorithms/cases.hpp"

#include "harness/splitmix.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#define BENCH_SERIAL 1
#define BENCH_TINE 2
#define BENCH_PAR 3
#define BENCH_PAR_TINE 4

#if BENCH_LIBRARY == BENCH_PAR
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#else
#include <tine/sched/pool.hpp>
#endif
#if BENCH_LIBRARY == BENCH_SERIAL
#define BENCH_CALL(name, ...) std::name(__VA_ARGS__)
#elif BENCH_LIBRARY == BENCH_TINE
#include <tine/algo.hpp>
#define BENCH_CALL(name, ...) tine::name(__VA_ARGS__)
#else
#include <execution>
#define BENCH_CALL(name, ...) std::name(std::execution::par, __VA_ARGS__)
#endif
#define BENCH_ALL(v) v.begin(), v.end()
#if BENCH_LIBRARY == BENCH_TINE
#define BENCH_SECOND(v) BENCH_ALL(v)
#else
#define BENCH_SECOND(v) v.begin()
#endif

namespace bench::algorithms {
namespace {

// Inputs.

void random_keys(data& d, std::size_t n, std::uint64_t seed) {
  d.x.resize(n);
  splitmix random{seed};
  for (int& k : d.x) k = static_cast<int>(random() >> 34);
}
void random_keys_and_space(data& d, std::size_t n, std::uint64_t seed) {
  random_keys(d, n, seed);
  d.out.resize(n);
  d.also.resize(n);
}
void two_equal(data& d, std::size_t n, std::uint64_t seed) {
  random_keys(d, n, seed);
  d.y = d.x;
}
/// Ascending keys with random differences, some of which are zero.
void sorted_keys(data& d, std::size_t n, std::uint64_t seed) {
  d.x.resize(n);
  splitmix random{seed};
  std::uint64_t key = 0;
  for (int& k : d.x) k = static_cast<int>(key += random.below((std::uint64_t{1} << 31) / n));
}
void sorted_keys_and_space(data& d, std::size_t n, std::uint64_t seed) {
  sorted_keys(d, n, seed);
  d.out.resize(n);
}
/// Sorted but for the swaps of √n pairs.
void nearly_sorted_keys(data& d, std::size_t n, std::uint64_t seed) {
  sorted_keys(d, n, seed);
  splitmix random{~seed};
  for (std::size_t swaps = 0; swaps * swaps < n; ++swaps) std::swap(d.x[random.below(n)], d.x[random.below(n)]);
}
void few_keys(data& d, std::size_t n, std::uint64_t seed) {
  random_keys(d, n, seed);
  for (int& k : d.x) k &= 15;
}
/// Two sorted inputs of half the length, which have about half of their keys in common.
void two_sorted(data& d, std::size_t n, std::uint64_t seed) {
  sorted_keys(d, n / 2, seed);
  d.y = d.x;
  splitmix random{~seed};
  for (std::size_t i = 0; i + 1 < d.y.size(); ++i)
    if (random() % 2 == 0) d.y[i] = std::midpoint(d.x[i], d.x[i + 1]);
  d.out.resize(n);
}
/// A sorted input, and every second one of its keys.
void sorted_and_half(data& d, std::size_t n, std::uint64_t seed) {
  sorted_keys(d, n, seed);
  for (std::size_t i = 0; i < n; i += 2) d.y.push_back(d.x[i]);
}
/// Few keys, and eight to search for, of which the fifth does not occur.
void few_keys_and_series(data& d, std::size_t n, std::uint64_t seed) {
  few_keys(d, n, seed);
  d.y = {3, 1, 4, 1, -1, 9, 2, 6};
}
/// Ascending keys, each of them once.
void distinct_keys(data& d, std::size_t n, std::uint64_t) {
  d.x.resize(n);
  std::iota(BENCH_ALL(d.x), 0);
}
void descending_keys(data& d, std::size_t n, std::uint64_t seed) {
  sorted_keys(d, n, seed);
  std::reverse(BENCH_ALL(d.x));
}
/// Two sorted runs, one behind the other.
void two_runs(data& d, std::size_t n, std::uint64_t seed) {
  two_sorted(d, n, seed);
  d.x.insert(d.x.end(), d.y.begin(), d.y.end());
  d.result = d.y.size();
}
/// Random keys, and one that isn't among them at a hundredth of the length, or at the end.
void early_key(data& d, std::size_t n, std::uint64_t seed) {
  random_keys(d, n, seed);
  d.x[n / 100] = -1;
}
void late_key(data& d, std::size_t n, std::uint64_t seed) {
  random_keys(d, n, seed);
  d.x[n - 1] = -1;
}
/// Runs of equal keys.
void runs(data& d, std::size_t n, std::uint64_t seed) {
  d.x.resize(n);
  splitmix random{seed};
  int key = 0;
  for (int& k : d.x) k = key += random() % 3 == 0 ? 1 : 0;
}
void two_vectors(data& d, std::size_t n, std::uint64_t seed) {
  d.u.resize(n);
  d.v.resize(n);
  splitmix random{seed};
  for (std::size_t i = 0; i < n; ++i) {
    d.u[i] = static_cast<double>(random() >> 40);
    d.v[i] = static_cast<double>(random() >> 40);
  }
}

// Checks.

std::uint64_t hash(const std::vector<int>& all) {
  std::uint64_t h = all.size();
  for (const int k : all) h = (h ^ static_cast<std::uint64_t>(k)) * 0x9e3779b97f4a7c15U;
  return h;
}
std::uint64_t hash_of_set(const std::vector<int>& all, std::size_t begin, std::size_t end) {
  std::uint64_t h = end - begin;
  for (std::size_t i = begin; i < end; ++i) h += splitmix{static_cast<std::uint64_t>(all[i])}();
  return h;
}
std::uint64_t all_of_it(const data& d) { return hash(d.x) ^ hash(d.out) * 3 ^ hash(d.also) * 5 ^ d.result; }
std::uint64_t both(const data& d) { return hash(d.x) ^ hash(d.y) * 3; }
std::uint64_t the_result(const data& d) { return d.result; }
std::uint64_t first_part(const data& d) {
  return hash_of_set(d.x, 0, d.result) ^ hash_of_set(d.x, d.result, d.x.size()) * 3;
}
std::uint64_t kept_part(const data& d) {
  return hash({d.x.begin(), d.x.begin() + static_cast<std::ptrdiff_t>(d.result)});
}

bool is_small(int k) { return k < 1 << 28; }
bool is_none(int k) { return k < 0; }
const auto small_ones = [](int k) { return is_small(k); };
const auto no_one = [](int k) { return is_none(k); };
const auto mix = [](int k) { return k * 5 + 1; };
const auto wrapping = [](int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
};

std::uint64_t distance(const std::vector<int>& from, std::vector<int>::const_iterator to) {
  return static_cast<std::uint64_t>(to - from.begin());
}

/// The end of what an algorithm has written: std:: returns it, and tine::, like std::ranges::, a structure that has it.
template <class R>
auto end_of(const R& r) {
  if constexpr (requires { r.out; }) {
    return r.out;
  } else if constexpr (requires { r.begin(); }) {
    return r.begin();
  } else {
    return r;
  }
}
template <class R>
auto first_of(const R& r) {
  if constexpr (requires { r.in1; }) {
    return r.in1;
  } else if constexpr (requires { r.out1; }) {
    return r.out1;
  } else if constexpr (requires { r.min; }) {
    return r.min;
  } else {
    return r.first;
  }
}

/// Where an occurrence begins: std:: returns that, and tine:: the occurrence.
template <class R>
auto begin_of(const R& r) {
  if constexpr (requires { r.begin(); }) {
    return r.begin();
  } else {
    return r;
  }
}

std::uint64_t one_or_two(bool is_true) { return is_true ? 1 : 2; }

auto place(data& d, std::size_t i) { return d.x.begin() + static_cast<std::ptrdiff_t>(i); }

void sort(data& d) { BENCH_CALL(sort, BENCH_ALL(d.x)); }

void find(data& d) { d.result = distance(d.x, BENCH_CALL(find, BENCH_ALL(d.x), -1)); }

void nth_element(data& d) {
  d.result = d.x.size() / 2;
  BENCH_CALL(nth_element, d.x.begin(), place(d, d.result), d.x.end());
}

const test_case all[] = {
    // Loops.
    {"for_each", random_keys, all_of_it,
     [](data& d) { BENCH_CALL(for_each, BENCH_ALL(d.x), [](int& k) { k = mix(k); }); }},
    {"transform", random_keys_and_space, all_of_it,
     [](data& d) { BENCH_CALL(transform, BENCH_ALL(d.x), d.out.begin(), mix); }},
    {"copy", random_keys_and_space, all_of_it, [](data& d) { BENCH_CALL(copy, BENCH_ALL(d.x), d.out.begin()); }},
    {"adjacent_difference", sorted_keys_and_space, all_of_it,
     [](data& d) { BENCH_CALL(adjacent_difference, BENCH_ALL(d.x), d.out.begin()); }},
    {"replace_if", random_keys, all_of_it, [](data& d) { BENCH_CALL(replace_if, BENCH_ALL(d.x), small_ones, 7); }},
    {"swap_ranges", two_sorted, both, [](data& d) { BENCH_CALL(swap_ranges, BENCH_ALL(d.x), BENCH_SECOND(d.y)); }},
    {"fill", random_keys, all_of_it, [](data& d) { BENCH_CALL(fill, BENCH_ALL(d.x), 7); }},
    {"generate", random_keys, all_of_it,
     [](data& d) { BENCH_CALL(generate, BENCH_ALL(d.x), [&d] { return static_cast<int>(d.result) + 3; }); }},
    {"reverse", random_keys, all_of_it, [](data& d) { BENCH_CALL(reverse, BENCH_ALL(d.x)); }},
    {"rotate", random_keys, all_of_it,
     [](data& d) { BENCH_CALL(rotate, d.x.begin(), place(d, d.x.size() / 3), d.x.end()); }},

    // Reductions.
    {"reduce", random_keys, the_result,
     [](data& d) { d.result = static_cast<std::uint64_t>(BENCH_CALL(reduce, BENCH_ALL(d.x), 0L, std::plus<>{})); }},
    {"transform_reduce", two_vectors, the_result,
     [](data& d) {
       d.result =
           BENCH_CALL(transform_reduce, BENCH_ALL(d.u), d.v.begin(), 0.0, std::plus<>{}, std::multiplies<>{}) > 1;
     }},
    {"count_if", random_keys, the_result,
     [](data& d) { d.result = static_cast<std::uint64_t>(BENCH_CALL(count_if, BENCH_ALL(d.x), small_ones)); }},
    {"min_element", random_keys, the_result,
     [](data& d) { d.result = distance(d.x, BENCH_CALL(min_element, BENCH_ALL(d.x))); }},
    {"max_element", random_keys, the_result,
     [](data& d) { d.result = distance(d.x, BENCH_CALL(max_element, BENCH_ALL(d.x))); }},
    {"minmax_element", random_keys, the_result,
     [](data& d) { d.result = distance(d.x, first_of(BENCH_CALL(minmax_element, BENCH_ALL(d.x)))); }},

    // Searches.
    {"find early", early_key, the_result, find},
    {"find late", late_key, the_result, find},
    {"find_if", random_keys, the_result,
     [](data& d) { d.result = distance(d.x, BENCH_CALL(find_if, BENCH_ALL(d.x), no_one)); }},
    {"any_of", random_keys, the_result,
     [](data& d) { d.result = one_or_two(BENCH_CALL(any_of, BENCH_ALL(d.x), no_one)); }},
    {"all_of", random_keys, the_result,
     [](data& d) { d.result = one_or_two(BENCH_CALL(all_of, BENCH_ALL(d.x), std::not_fn(no_one))); }},
    {"none_of", random_keys, the_result,
     [](data& d) { d.result = one_or_two(BENCH_CALL(none_of, BENCH_ALL(d.x), no_one)); }},
    {"equal", two_equal, the_result,
     [](data& d) { d.result = one_or_two(BENCH_CALL(equal, BENCH_ALL(d.x), BENCH_ALL(d.y))); }},
    {"mismatch", two_equal, the_result,
     [](data& d) { d.result = distance(d.x, first_of(BENCH_CALL(mismatch, BENCH_ALL(d.x), BENCH_ALL(d.y)))); }},
    {"lexicographical_compare", two_equal, the_result,
     [](data& d) { d.result = one_or_two(BENCH_CALL(lexicographical_compare, BENCH_ALL(d.x), BENCH_ALL(d.y))); }},
    {"adjacent_find", distinct_keys, the_result,
     [](data& d) { d.result = distance(d.x, BENCH_CALL(adjacent_find, BENCH_ALL(d.x))); }},
    {"search", few_keys_and_series, the_result,
     [](data& d) { d.result = distance(d.x, begin_of(BENCH_CALL(search, BENCH_ALL(d.x), BENCH_ALL(d.y)))); }},
    {"find_end", few_keys_and_series, the_result,
     [](data& d) { d.result = distance(d.x, begin_of(BENCH_CALL(find_end, BENCH_ALL(d.x), BENCH_ALL(d.y)))); }},
    {"includes", sorted_and_half, the_result,
     [](data& d) { d.result = one_or_two(BENCH_CALL(includes, BENCH_ALL(d.x), BENCH_ALL(d.y))); }},
    {"is_sorted", sorted_keys, the_result,
     [](data& d) { d.result = one_or_two(BENCH_CALL(is_sorted, BENCH_ALL(d.x))); }},
    {"is_partitioned", sorted_keys, the_result,
     [](data& d) { d.result = one_or_two(BENCH_CALL(is_partitioned, BENCH_ALL(d.x), small_ones)); }},
    {"is_heap", descending_keys, the_result,
     [](data& d) { d.result = one_or_two(BENCH_CALL(is_heap, BENCH_ALL(d.x))); }},

    // Scans and filters.
    {"inclusive_scan", random_keys_and_space, all_of_it,
     [](data& d) { BENCH_CALL(inclusive_scan, BENCH_ALL(d.x), d.out.begin(), wrapping); }},
    {"exclusive_scan", random_keys_and_space, all_of_it,
     [](data& d) { BENCH_CALL(exclusive_scan, BENCH_ALL(d.x), d.out.begin(), 1, wrapping); }},
    {"transform_inclusive_scan", random_keys_and_space, all_of_it,
     [](data& d) { BENCH_CALL(transform_inclusive_scan, BENCH_ALL(d.x), d.out.begin(), wrapping, mix); }},
    {"copy_if", random_keys_and_space, all_of_it,
     [](data& d) {
       d.result = distance(d.out, end_of(BENCH_CALL(copy_if, BENCH_ALL(d.x), d.out.begin(), small_ones)));
     }},
    {"partition_copy", random_keys_and_space, all_of_it,
     [](data& d) {
       d.result = distance(
           d.out, first_of(BENCH_CALL(partition_copy, BENCH_ALL(d.x), d.out.begin(), d.also.begin(), small_ones)));
     }},
    {"remove_if", random_keys, kept_part,
     [](data& d) { d.result = distance(d.x, end_of(BENCH_CALL(remove_if, BENCH_ALL(d.x), small_ones))); }},
    {"unique", runs, kept_part, [](data& d) { d.result = distance(d.x, end_of(BENCH_CALL(unique, BENCH_ALL(d.x)))); }},

    // Sorts and sets.
    {"partition", random_keys, first_part,
     [](data& d) { d.result = distance(d.x, end_of(BENCH_CALL(partition, BENCH_ALL(d.x), small_ones))); }},
    {"stable_partition", random_keys, all_of_it,
     [](data& d) { d.result = distance(d.x, end_of(BENCH_CALL(stable_partition, BENCH_ALL(d.x), small_ones))); }},
    {"sort", random_keys, all_of_it, sort},
    {"sort sorted", sorted_keys, all_of_it, sort},
    {"sort runs", runs, all_of_it, [](data& d) { BENCH_CALL(sort, BENCH_ALL(d.x), std::greater<>{}); }},
    {"sort nearly", nearly_sorted_keys, all_of_it, sort},
    {"sort few", few_keys, all_of_it, sort},
    {"stable_sort", random_keys, all_of_it, [](data& d) { BENCH_CALL(stable_sort, BENCH_ALL(d.x)); }},
    {"nth_element", random_keys, first_part, nth_element},
    {"nth_element sorted", sorted_keys, first_part, nth_element},
    {"partial_sort", random_keys, kept_part,
     [](data& d) {
       d.result = d.x.size() / 100 + 1;
       BENCH_CALL(partial_sort, d.x.begin(), place(d, d.result), d.x.end());
     }},
    {"merge", two_sorted, all_of_it, [](data& d) { BENCH_CALL(merge, BENCH_ALL(d.x), BENCH_ALL(d.y), d.out.begin()); }},
    {"inplace_merge", two_runs, all_of_it,
     [](data& d) { BENCH_CALL(inplace_merge, d.x.begin(), place(d, d.x.size() - d.result), d.x.end()); }},
    {"set_union", two_sorted, all_of_it,
     [](data& d) {
       d.result = distance(d.out, end_of(BENCH_CALL(set_union, BENCH_ALL(d.x), BENCH_ALL(d.y), d.out.begin())));
     }},
    {"set_intersection", two_sorted, all_of_it,
     [](data& d) {
       d.result = distance(d.out, end_of(BENCH_CALL(set_intersection, BENCH_ALL(d.x), BENCH_ALL(d.y), d.out.begin())));
     }},
    {"set_difference", two_sorted, all_of_it,
     [](data& d) {
       d.result = distance(d.out, end_of(BENCH_CALL(set_difference, BENCH_ALL(d.x), BENCH_ALL(d.y), d.out.begin())));
     }},
    {"set_symmetric_difference", two_sorted, all_of_it,
     [](data& d) {
       d.result =
           distance(d.out, end_of(BENCH_CALL(set_symmetric_difference, BENCH_ALL(d.x), BENCH_ALL(d.y), d.out.begin())));
     }},
};

}  // namespace

std::span<const test_case> cases() { return all; }

void run_in(unsigned workers, const std::function<void()>& f) {
#if BENCH_LIBRARY == BENCH_PAR
  const tbb::global_control most{tbb::global_control::max_allowed_parallelism, workers};
  tbb::task_arena arena{static_cast<int>(workers)};
  arena.execute(f);
#else
  tine::pool p{{.workers = workers}};
  p.run(f);
#endif
}

}  // namespace bench::algorithms
