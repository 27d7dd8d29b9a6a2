// sort against the standard library, with adversaries, exceptions and stops.
#include <tine/algo/sort.hpp>

#include "unit/algo/laws.hpp"
#include "unit/algo/with_exceptions.hpp"

namespace {

using namespace tine::test;

template <class Item, class Make>
outcome sorted_items(std::span<const int> v, Make make) {
  auto items = made_of<Item>(v, make);
  tine::sort(items, watched_less{&nothing});
  outcome keys;
  for (const Item& i : items) keys.push_back(key_of(i));
  return keys;
}

/// Sorts items of a size, with moves, or in a range of a kind that depends on the variant.
outcome sorted(std::span<int> v, unsigned k) {
  const std::vector<int> from(v.begin(), v.end());
  if (k % 2 == 0) {
    CHECK(tine::sort(v) == v.end());
  } else {
    tine::sort(counted(v), std::default_sentinel);
  }
  switch (k) {
    case 0:
      return sorted_items<int>(v, [](int x) { return x; });
    case 1:
    case 2:
      return sorted_items<large>(from, [](int x) { return large{x}; });
    case 3:
    case 4:
      return sorted_items<std::string>(from, text_of);
    case 5:
    case 6:
      return sorted_items<move_only>(from, [](int x) { return move_only{x}; });
    case 7: {
      std::deque<int> items(from.begin(), from.end());
      tine::sort(items, std::ranges::greater{});
      return {items.rbegin(), items.rend()};
    }
    default: {
      auto items = with_places(from);
      tine::sort(items, {}, &keyed::key);
      CHECK(std::ranges::all_of(items, [&](const keyed& i) { return from[i.place] == i.key; }));
      outcome keys;
      for (const keyed& i : items) keys.push_back(i.key);
      return keys;
    }
  }
}

outcome sorted_by_standard(std::span<int> v, unsigned) {
  std::ranges::sort(v);
  return {v.begin(), v.end()};
}

TEST_CASE("sort sorts as the standard library does, items of all sizes, items that only move, and items of any range") {
  check_laws({{"sort", sorted, sorted_by_standard}});
  tine::sort(std::span<int>{});
  std::vector<int> v{3, 1, 2};
  tine::sort(v, [](int& a, int& b) { return a < b; });
  CHECK(v == std::vector<int>{1, 2, 3});
}

TEST_CASE("no item is lost if a comparison of sort throws, or the sort is stopped") {
  in_pools([] {
    const auto sort = [](auto& items, watched_less less) {
      tine::sort(items, less);
      CHECK(std::is_sorted(items.begin(), items.end()));
    };
    for (const std::size_t n : {std::size_t{100}, std::size_t{3000}}) {
      const auto from = keys(n, pattern::random);
      check_that_no_item_is_lost<int>(from, sort, n == 100);
      check_that_no_item_is_lost<large>(from, sort, n == 100);
      check_that_no_item_is_lost<move_only>(from, sort, n == 100);
    }
  });
}

TEST_CASE("items of sort that throw when they move or compare do not leak") {
  in_pools([] {
    check_lives(keys(2000, pattern::random), 100'000, [](auto& items) { tine::sort(items, watched_less{&nothing}); });
  });
}

TEST_CASE("sort compares O(n log n) times, whatever the comparison says") {
  tine::pool one{{.workers = 1}};
  one.run([] {
    for (const std::size_t n : {std::size_t{100}, std::size_t{3000}, std::size_t{12'500}}) {
      CAPTURE(n);
      killer k{n};
      tine::sort(k.items(), watched_less{&nothing, &k.order()});
      CHECK(k.is_sorted());
      CHECK(static_cast<double>(k.calls()) < 4 * n_log_n(n));
      killer l{n};
      auto items = made_of<move_only>(l.items(), [](int i) { return move_only{i}; });
      tine::sort(items, watched_less{&nothing, &l.order()});
      CHECK(static_cast<double>(l.calls()) < 4 * n_log_n(n));
    }
  });
}

TEST_CASE("sort of few different keys compares O(n) times") {
  tine::pool one{{.workers = 1}};
  one.run([] {
    auto v = keys(100'000, pattern::few_keys);
    CHECK(comparisons_of([&v](watched_less less) { tine::sort(v, less); }) < 600'000);
  });
}

TEST_CASE("sort of n items in order, or in the reverse order, compares less than n + 32 times on one worker") {
  tine::pool one{{.workers = 1}};
  one.run([] {
    for (const pattern p : {pattern::sorted, pattern::reversed, pattern::equal}) {
      auto v = keys(100'000, p);
      const long calls = comparisons_of([&v](watched_less less) { tine::sort(v, less); });
      CHECK(calls < 100'032);
      CHECK(std::ranges::is_sorted(v));
    }
    std::vector<int> descending(100'000);  // with equal neighbours
    for (std::size_t i = 0; i < descending.size(); ++i) descending[i] = static_cast<int>((descending.size() - i) / 3);
    CHECK(comparisons_of([&](watched_less less) { tine::sort(descending, less); }) < 100'032);
    CHECK(std::ranges::is_sorted(descending));
  });
}

}  // namespace
