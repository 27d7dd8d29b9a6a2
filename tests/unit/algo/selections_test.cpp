// partition, nth_element and partial_sort against what they promise.
#include <tine/algo/nth_element.hpp>
#include <tine/algo/partial_sort.hpp>
#include <tine/algo/partition.hpp>

#include <rapidcheck.h>

#include "unit/algo/observed.hpp"
#include "unit/algo/with_exceptions.hpp"

namespace {

using namespace tine::test;

const std::function<void()> nothing = [] {};

/// Checks that two vectors have equal items: compares sums of their hashes.
template <class T>
void check_same_items(const std::vector<T>& a, const std::vector<T>& b) {
  const auto sum = [](const std::vector<T>& items) {
    std::size_t all = 0;
    for (const T& item : items) {
      const std::size_t hash = (std::hash<T>{}(item) + 1) * 0x9e3779b97f4a7c15;
      all += hash ^ (hash >> 32);
    }
    return all;
  };
  CHECK(a.size() == b.size());
  CHECK(sum(a) == sum(b));
}

template <class T>
void check_partition(std::vector<T> v, const std::function<bool(const std::type_identity_t<T>&)>& pred) {
  const auto before = v;
  const auto rest = tine::partition(v, pred);
  CHECK(rest.end() == v.end());
  CHECK(rest.begin() - v.begin() == std::ranges::count_if(before, pred));
  CHECK(std::all_of(v.begin(), rest.begin(), pred));
  CHECK(std::none_of(rest.begin(), rest.end(), pred));
  check_same_items(v, before);
}

TEST_CASE("partition moves the items that satisfy the predicate to the begin") {
  in_pools([] {
    for_each_input([](const std::vector<int>& v) {
      const int n = static_cast<int>(v.size());
      for (const int bound : {-1, 3, n / 10, n / 2, 1 << 28}) {
        check_partition(v, [bound](int k) { return k < bound; });
      }
      check_partition(v, [](int k) { return k % 2 == 0; });
    });
    for (const pattern p : patterns) {
      const auto texts = made_of<std::string>(keys(7'500, p), text_of);
      for (const int bound : {-1, 2, 3000, 15'000, 29'000, 1 << 28, 1 << 30}) {
        const std::string least = bound < 0 ? "" : text_of(bound);
        check_partition(texts, [&least](const std::string& s) { return s < least; });
      }
    }
    check_partition(keys(large_length, pattern::random), [](int k) { return k < 1 << 28; });
  });
}

TEST_CASE(
    "partition takes projections, sized sentinels and items that can only be moved, and touches nothing outside of the "
    "range") {
  in_pools([] {
    for (const bool at_begin : {false, true}) {
      for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{300}, std::size_t{20'001}}) {
        const at_page_end<keyed> items{n, at_begin};
        for (std::size_t i = 0; i < n; ++i) items.begin()[i] = {static_cast<int>(i % 3), i};
        const auto rest = tine::partition(
            std::counted_iterator{items.begin(), static_cast<std::ptrdiff_t>(n)}, std::default_sentinel,
            [](int k) { return k == 0; }, &keyed::key);
        CHECK(rest.begin().base() - items.begin() == static_cast<std::ptrdiff_t>((n + 2) / 3));
        const at_page_end<move_only> others{n, at_begin};
        for (std::size_t i = 0; i < n; ++i) others.begin()[i] = move_only{static_cast<int>(i % 3)};
        const auto more =
            tine::partition(others.begin(), others.end(), [](const move_only& m) { return m.key() == 0; });
        CHECK(more.size() == n - (n + 2) / 3);
        CHECK(std::ranges::none_of(more, [](const move_only& m) { return m.key() <= 0; }));
      }
    }
  });
}

TEST_CASE("no item is lost if the predicate of partition throws") {
  in_pools([] {
    const auto ints = keys(20'000, pattern::random);
    const auto texts = made_of<std::string>(ints, text_of);
    for (long calls = 1; calls < 20'000; calls *= 2) {
      const auto check = [calls](auto items, auto bound) {
        const auto before = items;
        std::atomic<long> left{calls};
        CHECK_THROWS_WITH(tine::partition(items,
                                          [&](const auto& k) {
                                            if (left.fetch_sub(1) == 1) throw std::runtime_error{"predicate"};
                                            return k < bound;
                                          }),
                          "predicate");
        check_same_items(items, before);
      };
      check(ints, 1 << 29);
      check(texts, text_of(1 << 29));
    }
  });
}

/// Checks that the item at `k` is the k-th one, and that no item is on the wrong side.
template <class T>
void check_selection(const std::vector<T>& before, std::size_t k) {
  auto v = before;
  CAPTURE(k);
  const auto nth = v.begin() + static_cast<std::ptrdiff_t>(k);
  CHECK(tine::nth_element(v, nth, watched_less{&nothing}) == v.end());
  CHECK(std::none_of(v.begin(), nth, [&](const T& item) { return *nth < item; }));
  CHECK(std::none_of(nth, v.end(), [&](const T& item) { return item < *nth; }));
  check_same_items(v, before);
}

TEST_CASE("nth_element selects the item of the sorted range") {
  in_pools([] {
    for_each_input([](const std::vector<int>& v) {
      if (v.empty()) return;
      for (const std::size_t k : {std::size_t{0}, v.size() / 100, v.size() / 2, v.size() - 1}) check_selection(v, k);
    });
    for (const pattern p : patterns) {
      const auto texts = made_of<std::string>(keys(5'000, p), text_of);
      for (const std::size_t k : {std::size_t{0}, std::size_t{2'500}, std::size_t{4'750}}) check_selection(texts, k);
    }
    check_selection(keys(large_length, pattern::random), large_length / 3);
    std::vector<int> none;
    tine::nth_element(none, none.end());
    auto v = keys(5000, pattern::random);
    const auto before = v;
    tine::nth_element(v, v.end());
    CHECK(v == before);
  });
}

template <class T>
void check_least(const std::vector<T>& before, const std::vector<T>& sorted, std::size_t m) {
  auto v = before;
  CAPTURE(m);
  const auto middle = static_cast<std::ptrdiff_t>(m);
  CHECK(tine::partial_sort(v, v.begin() + middle, watched_less{&nothing}) == v.end());
  CHECK(std::equal(v.begin(), v.begin() + middle, sorted.begin()));
  check_same_items(v, before);
}

template <class T>
std::vector<T> sorted_copy(std::vector<T> v) {
  std::sort(v.begin(), v.end());
  return v;
}

TEST_CASE("partial_sort sorts the least items") {
  in_pools([] {
    for_each_input([](const std::vector<int>& v) {
      const auto sorted = sorted_copy(v);
      for (const std::size_t m :
           {std::size_t{0}, std::size_t{1}, std::size_t{10}, v.size() / 500, v.size() / 2, v.size()})
        check_least(v, sorted, std::min(m, v.size()));
    });
    for (const pattern p : patterns) {
      const auto texts = made_of<std::string>(keys(5'000, p), text_of);
      const auto sorted = sorted_copy(texts);
      for (const std::size_t m : {std::size_t{1}, std::size_t{100}, std::size_t{1'250}}) check_least(texts, sorted, m);
    }
    const auto many = keys(large_length, pattern::random);
    check_least(many, sorted_copy(many), 1000);
  });
}

TEST_CASE("nth_element and partial_sort take projections, sized sentinels and items that can only be moved") {
  in_pools([] {
    const std::size_t n = 20'001;
    const auto from = keys(n, pattern::random);
    auto right = from;
    std::ranges::sort(right);
    for (const bool at_begin : {false, true}) {
      const at_page_end<keyed> items{n, at_begin};
      const auto fill = [&] {
        for (std::size_t i = 0; i < n; ++i) items.begin()[i] = {from[i], i};
      };
      const std::counted_iterator first{items.begin(), static_cast<std::ptrdiff_t>(n)};
      fill();
      tine::nth_element(first, first + 5000, std::default_sentinel, {}, &keyed::key);
      CHECK(items.begin()[5000].key == right[5000]);
      for (const std::ptrdiff_t m : {20, 9000}) {
        fill();
        tine::partial_sort(first, first + m, std::default_sentinel, {}, &keyed::key);
        CHECK(std::equal(items.begin(), items.begin() + m, right.begin(),
                         [](const keyed& k, int key) { return k.key == key; }));
      }
    }
    auto items = made_of<move_only>(from, [](int k) { return move_only{k}; });
    tine::nth_element(items, items.begin() + 300, watched_less{&nothing});
    CHECK(items[300].key() == right[300]);
    items = made_of<move_only>(from, [](int k) { return move_only{k}; });
    tine::partial_sort(items, items.begin() + 30, watched_less{&nothing});
    CHECK(std::equal(items.begin(), items.begin() + 30, right.begin(),
                     [](const move_only& m, int key) { return m.key() == key; }));
  });
}

TEST_CASE("no item is lost if a comparison of nth_element or partial_sort throws, or they are stopped") {
  in_pools([] {
    const auto from = keys(5'000, pattern::random);
    auto right = from;
    std::ranges::sort(right);
    const auto check = [&]<class Item>(std::vector<Item> items, auto make) {
      const auto whole = [&] {
        std::vector<int> left;
        for (const Item& i : items) left.push_back(key_of(i));
        std::ranges::sort(left);
        CHECK(left == right);
      };
      for (const std::ptrdiff_t place : {20, 3000}) {
        const auto select = [&](watched_less less) {
          items = made_of<Item>(from, make);
          tine::nth_element(items, items.begin() + place, less);
        };
        with_exceptions(select, whole);
        with_stops(select, whole);
        const auto sort = [&](watched_less less) {
          items = made_of<Item>(from, make);
          tine::partial_sort(items, items.begin() + place, less);
        };
        with_exceptions(sort, whole);
        with_stops(sort, whole);
      }
    };
    check(std::vector<int>{}, [](int k) { return k; });
    check(std::vector<move_only>{}, [](int k) { return move_only{k}; });
  });
}

TEST_CASE("nth_element compares less than 2 n times, and O(n log n) times whatever the comparison says") {
  tine::pool one{{.workers = 1}};
  one.run([] {
    for (const pattern p : {pattern::random, pattern::few_keys, pattern::organ_pipe, pattern::sawtooth}) {
      auto v = keys(100'000, p);
      CHECK(comparisons_of([&v](watched_less less) { tine::nth_element(v, v.begin() + 50'000, less); }) < 300'000);
    }
    auto v = keys(100'000, pattern::random);
    CHECK(comparisons_of([&v](watched_less less) { tine::nth_element(v, v.begin() + 50'000, less); }) < 200'000);
    for (const std::size_t n : {std::size_t{3000}, std::size_t{50'000}}) {
      killer k{n};
      tine::nth_element(k.items(), k.items().begin() + static_cast<std::ptrdiff_t>(n / 2),
                        watched_less{&nothing, &k.order()});
      CHECK(static_cast<double>(k.calls()) < 4 * n_log_n(n));
    }
  });
}

TEST_CASE("any vector: partition, nth_element and partial_sort, also observed, recorded and replayed") {
  in_pools([] {
    CHECK(rc::check("selections", [](const std::vector<int>& v, int bound) {
      check_partition(v, [bound](int k) { return k < bound; });
      if (v.empty()) return;
      const std::size_t k = static_cast<std::size_t>(static_cast<unsigned>(bound)) % v.size();
      check_selection(v, k);
      check_least(v, sorted_copy(v), k);
    }));
    const auto v = keys(9000, pattern::random);
    const auto texts = made_of<std::string>(v, text_of);
    const auto run = [&] {
      check_partition(v, [](int k) { return k < 1 << 29; });
      check_partition(texts, [bound = text_of(1 << 29)](const std::string& s) { return s < bound; });
      check_selection(v, 3000);
      check_selection(texts, 3000);
      check_least(v, sorted_copy(v), 20);
      check_least(v, sorted_copy(v), 5000);
    };
    run_observed(run);
  });
}

}  // namespace
