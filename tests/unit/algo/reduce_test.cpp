// reduce and transform_reduce against serial folds.
#include <tine/algo/reduce.hpp>
#include <tine/algo/transform_reduce.hpp>

#include <cmath>
#include <deque>
#include <limits>
#include <numeric>

#include "unit/algo/laws.hpp"

namespace {

using namespace tine::test;

/// A 2x2 matrix modulo 2^32: the product is associative, but not commutative.
using matrix = std::array<unsigned, 4>;
matrix product(const matrix& a, const matrix& b) {
  return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
}
matrix matrix_of(int k) { return {static_cast<unsigned>(k), 3, 1, static_cast<unsigned>(k) + 7}; }

template <bool Ours>
constexpr auto reduce = [](auto first, auto last, auto... all) {
  if constexpr (Ours) {
    return tine::reduce(first, last, all...);
  } else {
    return std::accumulate(first, last, all...);
  }
};
template <bool Ours>
constexpr auto transform_reduce = [](auto... all) {
  if constexpr (Ours) {
    return tine::transform_reduce(all...);
  } else {
    return std::transform_reduce(all...);
  }
};

template <bool Ours>
outcome sums(std::span<int> v, unsigned k) {
  const auto first = v.begin(), last = v.end();
  const long init = 5L * k;
  std::vector<double> doubles;  // their sums are exact in every grouping
  std::vector<float> floats;
  for (const int x : v) {
    doubles.push_back(x);
    floats.push_back(static_cast<float>(x % 200));
  }
  const auto add = [](double a, double b) { return a + b; };
  return {reduce<Ours>(first, last, init),
          reduce<Ours>(first, last, init, [](long a, long b) { return a + b; }),
          reduce<Ours>(first, last, init, std::bit_xor<>{}),
          reduce<Ours>(first, last, 0, std::ranges::max),
          static_cast<long>(reduce<Ours>(doubles.begin(), doubles.end(), 0.0)),
          static_cast<long>(reduce<Ours>(doubles.begin(), doubles.end(), 1.0, std::plus<double>{})),
          static_cast<long>(reduce<Ours>(doubles.begin(), doubles.end(), 1.0, add)),
          static_cast<long>(reduce<Ours>(floats.begin(), floats.end(), 0.0F))};
}

template <bool Ours>
outcome ordered(std::span<int> v, unsigned k) {
  std::vector<matrix> matrices;
  std::vector<std::string> texts;
  for (const int x : v.first(std::min<std::size_t>(v.size(), 3000))) {
    matrices.push_back(matrix_of(x));
    texts.push_back(std::to_string(x));
  }
  const auto product_of_all = reduce<Ours>(matrices.begin(), matrices.end(), matrix{1, 2, 3, k}, product);
  const auto text = reduce<Ours>(texts.begin(), texts.end(), std::string{"-"});
  outcome found{static_cast<long>(std::hash<std::string>{}(text))};
  append(found, product_of_all);
  return found;
}

template <bool Ours>
outcome mapped(std::span<int> v, unsigned k) {
  const auto square = [](int x) { return 1L * (x % 10'000) * (x % 10'000); };
  const std::deque<long> others(v.size(), k);
  const std::vector<double> x(v.begin(), v.end()), y(v.size() + 2, k);
  return {transform_reduce<Ours>(v.begin(), v.end(), 1L, std::plus<>{}, square),
          transform_reduce<Ours>(v.begin(), v.end(), others.begin(), 7L),
          static_cast<long>(transform_reduce<Ours>(x.begin(), x.end(), y.begin(), 7.0)),
          static_cast<long>(transform_reduce<Ours>(x.begin(), x.end(), y.begin(), 7.0, std::plus<>{}, std::minus<>{}))};
}

TEST_CASE("reductions are the folds of the standard library") {
  check_laws({TINE_LAW(sums), TINE_LAW(ordered), TINE_LAW(mapped)});
}

TEST_CASE("reductions take ranges and sentinels, and begin with the initial value once") {
  in_pools([] {
    const at_page_end<int> items{1001};
    std::iota(items.begin(), items.end(), 0);
    const std::vector<long> longs(items.begin(), items.end());
    CHECK(tine::reduce(std::counted_iterator{items.begin(), 1001}, std::default_sentinel, 5L) == 500'505);
    CHECK(tine::reduce(items, 5L) == 500'505);
    CHECK(tine::reduce(longs) == 500'500);
    CHECK(tine::reduce(longs.begin(), longs.end()) == 500'500);
    CHECK(tine::transform_reduce(longs, std::vector<int>(5, 1), 7L) == 7 + 10);  // the shorter range decides
    CHECK(tine::transform_reduce(std::vector<int>(5, 1), longs, 7L) == 7 + 10);
    CHECK(std::signbit(tine::reduce(std::vector<double>{}, -0.0)));
    CHECK(std::signbit(tine::reduce(std::vector<double>(5, -0.0), -0.0)));
    CHECK(std::isnan(tine::reduce(std::vector<double>{1, std::nan(""), 2}, 0.0)));
  });
}

TEST_CASE("reduce of items of a shorter type does not overflow") {
  in_pools([] {
    for (const std::size_t n : {1U, 2U, 4U, 5U, 1001U}) {
      const std::vector<int> v(n, std::numeric_limits<int>::max());
      const long right = static_cast<long>(n) * std::numeric_limits<int>::max();
      CHECK(tine::reduce(v, 0L) == right);
      CHECK(tine::reduce(v, 0L, [](auto a, auto b) { return a + b; }) == right);
    }
  });
}

TEST_CASE("on one worker a sum of floating-point numbers is the same in every run") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    std::vector<double> v(large_length);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = 1.0 / static_cast<double>(i + 1);
    const auto sums = [&v] {
      return std::array{tine::reduce(v, 0.25), tine::reduce(v, 0.25, [](double a, double b) { return a + b; }),
                        tine::transform_reduce(v, v, 0.25)};
    };
    const auto first = sums();
    CHECK(std::abs(first[0] - std::accumulate(v.begin(), v.end(), 0.25)) < 1e-9);
    for (int round = 0; round < 5; ++round) CHECK(sums() == first);
  });
}

TEST_CASE("transform_reduce maps each item once, and keeps the order") {
  in_pools([] {
    const auto v = keys(10'001, pattern::random);
    std::atomic<std::size_t> calls{0};
    const auto map = [&calls](int k) { return calls.fetch_add(1, std::memory_order_relaxed), matrix_of(k); };
    matrix right{1, 2, 3, 5};
    for (const int k : v) right = product(right, matrix_of(k));
    CHECK(tine::transform_reduce(v, matrix{1, 2, 3, 5}, product, map) == right);
    CHECK(calls == v.size());
  });
}

TEST_CASE("sums that can be moved only are reduced") {
  in_pools([] {
    const auto v = keys(1001, pattern::sawtooth);
    const auto sum = tine::transform_reduce(
        v, move_only{3}, [](move_only a, move_only b) { return move_only{a.key() + b.key()}; },
        [](int k) { return move_only{k}; });
    CHECK(sum.key() == std::accumulate(v.begin(), v.end(), 3));
  });
}

TEST_CASE("the first exception of transform_reduce wins, and nothing leaks") {
  in_pools([] {
    const auto v = keys(65'537, pattern::sorted);
    const auto text = [](int k) { return std::to_string(below_1000(k)); };
    CHECK_THROWS_WITH(tine::transform_reduce(v, 0, std::plus<>{}, below_1000), "1000");
    CHECK_THROWS_WITH(tine::transform_reduce(v, 0.0, std::plus<>{}, below_1000), "1000");
    CHECK_THROWS_WITH(tine::transform_reduce(v, std::string{}, std::plus<>{}, text), "1000");
    for (const long uses : {1L, 2L, 3L, 10L, 1000L, 1001L, 2000L}) {
      const std::vector<int> items(1001, 1);
      throwing::throw_after(uses);
      const auto add = [](throwing&& a, throwing&& b) {
        throwing moved{std::move(a)};
        return throwing{moved.key() + b.key()};
      };
      CHECK_THROWS_AS(tine::transform_reduce(items, throwing{0}, add, [](int k) { return throwing{k}; }),
                      std::runtime_error);
      throwing::throw_after(0);
      CHECK(throwing::alive == 0);
    }
  });
}

}  // namespace
