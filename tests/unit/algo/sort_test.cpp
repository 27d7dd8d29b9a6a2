// sort against the standard library, with adversaries, exceptions and stops.
#include <tine/algo/sort.hpp>

#include <rapidcheck.h>

#include "unit/algo/observed.hpp"
#include "unit/algo/with_exceptions.hpp"

namespace {

using namespace tine::test;

TEST_CASE("sort sorts as the standard library does") {
  const auto check = [](const std::vector<int>& v) {
    auto right = v;
    std::ranges::sort(right);
    const std::vector<int> down(right.rbegin(), right.rend());
    in_pools([&] {
      auto sorted = v;
      CHECK(tine::sort(sorted) == sorted.end());
      CHECK(sorted == right);
      sorted = v;
      tine::sort(sorted.begin(), sorted.end(), std::ranges::greater{});
      CHECK(sorted == down);
    });
  };
  for_each_input(check);
  for (const pattern p : {pattern::random, pattern::organ_pipe}) check(keys(large_length, p));
}

const std::function<void()> nothing = [] {};

template <class T, class Make>
void check_type(const std::vector<int>& from, const std::vector<int>& right, Make make) {
  const auto right_items = made_of<T>(right, make);
  in_pools([&] {
    auto items = made_of<T>(from, make);
    tine::sort(items, watched_less{&nothing});
    CHECK(items == right_items);
  });
}

TEST_CASE("sort sorts items of all sizes, items that can only be moved, and items of other ranges") {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{17}, std::size_t{1001}, std::size_t{5'000}}) {
    for (const pattern p : patterns) {
      const auto from = keys(n, p);
      auto right = from;
      std::ranges::sort(right);
      check_type<int>(from, right, [](int k) { return k; });
      check_type<large>(from, right, [](int k) { return large{k}; });
      check_type<std::string>(from, right, text_of);
      check_type<move_only>(from, right, [](int k) { return move_only{k}; });
      in_pools([&] {
        std::deque<int> deque(from.begin(), from.end());
        tine::sort(deque);
        CHECK(std::ranges::equal(deque, right));
      });
    }
  }
}

TEST_CASE("sort takes projections and sized sentinels, and touches nothing outside of the range") {
  in_pools([] {
    for (const std::size_t n : {std::size_t{31}, std::size_t{1001}, std::size_t{20'000}}) {
      for (const bool at_begin : {false, true}) {
        const at_page_end<keyed> items{n, at_begin};
        const auto from = keys(n, pattern::random);
        for (std::size_t i = 0; i < n; ++i) items.begin()[i] = {from[i], i};
        tine::sort(std::counted_iterator{items.begin(), static_cast<std::ptrdiff_t>(n)}, std::default_sentinel, {},
                   &keyed::key);
        CHECK(std::ranges::is_sorted(items.begin(), items.end(), {}, &keyed::key));
        CHECK(std::all_of(items.begin(), items.end(), [&](const keyed& k) { return from[k.place] == k.key; }));
        const at_page_end<large> others{n, at_begin};
        for (std::size_t i = 0; i < n; ++i) others.begin()[i] = large{from[i]};
        tine::sort(others.begin(), others.end(), watched_less{&nothing});
        CHECK(std::is_sorted(others.begin(), others.end()));
      }
    }
    tine::sort(std::span<int>{});
    std::vector<int> v{3, 1, 2};
    tine::sort(v, [](int& a, int& b) { return a < b; });
    CHECK(v == std::vector<int>{1, 2, 3});
  });
}

TEST_CASE("no item is lost if a comparison of sort throws, or the sort is stopped") {
  in_pools([] {
    std::vector<int> from, right;
    const auto check = [&](auto make) {
      using item = decltype(make(1));
      std::vector<item> items;
      const auto whole = [&] {
        std::vector<int> left;
        for (const item& i : items) left.push_back(key_of(i));
        std::ranges::sort(left);
        CHECK(left == right);
      };
      const auto sort = [&](watched_less less) {
        items = made_of<item>(from, make);
        tine::sort(items, less);
        CHECK(std::is_sorted(items.begin(), items.end()));
      };
      for (const std::size_t n : {std::size_t{100}, std::size_t{3000}}) {
        right = from = keys(n, pattern::random);
        std::ranges::sort(right);
        with_exceptions(sort, whole, n == 100);
        with_stops(sort, whole);
      }
    };
    check([](int k) { return k; });
    check([](int k) { return large{k}; });
    check([](int k) { return move_only{k}; });
  });
}

TEST_CASE("items of sort that throw when they move or compare do not leak") {
  in_pools([] {
    const auto from = keys(2000, pattern::random);
    for (long uses = 1; uses < 100'000; uses += 1 + further(uses)) {
      {
        std::vector<throwing> items(from.begin(), from.end());
        throwing::throw_after(uses);
        try {
          tine::sort(items, watched_less{&nothing});
        } catch (const std::runtime_error&) {
          CHECK(true);
        }
        throwing::throw_after(0);
      }
      CHECK(throwing::alive == 0);
    }
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

TEST_CASE("any vector: sort, also observed, recorded and replayed") {
  in_pools([] {
    CHECK(rc::check("sort", [](const std::vector<int>& v) {
      auto right = v;
      std::ranges::sort(right);
      const auto sort = [&] {
        auto sorted = v;
        tine::sort(sorted);
        RC_ASSERT(sorted == right);
      };
      sort();
    }));
    for (const std::size_t n : {std::size_t{100}, std::size_t{10'000}}) {
      const auto v = keys(n, pattern::random);
      const auto texts = made_of<std::string>(v, text_of);
      const auto sort = [&] {
        auto sorted = v;
        tine::sort(sorted);
        CHECK(std::ranges::is_sorted(sorted));
        auto others = texts;
        tine::sort(others, watched_less{&nothing});
        CHECK(std::ranges::is_sorted(others));
      };
      run_observed(sort);
    }
  });
}

}  // namespace
