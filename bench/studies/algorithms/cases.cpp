// See cases.hpp.
#include "studies/algorithms/cases.hpp"

#include "harness/splitmix.hpp"
#include "studies/algorithms/library.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

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

std::uint64_t distance(auto first, auto last) { return static_cast<std::uint64_t>(last - first); }

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

std::vector<test_case> in_order() {
  namespace lib = library;
  return {
      {"for_each", random_keys, [](data& d) { lib::for_each(d.x.begin(), d.x.end(), [](int& k) { k = mix(k); }); },
       all_of_it},
      {"transform", random_keys_and_space, [](data& d) { lib::transform(d.x.begin(), d.x.end(), d.out.begin(), mix); },
       all_of_it},
      {"fill", random_keys, [](data& d) { lib::fill(d.x.begin(), d.x.end(), 7); }, all_of_it},
      {"generate", random_keys,
       [](data& d) { lib::generate(d.x.begin(), d.x.end(), [&d] { return static_cast<int>(d.result) + 3; }); },
       all_of_it},
      {"reverse", random_keys, [](data& d) { lib::reverse(d.x.begin(), d.x.end()); }, all_of_it},
      {"rotate", random_keys,
       [](data& d) { lib::rotate(d.x.begin(), d.x.begin() + static_cast<std::ptrdiff_t>(d.x.size() / 3), d.x.end()); },
       all_of_it},
  };
}

std::vector<test_case> reductions() {
  namespace lib = library;
  return {
      {"reduce", random_keys,
       [](data& d) { d.result = static_cast<std::uint64_t>(lib::reduce(d.x.begin(), d.x.end(), 0L, std::plus<>{})); },
       the_result},
      {"transform_reduce", two_vectors,
       [](data& d) {
         d.result = static_cast<std::uint64_t>(
             lib::transform_reduce(d.u.begin(), d.u.end(), d.v.begin(), 0.0, std::plus<>{}, std::multiplies<>{}) > 1);
       },
       the_result},
      {"count_if", random_keys,
       [](data& d) { d.result = static_cast<std::uint64_t>(lib::count_if(d.x.begin(), d.x.end(), small_ones)); },
       the_result},
      {"min_element", random_keys,
       [](data& d) { d.result = distance(d.x.begin(), lib::min_element(d.x.begin(), d.x.end())); }, the_result},
      {"max_element", random_keys,
       [](data& d) { d.result = distance(d.x.begin(), lib::max_element(d.x.begin(), d.x.end())); }, the_result},
      {"minmax_element", random_keys,
       [](data& d) { d.result = distance(d.x.begin(), first_of(lib::minmax_element(d.x.begin(), d.x.end()))); },
       the_result},
  };
}

std::vector<test_case> searches() {
  namespace lib = library;
  return {
      {"find_if", random_keys,
       [](data& d) { d.result = distance(d.x.begin(), lib::find_if(d.x.begin(), d.x.end(), no_one)); }, the_result},
      {"any_of", random_keys, [](data& d) { d.result = lib::any_of(d.x.begin(), d.x.end(), no_one) ? 1 : 2; },
       the_result},
      {"all_of", random_keys,
       [](data& d) { d.result = lib::all_of(d.x.begin(), d.x.end(), std::not_fn(no_one)) ? 1 : 2; }, the_result},
      {"none_of", random_keys, [](data& d) { d.result = lib::none_of(d.x.begin(), d.x.end(), no_one) ? 1 : 2; },
       the_result},
      {"equal", two_equal,
       [](data& d) { d.result = lib::equal(d.x.begin(), d.x.end(), d.y.begin(), d.y.end()) ? 1 : 2; }, the_result},
      {"mismatch", two_equal,
       [](data& d) {
         d.result = distance(d.x.begin(), first_of(lib::mismatch(d.x.begin(), d.x.end(), d.y.begin(), d.y.end())));
       },
       the_result},
      {"is_sorted", sorted_keys, [](data& d) { d.result = lib::is_sorted(d.x.begin(), d.x.end()) ? 1 : 2; },
       the_result},
  };
}

std::vector<test_case> scans() {
  namespace lib = library;
  return {
      {"inclusive_scan", random_keys_and_space,
       [](data& d) { lib::inclusive_scan(d.x.begin(), d.x.end(), d.out.begin(), wrapping); }, all_of_it},
      {"exclusive_scan", random_keys_and_space,
       [](data& d) { lib::exclusive_scan(d.x.begin(), d.x.end(), d.out.begin(), 1, wrapping); }, all_of_it},
      {"transform_inclusive_scan", random_keys_and_space,
       [](data& d) { lib::transform_inclusive_scan(d.x.begin(), d.x.end(), d.out.begin(), wrapping, mix); }, all_of_it},
      {"copy_if", random_keys_and_space,
       [](data& d) {
         d.result = distance(d.out.begin(), end_of(lib::copy_if(d.x.begin(), d.x.end(), d.out.begin(), small_ones)));
       },
       all_of_it},
      {"partition_copy", random_keys_and_space,
       [](data& d) {
         d.result =
             distance(d.out.begin(),
                      first_of(lib::partition_copy(d.x.begin(), d.x.end(), d.out.begin(), d.also.begin(), small_ones)));
       },
       all_of_it},
      {"remove_if", random_keys,
       [](data& d) { d.result = distance(d.x.begin(), end_of(lib::remove_if(d.x.begin(), d.x.end(), small_ones))); },
       kept_part},
      {"unique", runs, [](data& d) { d.result = distance(d.x.begin(), end_of(lib::unique(d.x.begin(), d.x.end()))); },
       kept_part},
  };
}

std::vector<test_case> sorts() {
  namespace lib = library;
  return {
      {"partition", random_keys,
       [](data& d) { d.result = distance(d.x.begin(), end_of(lib::partition(d.x.begin(), d.x.end(), small_ones))); },
       first_part},
      {"sort", random_keys, [](data& d) { lib::sort(d.x.begin(), d.x.end()); }, all_of_it},
      {"sort sorted", sorted_keys, [](data& d) { lib::sort(d.x.begin(), d.x.end()); }, all_of_it},
      {"sort runs", runs, [](data& d) { lib::sort(d.x.begin(), d.x.end(), std::greater<>{}); }, all_of_it},
      {"sort nearly", nearly_sorted_keys, [](data& d) { lib::sort(d.x.begin(), d.x.end()); }, all_of_it},
      {"sort few", few_keys, [](data& d) { lib::sort(d.x.begin(), d.x.end()); }, all_of_it},
      {"stable_sort", random_keys, [](data& d) { lib::stable_sort(d.x.begin(), d.x.end()); }, all_of_it},
      {"nth_element", random_keys,
       [](data& d) {
         d.result = d.x.size() / 2;
         lib::nth_element(d.x.begin(), d.x.begin() + static_cast<std::ptrdiff_t>(d.result), d.x.end());
       },
       first_part},
      {"nth_element sorted", sorted_keys,
       [](data& d) {
         d.result = d.x.size() / 2;
         lib::nth_element(d.x.begin(), d.x.begin() + static_cast<std::ptrdiff_t>(d.result), d.x.end());
       },
       first_part},
      {"partial_sort", random_keys,
       [](data& d) {
         d.result = d.x.size() / 100 + 1;
         lib::partial_sort(d.x.begin(), d.x.begin() + static_cast<std::ptrdiff_t>(d.result), d.x.end());
       },
       kept_part},
      {"merge", two_sorted, [](data& d) { lib::merge(d.x.begin(), d.x.end(), d.y.begin(), d.y.end(), d.out.begin()); },
       all_of_it},
      {"set_union", two_sorted,
       [](data& d) {
         d.result = distance(d.out.begin(),
                             end_of(lib::set_union(d.x.begin(), d.x.end(), d.y.begin(), d.y.end(), d.out.begin())));
       },
       all_of_it},
      {"set_intersection", two_sorted,
       [](data& d) {
         d.result =
             distance(d.out.begin(),
                      end_of(lib::set_intersection(d.x.begin(), d.x.end(), d.y.begin(), d.y.end(), d.out.begin())));
       },
       all_of_it},
      {"set_difference", two_sorted,
       [](data& d) {
         d.result = distance(
             d.out.begin(), end_of(lib::set_difference(d.x.begin(), d.x.end(), d.y.begin(), d.y.end(), d.out.begin())));
       },
       all_of_it},
  };
}

}  // namespace

std::vector<test_case> cases() {
  std::vector<test_case> all;
  for (auto* some : {in_order, reductions, searches, scans, sorts}) {
    for (test_case& c : some()) all.push_back(std::move(c));
  }
  return all;
}

}  // namespace bench::algorithms
