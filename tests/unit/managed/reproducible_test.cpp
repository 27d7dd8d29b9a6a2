// Reproducible reductions: their bits, their order, and the types that they take.
#include <tine/algo/reduce.hpp>
#include <tine/augment.hpp>
#include <tine/managed/reproducible.hpp>
#include <tine/replay.hpp>
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using tine::options;
using tine::par_reduce;
using tine::pool;
using tine::promotion;
using tine::reproducible;

/// Numbers of many sizes and both signs, whose sum depends on the grouping.
std::vector<double> numbers(std::size_t n) {
  std::mt19937_64 random{n};
  std::vector<double> all(n);
  for (double& x : all)
    x = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), -static_cast<int>(random() % 60));
  return all;
}

/// Pools of 1 to 64 workers, with and without signals. The process makes them once: the fibers and threads of one of 64
/// workers take a sanitizer half a second, and a pool keeps nothing from one run to the next that a result could depend
/// on.
std::deque<pool>& all_pools() {
  static std::deque<pool> pools;
  if (pools.empty()) {
    pools.emplace_back(options{.workers = 1});
    pools.emplace_back(options{.workers = 2, .promote = promotion::eager()});
    pools.emplace_back(options{.workers = 3, .interrupt = false});
    pools.emplace_back(options{.workers = 8, .promote = promotion::eager(), .interrupt = false});
    pools.emplace_back(options{.workers = 64, .promote = promotion::eager()});
  }
  return pools;
}

/// Calls `body` in each of these pools.
void in_pools(const std::function<void()>& body) {
  std::size_t number = 0;
  for (pool& p : all_pools()) {
    CAPTURE(number++);
    p.run(body);
  }
}

/// Checks that `f` returns the same bits in every pool, observed, recorded and replayed.
template <class F>
void same_bits(F f) {
  using bits = std::array<unsigned char, sizeof(f())>;
  const auto expected = std::bit_cast<bits>(f());
  const auto check = [&] { CHECK(std::bit_cast<bits>(f()) == expected); };
  in_pools(check);
  pool p{{.workers = 8}};
  p.run([&] {
    tine::augment<tine::work_span>(check);
    const auto schedule = tine::record(check);
    tine::replay(schedule, tine::replay_mode::strict_ordered, check);
    tine::replay(schedule, tine::replay_mode::relaxed, check);
  });
}

TEST_CASE("sums, dot products and norms have the same bits in every schedule") {
  for (const std::size_t n : {0, 1, 2, 7, 8, 9, 100, 10'001}) {
    CAPTURE(n);
    const auto x = numbers(n), y = numbers(n + 1);
    const auto identity = [](double v) { return v; };
    same_bits([&] { return par_reduce(reproducible, x, 0.0, identity, std::plus<>{}); });
    same_bits([&] {
      return par_reduce(reproducible, std::size_t{0}, n, 0, [&](std::size_t i) { return x[i] * y[i]; }, std::plus<>{});
    });
    same_bits([&] {
      return par_reduce(reproducible, x.begin(), x.end(), 0.0, [](double v) { return v * v; }, std::plus<>{});
    });
  }
}

TEST_CASE("reduce with the tag has the same bits, and begins with the initial value once") {
  const auto x = numbers(10'001);
  same_bits([&] { return tine::reduce(reproducible, x, 1.5); });
  CHECK(tine::reduce(reproducible, x) == par_reduce(reproducible, x, 0.0, [](double v) { return v; }, std::plus<>{}));
  const std::vector<std::string> words{"a", "b", "c", "d", "e"};
  in_pools([&] { CHECK(tine::reduce(reproducible, words.begin(), words.end(), std::string{"0"}) == "0abcde"); });
}

TEST_CASE("a product and a sum are not contracted in one schedule and rounded apart in another one") {
  const auto x = numbers(20'000), y = numbers(20'001);
  same_bits([&] {
    return par_reduce(
        reproducible, 1, 20'000, 0.0, [&](int i) { return x[i] * y[i] + x[i - 1] * y[i + 1]; },
        [](double a, double b) { return a * 0.75 + b * 1.25; });
  });
  same_bits([&] {
    return par_reduce(
        reproducible, 0, 20'000, std::complex<double>{}, [&](int i) { return std::complex<double>{x[i] * y[i], y[i]}; },
        [](std::complex<double> a, std::complex<double> b) { return a + b * 1.5; });
  });
  same_bits([&] {
    return par_reduce(reproducible, 0, 20'000, 0.0F, [&](int i) { return static_cast<float>(x[i]); }, std::plus<>{});
  });
}

TEST_CASE("the grouping is the balanced tree over the numbers of the items") {
  const auto grouped = [](int n) {
    return par_reduce(
        reproducible, 0, n, std::string{}, [](int i) { return std::string(1, static_cast<char>('a' + i)); },
        [](const std::string& a, const std::string& b) { return a.empty() ? b : "(" + a + b + ")"; });
  };
  in_pools([&] {
    CHECK(grouped(0).empty());
    CHECK(grouped(1) == "a");
    CHECK(grouped(3) == "((ab)c)");
    CHECK(grouped(7) == "((((ab)(cd))(ef))g)");
    CHECK(grouped(11) == "(((((ab)(cd))((ef)(gh)))(ij))k)");
  });
}

TEST_CASE("results keep the order of the items, whatever their type") {
  const auto all = [](int n) {
    return par_reduce(
        reproducible, 0, n, std::vector<int>{}, [](int i) { return i; },
        [](std::vector<int> before, const auto& next) {
          if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(next)>>) {
            before.push_back(next);
          } else {
            before.insert(before.end(), next.begin(), next.end());
          }
          return before;
        });
  };
  in_pools([&] {
    for (const int n : {0, 1, 5, 8, 1003}) {
      std::vector<int> counted(static_cast<std::size_t>(n));
      std::iota(counted.begin(), counted.end(), 0);
      CHECK(all(n) == counted);
    }
  });
}

TEST_CASE("the map runs once for each item, and the first exception wins") {
  in_pools([] {
    std::atomic<long> calls{0};
    const auto count = [&](long i) {
      calls.fetch_add(1, std::memory_order_relaxed);
      return i;
    };
    CHECK(par_reduce(reproducible, 0L, 10'001L, 0L, count, std::plus<>{}) == 50'005'000);
    CHECK(calls.load() == 10'001);
    const auto thrower = [](int i) { return i < 700 ? i : throw std::runtime_error{std::to_string(i)}; };
    CHECK_THROWS_WITH(par_reduce(reproducible, 0, 10'000, 0, thrower, std::plus<>{}), "700");
  });
}

}  // namespace
