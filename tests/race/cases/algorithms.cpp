// The algorithms: their own accesses do not race, and those of the program's functions may.
#include "../race_case.hpp"

#include <tine/algo.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

using race_test::keep;

constexpr std::size_t n = 3000;

std::vector<int> numbers() {
  std::vector<int> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<int>(i * 7919 % n);
  return v;
}

RACE_CASE(sort_whose_comparison_counts) {
  std::vector<int> v = numbers();
  long comparisons = 0;
  its.races_on(comparisons);
  tine::sort(v, [&](int a, int b) {
    if (its.racy) ++comparisons;
    return a < b;
  });
  keep(v);
}

RACE_CASE(stable_sort_whose_comparison_counts) {
  std::vector<int> v = numbers();
  long comparisons = 0;
  its.races_on(comparisons);
  tine::stable_sort(v, [&](int a, int b) {
    if (its.racy) ++comparisons;
    return a < b;
  });
  keep(v);
}

// The comparison reads a table that another branch writes.
RACE_CASE(sort_by_a_table_that_changes) {
  std::vector<int> v(100);
  std::iota(v.begin(), v.end(), 0);
  std::vector<int> key(100, 1), other(100, 2);
  its.races_in(&key[40], sizeof(int));
  tine::par(
      [&] {
        tine::sort(v,
                   [&](int a, int b) { return key[static_cast<std::size_t>(a)] < key[static_cast<std::size_t>(b)]; });
      },
      [&] { (its.racy ? key : other)[40] = 1; });
  keep(v);
}

CLEAN_CASE(sorts_of_strings) {
  std::vector<std::string> words(300);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = "a word of some length: " + std::to_string(i * 7919 % 300);
  auto copy = words;
  tine::sort(words);
  tine::stable_sort(copy);
  keep(words);
  keep(copy);
}

RACE_CASE(transform_in_place_and_ahead) {
  std::vector<long> v(n), w(n);
  its.races_in(v.data(), n * sizeof(long));
  const long* const from = its.racy ? v.data() : w.data();
  tine::transform(v.begin(), v.end() - 1, v.begin(),
                  [=, first = v.data()](const long& x) { return from[&x - first + 1] + 1; });
  keep(v);
}

CLEAN_CASE(transform_and_scan_in_place) {
  std::vector<long> v(n, 1);
  tine::transform(v, v.begin(), [](long x) { return 2 * x; });
  tine::inclusive_scan(v.begin(), v.end(), v.begin());
  tine::exclusive_scan(v.begin(), v.end(), v.begin(), 0L);
  keep(v);
}

RACE_CASE(scan_whose_operation_remembers) {
  std::vector<long> v(n, 1), sums(n);
  long last = 0;
  its.races_on(last);
  tine::inclusive_scan(
      v.begin(), v.end(), sums.begin(),
      [&](long a, long b) {
        if (its.racy) last = a;
        return a + b;
      },
      0L);
  keep(sums);
}

RACE_CASE(for_each_into_a_sum) {
  std::vector<int> v = numbers();
  long sum = 0;
  its.races_on(sum);
  tine::for_each(v, [&](int& x) {
    if (its.racy) sum += x;
    x = 0;
  });
  keep(sum);
}

RACE_CASE(copy_if_whose_predicate_writes) {
  const std::vector<int> v = numbers();
  std::vector<int> out(n);
  int last = 0;
  its.races_on(last);
  tine::copy_if(v, out.begin(), [&](int x) {
    if (its.racy && x % 2 == 0) last = x;
    return x % 2 == 0;
  });
  keep(out);
}

CLEAN_CASE(selections) {
  std::vector<int> v = numbers(), w = v, out(n), rest(n);
  tine::copy_if(v, out.begin(), [](int x) { return x % 3 == 0; });
  tine::remove_if(v, [](int x) { return x % 5 == 0; });
  tine::partition(w, [](int x) { return x < 1000; });
  tine::unique(w);
  std::size_t found = static_cast<std::size_t>(tine::find_if(out, [](int x) { return x == 2997; }) - out.begin());
  tine::partition_copy(w, out.begin(), rest.begin(), [](int x) { return x % 2 == 0; });
  keep(found);
  keep(v);
  keep(out);
}

RACE_CASE(histogram_whose_projection_writes) {
  const std::vector<int> v = numbers();
  std::array<int, 8> shared{};
  its.races_on(shared);
  auto counts = tine::histogram(v, 8, [&](int x) {
    if (its.racy) ++shared[static_cast<std::size_t>(x) % 8];
    return x % 8;
  });
  keep(counts);
}

RACE_CASE(histogram_beside_a_write) {
  std::vector<int> v = numbers();
  std::vector<int> other = v;
  std::vector<std::size_t> counts;
  its.races_in(&v[77], sizeof(int));
  tine::par([&] { counts = tine::histogram(v, 8, [](int x) { return x % 8; }); },
            [&] { (its.racy ? v : other)[77] = 1; });
  keep(counts);
}

CLEAN_CASE(groups_and_collections) {
  std::vector<std::pair<int, long>> pairs;
  for (int i = 0; i < 500; ++i) pairs.emplace_back(i * 31 % 17, i);
  auto groups = tine::group_by_key(pairs);
  auto sums = tine::collect_reduce(pairs, 0L, std::plus<>{});
  keep(groups);
  keep(sums);
}

RACE_CASE(merge_into_its_input) {
  std::vector<int> a(500), b(500), out(1000), other(500);
  std::iota(a.begin(), a.end(), 0);
  std::iota(b.begin(), b.end(), 0);
  its.races_in(&b[0], 500 * sizeof(int));
  tine::par([&] { tine::merge(a, b, out.begin()); },
            [&] { tine::for_each(its.racy ? b : other, [](int& x) { ++x; }); });
  keep(out);
}

CLEAN_CASE(orders) {
  std::vector<int> v = numbers();
  tine::nth_element(v, v.begin() + 100);
  tine::partial_sort(v, v.begin() + 100);
  tine::reverse(v);
  tine::rotate(v, v.begin() + 700);
  tine::random_shuffle(v, 42);
  tine::integer_sort(v);
  bool sorted = tine::is_sorted(v);
  keep(sorted);
}

RACE_CASE(tabulate_and_generate) {
  std::vector<std::size_t> v(n);
  std::size_t next = 0;
  its.races_on(next);
  tine::tabulate(v, [&](std::size_t i) { return its.racy ? next++ : i; });
  keep(v);
}

RACE_CASE(reduce_and_count) {
  const std::vector<int> v = numbers();
  int seen = 0;
  its.races_on(seen);
  long sum = tine::reduce(v, 0L, std::plus<>{});
  sum += static_cast<long>(tine::count_if(v, [&](int x) {
    if (its.racy && x == 5) seen = 1;
    if (its.racy && x == 6) seen = 2;
    return x > 100;
  }));
  sum += *tine::max_element(v) + *tine::min_element(v);
  keep(sum);
}

// Two neighbouring items only, of a search that gives a number.
RACE_CASE(count_with_a_race_of_two_neighbours) {
  std::vector<int> v(n);
  std::iota(v.begin(), v.end(), 0);
  int seen = 0;
  its.races_on(seen);
  auto few = tine::count_if(v, [&](int x) {
    if (x == 1000 || (its.racy && x == 1001)) seen = x;
    return x < 5;
  });
  keep(few);
}

// A short call is checked item by item.
RACE_CASE(short_removal_with_a_race_of_two_neighbours) {
  std::vector<int> v(60);
  std::iota(v.begin(), v.end(), 0);
  int seen = 0;
  its.races_on(seen);
  tine::remove_if(v, [&](int x) {
    if (x == 20 || (its.racy && x == 21)) seen = x;
    return x % 3 == 0;
  });
  keep(v);
}

// A long partition is checked in pieces of items, of which two neighbours that share a place lie in two.
RACE_CASE(long_partition_whose_pairs_share_a_place) {
  std::vector<int> v(4096);
  std::iota(v.begin(), v.end(), 0);
  std::vector<int> pairs(v.size());
  its.races_in(pairs.data(), pairs.size() * sizeof(int));
  tine::partition(v, [&](int x) {
    pairs[static_cast<std::size_t>(its.racy ? x / 2 : x)] = x;
    return x % 3 == 0;
  });
  keep(v);
}

// Objects with their own memory that algorithms move about.
CLEAN_CASE(vectors_that_are_sorted_and_selected) {
  std::vector<std::vector<int>> v(200);
  for (std::size_t i = 0; i < v.size(); ++i) v[i].assign(i * 7919 % 200, 1);
  tine::sort(v, {}, [](const std::vector<int>& x) { return x.size(); });
  tine::remove_if(v, [](const std::vector<int>& x) { return x.size() % 3 == 0; });
  tine::random_shuffle(v, 1);
  tine::stable_sort(v, [](const auto& a, const auto& b) { return a.size() > b.size(); });
  keep(v);
}

}  // namespace
