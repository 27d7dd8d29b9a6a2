// random_shuffle: permutations that depend on the seed and the length only, and that are uniformly distributed.
#include <tine/algo/random_shuffle.hpp>

#include <map>

#include "unit/algo/observed.hpp"
#include "unit/algo/with_exceptions.hpp"

namespace {

using namespace tine::test;

/// A length for which random_shuffle moves items through several buckets and blocks.
constexpr std::size_t many = (1 << 18) + 1000;

TEST_CASE(
    "random_shuffle permutes, and gives the same permutation on any number of workers and for any type of items") {
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{1001}, many, std::size_t{400'001}}) {
    CAPTURE(n);
    const auto from = keys(n, pattern::sorted);
    std::vector<int> first;
    in_pools([&] {
      auto v = from;
      CHECK(tine::random_shuffle(v, 7) == v.end());
      if (first.empty()) first = v;
      CHECK(v == first);
      if (n > many) return;
      auto items = made_of<move_only>(from, [](int k) { return move_only{k}; });
      tine::random_shuffle(items.begin(), items.end(), 7);
      CHECK(std::equal(items.begin(), items.end(), first.begin(),
                       [](const move_only& m, int k) { return m.key() == k; }));
    });
    auto sorted = first;
    std::ranges::sort(sorted);
    CHECK(sorted == from);
    if (n > 1000) {
      CHECK(first != from);
      auto other = from;
      tine::random_shuffle(other, 8);
      CHECK(other != first);
    }
  }
}

TEST_CASE("random_shuffle gives every permutation of five items with the same probability") {
  constexpr int seeds = 12'000;
  std::map<std::vector<int>, int> times;
  for (int seed = 0; seed < seeds; ++seed) {
    std::vector<int> v{0, 1, 2, 3, 4};
    tine::random_shuffle(v, static_cast<std::uint64_t>(seed));
    ++times[v];
  }
  CHECK(times.size() == 120);
  const double expected = seeds / 120.0;
  double chi_square = 0;
  for (const auto& [permutation, n] : times) chi_square += (n - expected) * (n - expected) / expected;
  CHECK(chi_square < 190);  // 119 degrees of freedom: a greater value has a probability below 0.00004
}

TEST_CASE("random_shuffle of a long range moves items from any place to any place with the same probability") {
  constexpr std::size_t n = 300'000, parts = 10;
  tine::pool two{{.workers = 2}};
  two.run([] {
    std::array<std::array<double, parts>, parts> moved{};
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      auto v = keys(n, pattern::sorted);
      tine::random_shuffle(v, seed);
      for (std::size_t i = 0; i < n; ++i) ++moved[static_cast<std::size_t>(v[i]) * parts / n][i * parts / n];
    }
    double chi_square = 0;
    const double expected = 4.0 * n / (parts * parts);
    for (const auto& row : moved) {
      for (const double times : row) chi_square += (times - expected) * (times - expected) / expected;
    }
    CHECK(chi_square < 140);  // 81 degrees of freedom: a greater value has a probability below 0.0001
  });
}

TEST_CASE("random_shuffle takes other ranges and sized sentinels, and touches nothing outside of the range") {
  in_pools([] {
    for (const bool at_begin : {false, true}) {
      const at_page_end<int> items{270'000, at_begin};
      const auto from = keys(items.size(), pattern::sorted);
      std::ranges::copy(from, items.begin());
      tine::random_shuffle(std::counted_iterator{items.begin(), static_cast<std::ptrdiff_t>(items.size())},
                           std::default_sentinel, 3);
      std::deque<int> deque(from.begin(), from.end());
      tine::random_shuffle(deque, 3);
      CHECK(std::ranges::equal(items, deque));
    }
  });
}

TEST_CASE("items of random_shuffle that throw when they move do not leak") {
  in_pools([] {
    const auto from = keys(many, pattern::sorted);
    check_lives(from, long{many} * 4, [](auto& items) { tine::random_shuffle(items, 1); });
  });
}

TEST_CASE("an exception of the first move back from the buckets of random_shuffle arrives") {
  in_pools([] {
    std::vector<throwing> items(many);
    throwing::throw_after(static_cast<long>(many) + 1);
    CHECK_THROWS_AS(tine::random_shuffle(items, 1), std::runtime_error);
    throwing::throw_after(0);
  });
}

TEST_CASE("no item is lost if random_shuffle is stopped") {
  constexpr long n = many;
  in_pools([] {
    check_stops(many, {1, n / 3, n + n / 30, n * 5 / 3}, [](auto& items) { tine::random_shuffle(items, 1); });
  });
}

TEST_CASE("random_shuffle gives the same permutation when it is observed, recorded and replayed") {
  std::vector<int> first;
  const auto shuffle = [&first] {
    auto v = keys(many, pattern::sorted);
    tine::random_shuffle(v, 5);
    if (first.empty()) first = v;
    CHECK(v == first);
  };
  in_pools([&] { run_observed(shuffle); });
}

}  // namespace
