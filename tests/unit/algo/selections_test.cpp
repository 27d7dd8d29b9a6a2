// partition, nth_element and partial_sort against the standard library: the items of each part, in any order.
#include <tine/algo/nth_element.hpp>
#include <tine/algo/partial_sort.hpp>
#include <tine/algo/partition.hpp>

#include "unit/algo/laws.hpp"
#include "unit/algo/with_exceptions.hpp"

namespace {

using namespace tine::test;

TINE_SIDES(nth_element);
TINE_SIDES(partial_sort);
TINE_SIDES(partition);

/// Appends the keys of the first `n` items and then those of the others, either in any order.
template <class Items>
void append_parts(outcome& to, const Items& items, std::size_t n) {
  outcome keys;
  for (const auto& item : items) keys.push_back(key_of(item));
  const auto middle = keys.begin() + static_cast<std::ptrdiff_t>(n);
  std::sort(keys.begin(), middle);
  std::sort(middle, keys.end());
  append(to, keys);
}

/// Part of the range, for items whose moves or comparisons take long.
std::span<int> few_of(std::span<int> v) { return v.first(std::min<std::size_t>(v.size(), 5'000)); }

/// Sorts what is unspecified in the range itself.
void sort_parts(std::span<int> v, std::size_t n) {
  std::ranges::sort(v.first(n));
  std::ranges::sort(v.subspan(n));
}

template <bool Ours, class Item>
void append_partition(outcome& to, std::span<const int> v, const chosen& is) {
  auto items = made_of<Item>(v, [](int k) { return Item(k); });
  const auto rest = partition<Ours>(items, is, [](const Item& i) { return key_of(i); });
  append_parts(to, items, items.size() - rest.size());
}

template <bool Ours>
outcome partitions(std::span<int> v, unsigned k) {
  const chosen is{v, k};
  outcome found;
  append_partition<Ours, large>(found, few_of(v), is);
  append_partition<Ours, move_only>(found, few_of(v), is);
  std::vector<int> ints(v.begin(), v.end());
  append_parts(found, ints, ints.size() - partition<Ours>(ints, is).size());
  const auto rest = partition<Ours>(counted(v), std::default_sentinel, is);
  sort_parts(v, v.size() - rest.size());
  return found;
}

/// The item in a place that depends on the variant is the one of the sorted range, and no item is on the wrong side.
template <bool Ours>
outcome selections(std::span<int> v, unsigned k) {
  const std::size_t n = place_in(v, k), few = place_in(few_of(v), k);
  const auto place = static_cast<std::ptrdiff_t>(n), early = static_cast<std::ptrdiff_t>(few);
  auto texts = made_of<std::string>(few_of(v), text_of);
  auto items = made_of<move_only>(few_of(v), [](int x) { return move_only{x}; });
  nth_element<Ours>(texts, texts.begin() + early, watched_less{&nothing});
  nth_element<Ours>(items, items.begin() + early, std::ranges::less{}, &move_only::key);
  nth_element<Ours>(counted(v), counted(v) + place, std::default_sentinel);
  outcome found;
  append_parts(found, texts, few);
  append_parts(found, items, few);
  sort_parts(v, n);
  return found;
}

/// The least items, a few or many of them, are sorted.
template <bool Ours>
outcome least_items(std::span<int> v, unsigned k) {
  const std::size_t n = std::min(v.size(), k == 1 ? 1 : k == 2 ? 20 : k == 3 ? v.size() / 500 : place_in(v, k));
  const auto place = static_cast<std::ptrdiff_t>(n);
  auto texts = made_of<std::string>(few_of(v), text_of);
  auto items = with_places({v.begin(), v.end()});
  const std::size_t few = std::min(n, texts.size());
  partial_sort<Ours>(texts, texts.begin() + static_cast<std::ptrdiff_t>(few), watched_less{&nothing});
  partial_sort<Ours>(items, items.begin() + place, std::ranges::less{}, &keyed::key);
  partial_sort<Ours>(counted(v), counted(v) + place, std::default_sentinel);
  outcome found;
  for (std::size_t i = 0; i < few; ++i) found.push_back(key_of(texts[i]));
  for (std::size_t i = 0; i < n; ++i) found.push_back(items[i].key);
  append_parts(found, texts, few);
  std::ranges::sort(v.subspan(n));
  return found;
}

TEST_CASE("partition, nth_element and partial_sort put the items into the parts where the standard library has them") {
  check_laws({TINE_LAW(partitions), TINE_LAW(selections), TINE_LAW(least_items)});
}

TEST_CASE("nth_element of the end leaves the range as it is") {
  in_pools([] {
    auto v = keys(5000, pattern::random);
    const auto before = v;
    tine::nth_element(v, v.end());
    CHECK(v == before);
  });
}

TEST_CASE("no item is lost if the predicate of partition throws, or it is stopped") {
  in_pools([] {
    const auto from = keys(20'000, pattern::random);
    const auto split = []<class Item>(std::vector<Item>& items, watched_less less) {
      tine::partition(items, [less, bound = Item(1 << 29)](const Item& k) { return less(k, bound); });
    };
    check_that_no_item_is_lost<int>(from, split);
    check_that_no_item_is_lost<large>(from, split);
  });
}

TEST_CASE("no item is lost if a comparison of nth_element or partial_sort throws, or they are stopped") {
  in_pools([] {
    const auto from = keys(5'000, pattern::random);
    for (const std::ptrdiff_t place : {20, 3000}) {
      const auto select = [place](auto& items, watched_less less) {
        tine::nth_element(items, items.begin() + place, less);
        tine::partial_sort(items, items.begin() + place, less);
      };
      check_that_no_item_is_lost<int>(from, select);
      check_that_no_item_is_lost<move_only>(from, select);
    }
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

}  // namespace
