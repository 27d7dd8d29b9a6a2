// stable_sort and integer_sort against the order by keys and places, with exceptions and stops.
#include <tine/algo/integer_sort.hpp>
#include <tine/algo/stable_sort.hpp>

#include "unit/algo/laws.hpp"
#include "unit/algo/with_exceptions.hpp"

namespace {

using namespace tine::test;

/// The order of a stable sort is the one by keys and then by places. (The compiler warns about std::stable_sort of this
/// library.)
std::pair<int, std::size_t> key_and_place(const keyed& k) { return {k.key, k.place}; }

/// Sorts the items themselves, and returns the places from which the items come, by a projection to some of their keys.
template <class Sort>
outcome places_after(std::span<int> v, unsigned k, Sort sort) {
  auto items = with_places({v.begin(), v.end()});
  for (keyed& i : items) i.key = i.key / (k % 2 == 0 ? 1 : 50) - 1000;
  sort(items);
  outcome places;
  for (const keyed& i : items) places.push_back(static_cast<long>(i.place));
  return places;
}

outcome stable_order(std::span<int> v, unsigned k) {
  const auto sort = [](std::vector<keyed>& items) { std::ranges::sort(items, {}, key_and_place); };
  const outcome places = places_after(v, k, sort);
  std::ranges::sort(v);
  return places;
}

outcome stably_sorted(std::span<int> v, unsigned k) {
  const auto sort = [](std::vector<keyed>& items) { CHECK(tine::stable_sort(items, {}, &keyed::key) == items.end()); };
  const outcome places = places_after(v, k, sort);
  if (k % 2 == 0) {
    tine::stable_sort(v.begin(), v.end());
  } else {
    tine::stable_sort(counted(v), std::default_sentinel);
  }
  return places;
}

outcome sorted_as_integers(std::span<int> v, unsigned k) {
  const auto sort = [](std::vector<keyed>& items) { CHECK(tine::integer_sort(items, &keyed::key) == items.end()); };
  const outcome places = places_after(v, k, sort);
  if (k % 2 == 0) {
    tine::integer_sort(v.begin(), v.end());
  } else {
    tine::integer_sort(counted(v), std::default_sentinel);
  }
  return places;
}

TEST_CASE("stable_sort and integer_sort keep the order of equal items, whatever their order is") {
  check_laws({{"stable_sort", stably_sorted, stable_order}, {"integer_sort", sorted_as_integers, stable_order}});
}

/// A key with its place, of a size and with moves of another kind.
template <class More>
struct placed {
  int key = 0;
  std::size_t place = 0;
  More more{};
  friend bool operator<(const placed& a, const placed& b) { return a.key < b.key; }
};

template <class More>
void check_stability(const std::vector<int>& from) {
  std::vector<placed<More>> items(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    items[i].key = from[i];
    items[i].place = i;
    if constexpr (std::is_same_v<More, move_only>) items[i].more = move_only{from[i]};
  }
  tine::stable_sort(items, watched_less{&nothing});
  for (std::size_t i = 0; i < items.size(); ++i) {
    const placed<More>& item = items[i];
    REQUIRE(from[item.place] == item.key);
    if constexpr (std::is_same_v<More, move_only>) REQUIRE(item.more.key() == item.key);
    if (i > 0)
      REQUIRE((items[i - 1].key < item.key || (items[i - 1].key == item.key && items[i - 1].place < item.place)));
  }
}

TEST_CASE("stable_sort is stable for items of all sizes, and items that can only be moved") {
  in_pools([] {
    for (const std::size_t n : {std::size_t{5}, std::size_t{33}, std::size_t{1001}, std::size_t{5'000}}) {
      for (const pattern p : {pattern::random, pattern::few_keys, pattern::sawtooth, pattern::nearly_sorted}) {
        auto from = keys(n, p);
        for (int& k : from) k %= 1000;
        check_stability<std::array<int, 12>>(from);
        check_stability<move_only>(from);
        std::deque<std::string> texts;
        for (const int k : from) texts.push_back(text_of(k));
        tine::stable_sort(texts);
        CHECK(std::ranges::is_sorted(texts));
      }
    }
  });
}

TEST_CASE("no item is lost if a comparison of stable_sort throws, or the sort is stopped") {
  in_pools([] {
    const auto sort = [](auto& items, watched_less less) {
      tine::stable_sort(items, less);
      CHECK(std::is_sorted(items.begin(), items.end()));
    };
    for (const std::size_t n : {std::size_t{100}, std::size_t{5'000}}) {
      const auto from = keys(n, pattern::random);
      check_that_no_item_is_lost<int>(from, sort, n == 100);
      check_that_no_item_is_lost<large>(from, sort, n == 100);
      check_that_no_item_is_lost<move_only>(from, sort, n == 100);
    }
  });
}

TEST_CASE("items of stable_sort and integer_sort that throw when they move or compare do not leak") {
  in_pools([] {
    const auto from = keys(6000, pattern::random);
    check_lives(from, 300'000, [](auto& items) { tine::stable_sort(items, watched_less{&nothing}); });
    check_lives(from, 12'000, [](auto& items) { tine::integer_sort(items, &throwing::key); });
  });
}

TEST_CASE("stable_sort compares at most n log2(n) times on one worker") {
  tine::pool one{{.workers = 1}};
  one.run([] {
    auto v = keys(25'000, pattern::random);
    CHECK(static_cast<double>(comparisons_of([&v](watched_less less) { tine::stable_sort(v, less); })) <
          1.2 * n_log_n(v.size()));
    v = keys(100'000, pattern::reversed);
    CHECK(comparisons_of([&v](watched_less less) { tine::stable_sort(v, less); }) < 100'032);
    CHECK(std::ranges::is_sorted(v));
  });
}

TEST_CASE("stable_sort keeps the order of equal items in a range whose keys descend") {
  in_pools([] {
    for (const std::size_t n : {std::size_t{40}, std::size_t{1'000}, std::size_t{20'000}}) {
      for (const std::size_t equal : {std::size_t{1}, std::size_t{2}, n / 8}) {
        std::vector<int> descending(n);
        for (std::size_t i = 0; i < n; ++i) descending[i] = static_cast<int>((n - i) / equal);
        const auto from = with_places(descending);
        auto right = from, sorted = from;
        std::ranges::sort(right, {}, key_and_place);
        tine::stable_sort(sorted, {}, &keyed::key);
        CHECK(sorted == right);
      }
    }
  });
}

}  // namespace
