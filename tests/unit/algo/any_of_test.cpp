// any_of, all_of, none_of, equal, mismatch and is_sorted against the standard library, and the items that they do not
// look at.
#include <tine/algo/all_of.hpp>
#include <tine/algo/any_of.hpp>
#include <tine/algo/equal.hpp>
#include <tine/algo/is_sorted.hpp>
#include <tine/algo/mismatch.hpp>
#include <tine/algo/none_of.hpp>

#include <rapidcheck.h>

#include <deque>
#include <ranges>

#include "unit/algo/inputs.hpp"
#include "unit/algo/observed.hpp"

namespace {

using namespace tine::test;

/// Calls `body(vector, position)` with vectors of zeros that have a one at this position, or none if it is the length.
template <class Body>
void for_each_position(Body body) {
  for (const std::size_t n : lengths) {
    for (std::size_t at = 0; at <= n; at += n / 7 + 1) {
      CAPTURE(n);
      CAPTURE(at);
      std::vector<int> v(n);
      if (at < n) v[at] = 1;
      body(v, at);
    }
  }
}

TEST_CASE("any_of, all_of and none_of answer as the standard library does") {
  in_pools([] {
    for_each_position([](const std::vector<int>& v, std::size_t) {
      const auto is_set = [](int k) { return k == 1; };
      const auto is_clear = [](int k) { return k == 0; };
      CHECK(tine::any_of(v, is_set) == std::ranges::any_of(v, is_set));
      CHECK(tine::any_of(v.begin(), v.end(), is_clear) == std::ranges::any_of(v, is_clear));
      CHECK(tine::all_of(v, is_set) == std::ranges::all_of(v, is_set));
      CHECK(tine::all_of(v.begin(), v.end(), is_clear) == std::ranges::all_of(v, is_clear));
      CHECK(tine::none_of(v, is_set) == std::ranges::none_of(v, is_set));
      CHECK(tine::none_of(v.begin(), v.end(), is_clear) == std::ranges::none_of(v, is_clear));
    });
  });
}

TEST_CASE("equal and mismatch answer as the standard library does") {
  in_pools([] {
    for_each_position([](const std::vector<int>& v, std::size_t at) {
      const std::vector<int> zeros(v.size());
      const std::deque<int> longer(v.size() + 2);
      CHECK(tine::equal(v, zeros) == (at == v.size()));
      CHECK(tine::equal(v.begin(), v.end(), zeros.begin(), zeros.end(), std::ranges::less_equal{}) == (at == v.size()));
      CHECK_FALSE(tine::equal(zeros, longer));
      CHECK(tine::equal(zeros, zeros, {}, std::negate<>{}));
      const auto at_most = static_cast<std::ptrdiff_t>(at);
      const auto one = tine::mismatch(v, longer);
      CHECK((one.in1 - v.begin() == at_most && one.in2 - longer.begin() == at_most));
      const auto two = tine::mismatch(longer.begin(), longer.end(), v.begin(), v.end(), {}, {}, std::negate<>{});
      CHECK((two.in1 - longer.begin() == at_most && two.in2 - v.begin() == at_most));
    });
  });
}

TEST_CASE("is_sorted answers as the standard library does") {
  const auto check_types = [](const auto& v) {
    CHECK(tine::is_sorted(v) == std::ranges::is_sorted(v));
    CHECK(tine::is_sorted(v.begin(), v.end(), std::greater<>{}) == std::ranges::is_sorted(v, std::greater<>{}));
  };
  const auto check_with = [&](const std::vector<int>& v) {
    check_types(v);
    const auto down = [](int a, int b) { return b < a; };
    CHECK(tine::is_sorted(v, down) == std::ranges::is_sorted(v, down));
    CHECK(tine::is_sorted(v, {}, std::negate<>{}) == std::ranges::is_sorted(v, {}, std::negate<>{}));
  };
  in_pools([&] {
    for_each_input([&](const std::vector<int>& v) {
      check_with(v);
      check_types(std::vector<double>(v.begin(), v.end()));
    });
    for_each_position([&](std::vector<int> v, std::size_t at) {
      for (std::size_t i = at; i < v.size(); ++i) v[i] = 1;
      check_with(v);
      if (at + 1 < v.size()) v[at + 1] = 0;
      check_with(v);
    });
  });
}

TEST_CASE("searches touch nothing outside of the range") {
  in_pools([] {
    for (const bool at_begin : {false, true}) {
      const at_page_end<int> a{1001, at_begin}, b{1001, at_begin};
      using counted = std::counted_iterator<int*>;
      const counted first{a.begin(), 1001};
      const auto is_set = [](int k) { return k != 0; };
      CHECK_FALSE(tine::any_of(first, std::default_sentinel, is_set));
      CHECK_FALSE(tine::all_of(first, std::default_sentinel, is_set));
      CHECK(tine::none_of(first, std::default_sentinel, is_set));
      CHECK(tine::equal(first, std::default_sentinel, b.begin(), b.end()));
      CHECK(tine::mismatch(a, b).in1 == a.end());
      CHECK(tine::is_sorted(a));
      CHECK(tine::is_sorted(first, std::default_sentinel));
    }
  });
}

TEST_CASE("on one worker no item behind the one that settles the answer is looked at") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    constexpr int middle = large_length / 2;
    const auto v = keys(large_length, pattern::sorted);
    for (int round = 0; round < 3; ++round) {
      long looks = 0;
      const auto looked_at = [&looks](auto search) {
        looks = 0;
        search();
        return looks;
      };
      const auto is_wanted = [&looks](int k) { return ++looks, k == middle; };
      const auto is_other = [&looks](int k) { return ++looks, k != middle; };
      CHECK(looked_at([&] { CHECK(tine::any_of(v, is_wanted)); }) == middle + 1);
      CHECK(looked_at([&] { CHECK_FALSE(tine::none_of(v, is_wanted)); }) == middle + 1);
      CHECK(looked_at([&] { CHECK_FALSE(tine::all_of(v, is_other)); }) == middle + 1);
      CHECK(looked_at([&] { CHECK(*tine::mismatch(v, v, {}, is_other).in1 == 0); }) == 1);
      CHECK(looked_at([&] { CHECK_FALSE(tine::equal(v, v, [&](int k, int) { return is_other(k); })); }) == middle + 1);
      CHECK(looked_at([&] { CHECK_FALSE(tine::is_sorted(v, [&](int k, int) { return is_wanted(k); })); }) == middle);
      CHECK(looked_at([&] { CHECK(*tine::mismatch(v, v, [&](int k, int) { return is_other(k); }).in1 == middle); }) ==
            middle + 1);
    }
  });
}

TEST_CASE("an answer stops the workers that look at items before and behind it") {
  tine::pool p{{.workers = 4, .promote = tine::promotion::eager()}};
  p.run([] {
    // The first items are looked at until the answer is known; it is known behind them.
    std::atomic<bool> is_known{false};
    std::atomic<long> looks{0};
    const bool found = tine::any_of(std::views::iota(0, 100'000'000), [&](int k) {
      if (k >= 50'000'000) is_known.store(true);
      if (looks.fetch_add(1) == 0) {
        while (!is_known.load()) tine::par([] {}, [] {});
      }
      return k >= 50'000'000;
    });
    CHECK(found);
    CHECK(looks < 50'000'000);
  });
}

TEST_CASE("exceptions of predicates leave the searches") {
  in_pools([] {
    const auto v = keys(65'537, pattern::sorted);
    const auto refuse = [](int k) -> bool {
      if (k >= 1000) throw std::runtime_error{std::to_string(k)};
      return false;
    };
    const auto accept = [&refuse](int k) { return !refuse(k); };
    CHECK_THROWS_WITH(tine::any_of(v, refuse), "1000");
    CHECK_THROWS_WITH(tine::none_of(v, refuse), "1000");
    CHECK_THROWS_WITH(tine::all_of(v, accept), "1000");
    CHECK_THROWS_WITH(tine::equal(v, v, [&accept](int k, int) { return accept(k); }), "1000");
    CHECK_THROWS_WITH(tine::mismatch(v, v, [&accept](int k, int) { return accept(k); }), "1000");
    CHECK_THROWS_WITH(tine::is_sorted(v, [&refuse](int k, int) { return refuse(k); }), "1000");
    CHECK(tine::mismatch(v, v, [&](int k, int) { return k != 900 && accept(k); }).in1 == v.begin() + 900);
  });
}

TEST_CASE("any vectors: searches, also observed, recorded and replayed") {
  in_pools([] {
    CHECK(rc::check("searches", [](const std::vector<int>& a, const std::vector<int>& b, int wanted) {
      const auto is_wanted = [wanted](int k) { return k % 8 == wanted % 8; };
      const auto search = [&] {
        RC_ASSERT(tine::any_of(a, is_wanted) == std::ranges::any_of(a, is_wanted));
        RC_ASSERT(tine::all_of(a, is_wanted) == std::ranges::all_of(a, is_wanted));
        RC_ASSERT(tine::mismatch(a, b).in2 == std::ranges::mismatch(a, b).in2);
        RC_ASSERT(tine::equal(a, b) == std::ranges::equal(a, b));
        RC_ASSERT(tine::is_sorted(a) == std::ranges::is_sorted(a));
      };
      run_in_all_ways(search);
    }));
  });
}

TEST_CASE("the graph of a search is that of the whole loop") {
  const auto v = keys(10'000, pattern::sorted);
  in_pools([&v] {
    CHECK(forks_of([&v] { CHECK(tine::any_of(v, [](int k) { return k == 700; })); }) == 9'999);
    CHECK(forks_of([&v] { CHECK(tine::is_sorted(v)); }) == 9'998);
  });
}

}  // namespace
