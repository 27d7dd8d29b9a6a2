// stable_sort against the order by keys and places, with exceptions and stops.
#include <tine/algo/stable_sort.hpp>

#include <rapidcheck.h>

#include "unit/algo/observed.hpp"
#include "unit/algo/with_exceptions.hpp"

namespace {

using namespace tine::test;

const std::function<void()> nothing = [] {};

/// The order of a stable sort is the one by keys and then by places. (The compiler warns about std::stable_sort of this
/// library.)
std::pair<int, std::size_t> key_and_place(const keyed& k) { return {k.key, k.place}; }

TEST_CASE("stable_sort keeps the order of equal items, whatever their order is") {
  const auto check = [](const std::vector<int>& v) {
    const auto from = with_places(v);
    auto right = from;
    std::ranges::sort(right, {}, key_and_place);
    in_pools([&] {
      auto sorted = from;
      CHECK(tine::stable_sort(sorted, {}, &keyed::key) == sorted.end());
      CHECK(sorted == right);
    });
  };
  for_each_input(check);
  check(keys(large_length, pattern::few_keys));
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
      }
    }
  });
}

TEST_CASE("stable_sort takes other ranges and sized sentinels, and touches nothing outside of the range") {
  in_pools([] {
    for (const std::size_t n : {std::size_t{31}, std::size_t{1001}, std::size_t{20'000}}) {
      const auto from = keys(n, pattern::random);
      for (const bool at_begin : {false, true}) {
        const at_page_end<int> items{n, at_begin};
        std::ranges::copy(from, items.begin());
        tine::stable_sort(std::counted_iterator{items.begin(), static_cast<std::ptrdiff_t>(n)}, std::default_sentinel);
        CHECK(std::is_sorted(items.begin(), items.end()));
        const at_page_end<large> others{n, at_begin};
        std::ranges::copy(from, others.begin());
        tine::stable_sort(others.begin(), others.end(), watched_less{&nothing});
        CHECK(std::is_sorted(others.begin(), others.end()));
      }
      std::deque<std::string> texts;
      for (const int k : from) texts.push_back(text_of(k));
      tine::stable_sort(texts);
      CHECK(std::ranges::is_sorted(texts));
    }
  });
}

template <class Item, class Make>
void check_that_no_item_is_lost(Make make) {
  std::vector<int> from, right;
  std::vector<Item> items;
  const auto whole = [&] {
    std::vector<int> left;
    for (const Item& i : items) left.push_back(key_of(i));
    std::ranges::sort(left);
    CHECK(left == right);
  };
  const auto sort = [&](watched_less less) {
    items = made_of<Item>(from, make);
    tine::stable_sort(items, less);
    CHECK(std::is_sorted(items.begin(), items.end()));
  };
  for (const std::size_t n : {std::size_t{100}, std::size_t{5'000}}) {
    right = from = keys(n, pattern::random);
    std::ranges::sort(right);
    with_exceptions(sort, whole, n == 100);
    with_stops(sort, whole);
  }
}

TEST_CASE("no item is lost if a comparison of stable_sort throws, or the sort is stopped") {
  in_pools([] {
    check_that_no_item_is_lost<int>([](int k) { return k; });
    check_that_no_item_is_lost<large>([](int k) { return large{k}; });
    check_that_no_item_is_lost<move_only>([](int k) { return move_only{k}; });
  });
}

TEST_CASE("items of stable_sort that throw when they move or compare do not leak") {
  in_pools([] {
    const auto from = keys(6000, pattern::random);
    for (long uses = 1; uses < 300'000; uses += 1 + further(uses)) {
      {
        std::vector<throwing> items(from.begin(), from.end());
        throwing::throw_after(uses);
        try {
          tine::stable_sort(items, watched_less{&nothing});
        } catch (const std::runtime_error&) {
          CHECK(throwing::alive == static_cast<long>(from.size()));
        }
        throwing::throw_after(0);
      }
      CHECK(throwing::alive == 0);
    }
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

TEST_CASE("any vector: stable_sort, also observed, recorded and replayed") {
  in_pools([] {
    CHECK(rc::check("stable_sort", [](const std::vector<int>& v) {
      const auto from = with_places(v);
      auto right = from, sorted = from;
      std::ranges::sort(right, {}, key_and_place);
      tine::stable_sort(sorted, {}, &keyed::key);
      RC_ASSERT(sorted == right);
    }));
    for (const std::size_t n : {std::size_t{100}, std::size_t{10'000}}) {
      const auto v = keys(n, pattern::random);
      const auto sort = [&] {
        auto sorted = v;
        tine::stable_sort(sorted);
        CHECK(std::ranges::is_sorted(sorted));
        auto others = made_of<move_only>(v, [](int k) { return move_only{k}; });
        tine::stable_sort(others, watched_less{&nothing});
        CHECK(std::is_sorted(others.begin(), others.end()));
      };
      run_observed(sort);
    }
  });
}

}  // namespace
