// for_each, transform, fill, generate and tabulate against loops.
#include <tine/algo/fill.hpp>
#include <tine/algo/for_each.hpp>
#include <tine/algo/generate.hpp>
#include <tine/algo/tabulate.hpp>
#include <tine/algo/transform.hpp>

#include <rapidcheck.h>

#include <deque>

#include "unit/algo/inputs.hpp"

namespace {

using namespace tine::test;

TEST_CASE("for_each calls the function once for each item, and returns the end and the function") {
  in_pools([] {
    for (const std::size_t n : lengths) {
      CAPTURE(n);
      auto v = with_places(keys(n, pattern::sorted));
      const auto add = [&v](int& key) { key += 1 + static_cast<int>(v.size() - v.size()); };
      const auto result = tine::for_each(v, add, &keyed::key);
      CHECK(result.in == v.end());
      CHECK(tine::for_each(v.begin(), v.end(), [](keyed& k) { k.key *= 2; }).in == v.end());
      bool is_right = true;
      for (std::size_t i = 0; i < n; ++i) is_right = is_right && v[i] == keyed{2 * (static_cast<int>(i) + 1), i};
      CHECK(is_right);
    }
  });
}

TEST_CASE("for_each takes counted iterators and deques, and touches nothing outside of the range") {
  in_pools([] {
    for (const bool at_begin : {false, true}) {
      const at_page_end<int> items{1001, at_begin};
      using counted = std::counted_iterator<int*>;
      const auto end = tine::for_each(counted{items.begin(), 1001}, std::default_sentinel, [](int& k) { ++k; }).in;
      CHECK(end == std::default_sentinel);
      CHECK(std::ranges::count(items, 1) == 1001);
    }
    std::deque<int> d(1001, 1);
    tine::for_each(d, [](int& k) { k = 5; });
    CHECK(std::ranges::count(d, 5) == 1001);
  });
}

TEST_CASE("on one worker for_each visits the items in order") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    const auto v = keys(65'537, pattern::random);
    std::vector<int> seen;
    tine::for_each(v, [&seen](int k) { seen.push_back(k); });
    CHECK(seen == v);
  });
}

TEST_CASE("the first exception of for_each and transform wins") {
  in_pools([] {
    auto v = keys(65'537, pattern::sorted);
    const auto refuse = [](int k) -> int {
      if (k >= 1000) throw std::runtime_error{std::to_string(k)};
      return k;
    };
    CHECK_THROWS_WITH(tine::for_each(v, refuse), "1000");
    CHECK_THROWS_WITH(tine::transform(v, v.begin(), refuse), "1000");
    CHECK_THROWS_WITH(tine::transform(v, v, v.begin(), [&refuse](int k, int) { return refuse(k); }), "1000");
    CHECK_THROWS_WITH(tine::tabulate(v, [&refuse](std::size_t i) { return refuse(static_cast<int>(i)); }), "1000");
    CHECK_THROWS_WITH(tine::generate(v, [&refuse] { return refuse(2000); }), "2000");
  });
}

TEST_CASE("transform writes what the standard library writes, also in place, and returns both ends") {
  in_pools([] {
    for_each_input([](const std::vector<int>& v) {
      const auto halve = [](int k) { return k / 2; };
      std::vector<int> right(v.size()), out(v.size());
      std::ranges::transform(v, right.begin(), halve);
      const auto ends = tine::transform(v, out.begin(), halve);
      CHECK(ends.in == v.end());
      CHECK(ends.out == out.end());
      CHECK(out == right);
      auto in_place = v;
      tine::transform(in_place.begin(), in_place.end(), in_place.begin(), halve);
      CHECK(in_place == right);
    });
    const auto many = keys(large_length, pattern::random);
    std::vector<long> out(large_length);
    tine::transform(many, out.begin(), [](int k) { return 3L * k; });
    CHECK(std::ranges::equal(out, many, {}, {}, [](int k) { return 3L * k; }));
  });
}

TEST_CASE("the shorter range decides the number of pairs of transform") {
  in_pools([] {
    for (const std::size_t n : lengths) {
      CAPTURE(n);
      const auto a = keys(n, pattern::random, 2), b = keys(n + 3, pattern::random, 3);
      std::vector<int> right(n), out(n);
      std::ranges::transform(a, b, right.begin(), std::minus<>{}, {}, std::negate<>{});
      const auto one = tine::transform(a, b, out.begin(), std::minus<>{}, {}, std::negate<>{});
      CHECK(out == right);
      CHECK((one.in1 == a.end() && one.in2 == b.begin() + static_cast<long>(n) && one.out == out.end()));
      std::ranges::transform(b, a, right.begin(), std::minus<>{});
      const auto two = tine::transform(b.begin(), b.end(), a.begin(), a.end(), out.begin(), std::minus<>{});
      CHECK(out == right);
      CHECK((two.in1 == b.begin() + static_cast<long>(n) && two.in2 == a.end() && two.out == out.end()));
    }
  });
}

TEST_CASE("transform moves results that can be moved only") {
  in_pools([] {
    const auto v = keys(1001, pattern::sorted);
    std::vector<move_only> out(v.size());
    tine::transform(v, out.begin(), [](int k) { return move_only{k}; });
    CHECK(std::ranges::equal(out, v, {}, &move_only::key));
  });
}

TEST_CASE("fill assigns the value, which may be one of the items") {
  in_pools([] {
    for (const std::size_t n : lengths) {
      CAPTURE(n);
      std::vector<int> v(n, 1);
      CHECK(tine::fill(v, 7) == v.end());
      CHECK(std::ranges::count(v, 7) == static_cast<long>(n));
      std::vector<std::string> s(n);
      if (n > 2) s[n / 2] = "a string that is longer than the small ones are";
      tine::fill(s.begin(), s.end(), n > 2 ? s[n / 2] : std::string{"x"});
      CHECK((n == 0 || std::ranges::count(s, s.back()) == static_cast<long>(n)));
      CHECK((n < 3 || s[0].size() > 40));
    }
  });
}

TEST_CASE("an exception of fill leaves all items alive") {
  in_pools([] {
    for (const long uses : {1L, 2L, 10L, 700L, 1002L}) {
      {
        std::vector<throwing> v(1001);
        throwing::throw_after(uses);
        bool threw = false;
        try {
          tine::fill(v, throwing{5});
        } catch (const std::runtime_error&) {
          threw = true;
        }
        throwing::throw_after(0);
        CHECK(threw);
        CHECK(throwing::alive == 1001);
      }
      CHECK(throwing::alive == 0);
    }
  });
}

TEST_CASE("generate calls the generator once for each item") {
  in_pools([] {
    for (const std::size_t n : lengths) {
      CAPTURE(n);
      std::atomic<int> next{0};
      std::vector<int> v(n, -1);
      CHECK(tine::generate(v, [&next] { return next.fetch_add(1); }) == v.end());
      std::ranges::sort(v);
      CHECK(v == keys(n, pattern::sorted));
      CHECK(tine::generate(v.begin(), v.end(), [] { return 3; }) == v.end());
      CHECK(std::ranges::count(v, 3) == static_cast<long>(n));
    }
  });
}

TEST_CASE("tabulate gives the function the positions") {
  in_pools([] {
    for (const std::size_t n : lengths) {
      CAPTURE(n);
      std::vector<int> v(n);
      const auto as_int = [](std::size_t i) { return static_cast<int>(i); };
      CHECK(tine::tabulate(v, as_int) == v.end());
      CHECK(v == keys(n, pattern::sorted));
      std::vector<move_only> m(n);
      CHECK(tine::tabulate(m.begin(), m.end(), [](std::size_t i) { return move_only{static_cast<int>(i)}; }) ==
            m.end());
      CHECK(std::ranges::equal(m, v, {}, &move_only::key));
    }
  });
}

TEST_CASE("any vector: transform and tabulate") {
  in_pools([] {
    CHECK(rc::check("transform", [](const std::vector<int>& a, const std::vector<int>& b) {
      std::vector<long> right(std::min(a.size(), b.size())), out(right.size());
      const auto op = [](int x, int y) { return 2L * x - y; };
      std::ranges::transform(a, b, right.begin(), op);
      tine::transform(a, b, out.begin(), op);
      RC_ASSERT(out == right);
      tine::tabulate(out, [&](std::size_t i) { return op(a[i], b[i]); });
      RC_ASSERT(out == right);
    }));
  });
}

}  // namespace
