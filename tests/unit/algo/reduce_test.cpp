// reduce and transform_reduce against serial folds.
#include <tine/algo/reduce.hpp>
#include <tine/algo/transform_reduce.hpp>

#include <rapidcheck.h>

#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>

#include "unit/algo/inputs.hpp"
#include "unit/algo/observed.hpp"

namespace {

using namespace tine::test;

/// A 2x2 matrix modulo 2^32 and the affine functions below: their products are associative, but not commutative.
using matrix = std::array<unsigned, 4>;
matrix product(const matrix& a, const matrix& b) {
  return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
}
matrix matrix_of(int k) { return {static_cast<unsigned>(k), 3, 1, static_cast<unsigned>(k) + 7}; }

struct affine {
  unsigned factor, offset;
  friend affine operator*(affine f, affine g) { return {f.factor * g.factor, f.offset * g.factor + g.offset}; }
  friend bool operator==(const affine&, const affine&) = default;
};

TEST_CASE("reduce adds numbers as the standard library does") {
  in_pools([] {
    for_each_input([](const std::vector<int>& v) {
      const long right = std::accumulate(v.begin(), v.end(), 5L);
      CHECK(tine::reduce(v, 5L) == right);
      CHECK(tine::reduce(v.begin(), v.end(), 5L) == right);
      const std::vector<long> longs(v.begin(), v.end());
      CHECK(tine::reduce(longs) == right - 5);
      CHECK(tine::reduce(longs.begin(), longs.end()) == right - 5);
      CHECK(tine::reduce(v, 5L, [](long a, long b) { return a + b; }) == right);
      CHECK(tine::reduce(v, 5L, std::bit_xor<>{}) == std::accumulate(v.begin(), v.end(), 5L, std::bit_xor<>{}));
    });
    const auto many = keys(large_length, pattern::random);
    CHECK(tine::reduce(many, 0L) == std::accumulate(many.begin(), many.end(), 0L));
    CHECK(tine::reduce(many, 0, std::ranges::max) == std::ranges::max(many));
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

TEST_CASE("reduce adds floating-point numbers, each once") {
  in_pools([] {
    for_each_input([](const std::vector<int>& v) {
      // The sums of these numbers are exact in every grouping.
      std::vector<double> doubles(v.size());
      std::vector<float> floats(v.size());
      for (std::size_t i = 0; i < v.size(); ++i) {
        doubles[i] = v[i];
        floats[i] = static_cast<float>(v[i] % 200);
      }
      CHECK(tine::reduce(doubles) == std::accumulate(doubles.begin(), doubles.end(), 0.0));
      CHECK(tine::reduce(floats) == std::accumulate(floats.begin(), floats.end(), 0.0F));
      CHECK(tine::reduce(doubles, 1.0, std::plus<double>{}) == std::accumulate(doubles.begin(), doubles.end(), 1.0));
      CHECK(tine::reduce(doubles, 1.0, [](double a, double b) { return a + b; }) ==
            std::accumulate(doubles.begin(), doubles.end(), 1.0));
    });
    CHECK(std::signbit(tine::reduce(std::vector<double>{}, -0.0)));
    CHECK(std::signbit(tine::reduce(std::vector<double>(5, -0.0), -0.0)));
    CHECK(std::isnan(tine::reduce(std::vector<double>{1, std::nan(""), 2}, 0.0)));
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

TEST_CASE("reduce keeps the order of the items") {
  in_pools([] {
    for_each_input([](const std::vector<int>& v) {
      std::vector<matrix> matrices;
      std::vector<affine> functions;
      for (const int k : v) {
        matrices.push_back(matrix_of(k));
        functions.push_back({static_cast<unsigned>(k) | 1U, static_cast<unsigned>(k)});
      }
      const matrix first{1, 2, 3, 5};
      CHECK(tine::reduce(matrices, first, product) ==
            std::accumulate(matrices.begin(), matrices.end(), first, product));
      CHECK(tine::reduce(functions, affine{3, 4}, std::multiplies<>{}) ==
            std::accumulate(functions.begin(), functions.end(), affine{3, 4}, std::multiplies<>{}));
    });
    for (const std::size_t n : {0U, 1U, 3U, 1001U, 20'000U}) {
      std::vector<std::string> v;
      for (std::size_t i = 0; i < n; ++i) v.push_back(std::to_string(i));
      CHECK(tine::reduce(v, std::string{"-"}) == std::accumulate(v.begin(), v.end(), std::string{"-"}));
    }
  });
}

TEST_CASE("transform_reduce maps each item once, and keeps the order") {
  in_pools([] {
    for_each_input([](const std::vector<int>& v) {
      std::atomic<std::size_t> calls{0};
      const auto map = [&calls](int k) { return calls.fetch_add(1, std::memory_order_relaxed), matrix_of(k); };
      const matrix first{1, 2, 3, 5};
      matrix right = first;
      for (const int k : v) right = product(right, matrix_of(k));
      CHECK(tine::transform_reduce(v, first, product, map) == right);
      CHECK(calls == v.size());
      CHECK(tine::transform_reduce(v.begin(), v.end(), first, product, map) == right);
      const auto square = [](int k) { return 1L * (k % 10'000) * (k % 10'000); };
      CHECK(tine::transform_reduce(v, 1L, std::plus<>{}, square) ==
            std::transform_reduce(v.begin(), v.end(), 1L, std::plus<>{}, square));
    });
  });
}

TEST_CASE("transform_reduce takes pairs of items") {
  in_pools([] {
    for (const std::size_t n : lengths) {
      CAPTURE(n);
      const auto a = keys(n, pattern::sawtooth), b = keys(n + 2, pattern::few_keys);
      const std::deque<long> c(b.begin(), b.end());
      const long right = std::transform_reduce(a.begin(), a.end(), c.begin(), 7L);
      CHECK(tine::transform_reduce(a, c, 7L) == right);
      CHECK(tine::transform_reduce(c, a, 7L) == right);
      CHECK(tine::transform_reduce(a.begin(), a.end(), c.begin(), 7L) == right);
      const std::vector<double> x(a.begin(), a.end()), y(b.begin(), b.end());
      CHECK(tine::transform_reduce(x, y, 7.0) == static_cast<double>(right));
      CHECK(tine::transform_reduce(x.begin(), x.end(), y.begin(), 7.0, std::plus<>{}, std::minus<>{}) ==
            std::transform_reduce(x.begin(), x.end(), y.begin(), 7.0, std::plus<>{}, std::minus<>{}));
    }
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
    const auto map = [](int k) {
      if (k >= 1000) throw std::runtime_error{std::to_string(k)};
      return k;
    };
    CHECK_THROWS_WITH(tine::transform_reduce(v, 0, std::plus<>{}, map), "1000");
    CHECK_THROWS_WITH(tine::transform_reduce(v, 0.0, std::plus<>{}, map), "1000");
    CHECK_THROWS_WITH(
        tine::transform_reduce(v, std::string{}, std::plus<>{}, [&map](int k) { return std::to_string(map(k)); }),
        "1000");
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

TEST_CASE("any vector: reduce and transform_reduce, also observed, recorded and replayed") {
  in_pools([] {
    CHECK(rc::check("reduce", [](const std::vector<std::string>& v) {
      const auto sum = [&v] {
        RC_ASSERT(tine::reduce(v) == std::accumulate(v.begin(), v.end(), std::string{}));
        RC_ASSERT(tine::transform_reduce(v, 0.0, std::plus<>{}, &std::string::size) ==
                  static_cast<double>(tine::transform_reduce(v, std::size_t{0}, std::plus<>{}, &std::string::size)));
      };
      run_in_all_ways(sum);
    }));
  });
}

}  // namespace
