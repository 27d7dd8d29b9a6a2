// sort against the standard library, with adversaries, exceptions and stops.
#include <tine/algo/sort.hpp>
#include <tine/augment.hpp>
#include <tine/replay.hpp>

#include <rapidcheck.h>

#include "unit/algo/with_exceptions.hpp"

namespace {

using namespace tine::test;

TEST_CASE("sort sorts as the standard library does") {
  in_pools([] {
    for_each_input([](const std::vector<int>& v) {
      auto right = v, sorted = v;
      std::ranges::sort(right);
      CHECK(tine::sort(sorted) == sorted.end());
      CHECK(sorted == right);
      sorted = v;
      std::ranges::sort(right, std::ranges::greater{});
      tine::sort(sorted.begin(), sorted.end(), std::ranges::greater{});
      CHECK(sorted == right);
    });
    for (const pattern p : {pattern::random, pattern::organ_pipe}) {
      auto many = keys(large_length, p), right = many;
      std::ranges::sort(right);
      tine::sort(many);
      CHECK(many == right);
    }
  });
}

const std::function<void()> nothing = [] {};

template <class T, class Make>
void check_type(const std::vector<int>& from, Make make) {
  auto items = made_of<T>(from, make);
  auto keys = from;
  std::ranges::sort(keys);
  tine::sort(items, watched_less{&nothing});
  CHECK(items == made_of<T>(keys, make));
}

TEST_CASE("sort sorts items of all sizes, items that can only be moved, and items of other ranges") {
  in_pools([] {
    for (const std::size_t n :
         {std::size_t{0}, std::size_t{1}, std::size_t{17}, std::size_t{1001}, std::size_t{12'345}}) {
      for (const pattern p : patterns) {
        const auto from = keys(n, p);
        check_type<int>(from, [](int k) { return k; });
        check_type<double>(from, [](int k) { return k / 8.0; });
        check_type<large>(from, [](int k) { return large{k}; });
        check_type<std::string>(from, text_of);
        check_type<move_only>(from, [](int k) { return move_only{k}; });
        std::deque<int> deque(from.begin(), from.end());
        auto right = from;
        std::ranges::sort(right);
        tine::sort(deque);
        CHECK(std::ranges::equal(deque, right));
      }
    }
  });
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
    const auto check = [&](auto make, auto key_of) {
      using item = decltype(make(1));
      std::vector<item> items;
      const auto whole = [&] {
        std::vector<int> left;
        for (const item& i : items) left.push_back(key_of(i));
        std::ranges::sort(left);
        CHECK(left == right);
      };
      const auto sort = [&](auto less) {
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
    check([](int k) { return k; }, [](int k) { return k; });
    check([](int k) { return large{k}; }, [](const large& l) { return l.key; });
    check([](int k) { return move_only{k}; }, [](const move_only& m) { return m.key(); });
  });
}

TEST_CASE("items of sort that throw when they move or compare do not leak") {
  in_pools([] {
    const auto from = keys(2000, pattern::random);
    for (long uses = 1; uses < 100'000; uses += 1 + uses / 2) {
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
    for (const std::size_t n : {std::size_t{100}, std::size_t{3000}, std::size_t{50'000}}) {
      CAPTURE(n);
      killer k{n};
      tine::sort(k.items(), [&k](int a, int b) { return k.less(a, b); });
      CHECK(k.is_sorted());
      CHECK(static_cast<double>(k.calls()) < 4 * n_log_n(n));
      killer l{n};
      auto items = made_of<move_only>(l.items(), [](int i) { return move_only{i}; });
      tine::sort(items, [&l](const move_only& a, const move_only& b) { return l.less(a.key(), b.key()); });
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
      tine::augment<tine::work_span>(sort);
      const auto schedule = tine::record(sort);
      tine::replay(schedule, tine::replay_mode::relaxed, sort);
    }
  });
}

}  // namespace
