// min_element, max_element and minmax_element against the standard library.
#include <tine/algo/min_element.hpp>
#include <tine/algo/minmax_element.hpp>

#include <deque>

#include "unit/algo/laws.hpp"

namespace {

using namespace tine::test;

TINE_SIDES(max_element);
TINE_SIDES(min_element);
TINE_SIDES(minmax_element);

template <bool Ours, class V, class Comp = std::ranges::less, class Proj = std::identity>
outcome extremes_of(const V& v, Comp comp = {}, Proj proj = {}) {
  const auto both = minmax_element<Ours>(v, comp, proj);
  return {min_element<Ours>(v, comp, proj) - v.begin(), max_element<Ours>(v, comp, proj) - v.begin(),
          both.min - v.begin(), both.max - v.begin()};
}

template <bool Ours>
outcome extremes(std::span<int> v, unsigned k) {
  const std::deque<int> items(v.begin(), v.end());
  outcome all = extremes_of<Ours>(v);
  append(all, extremes_of<Ours>(std::vector<double>(v.begin(), v.end())));
  append(all, extremes_of<Ours>(items, [k](int a, int b) { return a >> k < b >> k; }));
  append(all, extremes_of<Ours>(with_places({v.begin(), v.end()}), std::greater<>{}, &keyed::key));
  if (v.empty()) return all;
  append(all, std::array{*min_element<Ours>(counted(v), std::default_sentinel),
                         *max_element<Ours>(counted(v), std::default_sentinel),
                         *minmax_element<Ours>(counted(v), std::default_sentinel).max});
  return all;
}

TEST_CASE("the extremes are those of the standard library, also among equal items") {
  check_laws({TINE_LAW(extremes)});
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
          CHECK(extremes_of<true>(v) == extremes_of<false>(v));
          v[at / 2] = extreme;
          CHECK(extremes_of<true>(v) == extremes_of<false>(v));
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

}  // namespace
