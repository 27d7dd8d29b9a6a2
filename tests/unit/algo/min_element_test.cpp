// min_element, max_element and minmax_element against the standard library.
#include <tine/algo/max_element.hpp>
#include <tine/algo/min_element.hpp>
#include <tine/algo/minmax_element.hpp>

#include <rapidcheck.h>

#include <deque>

#include "unit/algo/inputs.hpp"
#include "unit/algo/observed.hpp"

namespace {

using namespace tine::test;

template <class V, class Comp = std::ranges::less, class Proj = std::identity>
void check_as_standard(const V& v, Comp comp = {}, Proj proj = {}) {
  CHECK(tine::min_element(v, comp, proj) - v.begin() == std::ranges::min_element(v, comp, proj) - v.begin());
  CHECK(tine::max_element(v.begin(), v.end(), comp, proj) - v.begin() ==
        std::ranges::max_element(v, comp, proj) - v.begin());
  const auto both = tine::minmax_element(v, comp, proj);
  const auto right = std::ranges::minmax_element(v, comp, proj);
  CHECK(both.min - v.begin() == right.min - v.begin());
  CHECK(both.max - v.begin() == right.max - v.begin());
}

TEST_CASE("the extremes are those of the standard library, also among equal items") {
  in_pools([] {
    for_each_input([](const std::vector<int>& v) {
      check_as_standard(v);
      check_as_standard(v, std::greater<>{});
      check_as_standard(v, [](int a, int b) { return a / 4 < b / 4; });
      check_as_standard(std::vector<double>(v.begin(), v.end()));
    });
    check_as_standard(keys(large_length, pattern::random));
  });
}

TEST_CASE("vectorised searches find the items of every type at every position") {
  const auto check_type = []<class T>(T low, T middle, T high) {
    for (const std::size_t n : {1UL, 5UL, 129UL, 1024UL, 1025UL, 3001UL}) {
      for (std::size_t at = 0; at < n; at += n / 23 + 1) {
        CAPTURE(n);
        CAPTURE(at);
        for (const T extreme : {low, high}) {
          std::vector<T> v(n, middle);
          v[at] = extreme;
          check_as_standard(v);
          v[at / 2] = extreme;
          check_as_standard(v);
        }
      }
    }
  };
  tine::pool p{{.workers = 1}};
  p.run([&] {
    check_type(-7, 0, 7);
    check_type(0.0F, 1.5F, 2.0F);
    check_type(-1.0, -0.0, 0.0);
    check_type(static_cast<unsigned char>(0), static_cast<unsigned char>(127), static_cast<unsigned char>(255));
    check_type(std::uint64_t{0}, std::uint64_t{1} << 63, ~std::uint64_t{0});
  });
}

TEST_CASE("extremes take projections and other iterators") {
  in_pools([] {
    for_each_input(
        [](const std::vector<int>& v) { check_as_standard(with_places(v), std::ranges::less{}, &keyed::key); });
    const auto v = keys(1001, pattern::few_keys);
    check_as_standard(std::deque<int>(v.begin(), v.end()));
    std::vector<move_only> m;
    for (const int k : v) m.emplace_back(k);
    check_as_standard(m, [](const move_only& a, const move_only& b) { return a < b; });
    check_as_standard(std::vector<bool>{true, false, true, false});
    for (const bool at_begin : {false, true}) {
      const at_page_end<double> items{3001, at_begin};
      using counted = std::counted_iterator<double*>;
      CHECK(tine::min_element(items) == items.begin());
      CHECK(tine::max_element(counted{items.begin(), 3001}, std::default_sentinel).base() == items.begin());
      CHECK(tine::minmax_element(items).max == items.end() - 1);
    }
  });
}

TEST_CASE("min_element makes one comparison less than there are items, and minmax_element about three for two items") {
  in_pools([] {
    for (const std::size_t n : lengths) {
      CAPTURE(n);
      const auto v = keys(n, pattern::random);
      std::atomic<std::size_t> calls{0};
      const auto is_less = [&calls](int a, int b) { return calls.fetch_add(1, std::memory_order_relaxed), a < b; };
      static_cast<void>(tine::min_element(v, is_less));
      CHECK(calls.exchange(0) == (n == 0 ? 0 : n - 1));
      static_cast<void>(tine::max_element(v, is_less));
      CHECK(calls.exchange(0) == (n == 0 ? 0 : n - 1));
      static_cast<void>(tine::minmax_element(v, is_less));
      CHECK(calls.load() <= 2 * n);
    }
  });
}

TEST_CASE("NaN is compared without harm") {
  in_pools([] {
    for (const std::size_t n : {1UL, 200UL, 3000UL}) {
      const std::vector<double> v(n, std::numeric_limits<double>::quiet_NaN());
      CHECK(tine::min_element(v) == v.begin());
      CHECK(tine::max_element(v) == v.begin());
      const auto both = tine::minmax_element(v);
      CHECK((both.min >= v.begin() && both.max < v.end()));
    }
  });
}

TEST_CASE("exceptions of comparisons leave the search, and nothing leaks") {
  in_pools([] {
    std::vector<throwing> v(1001);
    for (const long uses : {1L, 500L, 1000L}) {
      throwing::throw_after(uses);
      CHECK_THROWS_WITH(static_cast<void>(tine::min_element(v, std::less<>{})), "use");
      throwing::throw_after(uses);
      CHECK_THROWS_WITH(static_cast<void>(tine::max_element(v, std::less<>{})), "use");
      throwing::throw_after(uses);
      CHECK_THROWS_WITH(static_cast<void>(tine::minmax_element(v, std::less<>{})), "use");
      throwing::throw_after(0);
    }
    CHECK(throwing::alive == 1001);
  });
}

TEST_CASE("any vector: extremes, also observed, recorded and replayed") {
  in_pools([] {
    CHECK(rc::check("extremes", [](const std::vector<int>& v) {
      const auto is_less = [](int a, int b) { return a / 8 < b / 8; };
      const auto search = [&] {
        RC_ASSERT(tine::min_element(v) == std::ranges::min_element(v));
        RC_ASSERT(tine::max_element(v, is_less) == std::ranges::max_element(v, is_less));
        RC_ASSERT(tine::minmax_element(v, is_less).max == std::ranges::minmax_element(v, is_less).max);
      };
      run_in_all_ways(search);
    }));
  });
}

}  // namespace
