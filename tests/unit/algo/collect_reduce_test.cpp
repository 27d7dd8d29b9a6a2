// group_by_key and collect_reduce against sequential loops over the standard library's containers.
#include <tine/algo/collect_reduce.hpp>
#include <tine/algo/group_by_key.hpp>

#include <rapidcheck.h>

#include <map>
#include <string>
#include <tuple>

#include "unit/algo/inputs.hpp"
#include "unit/algo/observed.hpp"

namespace {

using namespace tine::test;

template <class K, class V>
using groups = std::vector<std::pair<K, std::vector<V>>>;

/// The groups in the order of the keys' first appearance.
template <class Pairs>
auto groups_of(const Pairs& pairs) {
  using key = std::remove_cvref_t<decltype(std::get<0>(pairs[0]))>;
  using value = std::remove_cvref_t<decltype(std::get<1>(pairs[0]))>;
  groups<key, value> all;
  std::map<key, std::size_t> places;
  for (const auto& [k, v] : pairs) {
    const auto [at, is_new] = places.emplace(k, all.size());
    if (is_new) all.emplace_back(k, std::vector<value>{});
    all[at->second].second.push_back(v);
  }
  return all;
}

std::vector<std::pair<int, int>> pairs_of(const std::vector<int>& keys) {
  std::vector<std::pair<int, int>> pairs;
  for (const int k : keys) pairs.emplace_back(k, static_cast<int>(pairs.size()));
  return pairs;
}

void check_pairs(const std::vector<std::pair<int, int>>& pairs) {
  const auto right = groups_of(pairs);
  std::vector<std::pair<int, long>> sums;
  for (const auto& [k, values] : right) {
    sums.emplace_back(k, 0);
    for (const int v : values) sums.back().second += v;
  }
  in_pools([&] {
    CHECK(tine::group_by_key(pairs) == right);
    CHECK(tine::collect_reduce(pairs, 0L, std::plus<>{}) == sums);
  });
}

TEST_CASE("groups have the keys in the order of their first appearance, and the values in the order of the range") {
  for_each_input([](const std::vector<int>& keys) { check_pairs(pairs_of(keys)); });
  for (const int count : {1, 10, 1000, 100'000}) {
    CAPTURE(count);
    std::vector<int> many = keys(37'500, pattern::random);
    for (int& k : many) k %= count;
    check_pairs(pairs_of(many));
  }
}

TEST_CASE("keys and values of other types, hashes that collide, and other equalities") {
  in_pools([] {
    std::vector<std::tuple<std::string, std::string>> words;
    for (const int k : keys(10'000, pattern::random))
      words.emplace_back("a key that is long enough for the heap " + std::to_string(k % 300),
                         std::to_string(words.size()));
    const auto right = groups_of(words);
    CHECK(tine::group_by_key(words) == right);
    std::vector<std::pair<std::string, std::string>> texts;
    for (const auto& [k, values] : right) {
      texts.emplace_back(k, "");
      for (const std::string& v : values) texts.back().second += v;
    }
    CHECK(tine::collect_reduce(words, std::string{}, std::plus<>{}) == texts);  // concatenation does not commute

    std::vector<std::pair<int, int>> pairs = pairs_of(keys(3000, pattern::random));
    for (auto& [k, v] : pairs) k %= 100;
    CHECK(tine::group_by_key(pairs, [](int) { return std::size_t{7}; }) == groups_of(pairs));
    const auto by_tens = tine::group_by_key(
        pairs, [](int k) { return static_cast<std::size_t>(k / 10); }, [](int a, int b) { return a / 10 == b / 10; });
    CHECK(by_tens.size() == 10);
    CHECK(by_tens[0].first == pairs[0].first);
  });
}

/// An associative operation that does not commute: keeps the first and the last value.
struct ends {
  int first = -1, last = -1;
  friend bool operator==(const ends&, const ends&) = default;
};

constexpr auto add_ends = [](const ends& a, const ends& b) {
  return ends{a.first < 0 ? b.first : a.first, b.last < 0 ? a.last : b.last};
};

TEST_CASE("buckets hold the reductions of their items, in order") {
  in_pools([] {
    for (const std::size_t n : lengths) {
      for (const std::size_t buckets : {std::size_t{1}, std::size_t{10}, std::size_t{3000}, std::size_t{150'000}}) {
        CAPTURE(n);
        CAPTURE(buckets);
        std::vector<std::pair<int, int>> pairs = pairs_of(keys(n, pattern::random));
        for (auto& [k, v] : pairs) k = static_cast<int>(static_cast<std::size_t>(k) % buckets);
        std::vector<long> sums(buckets, 5);
        std::vector<ends> places(buckets);
        for (const auto& [k, v] : pairs) {
          sums[static_cast<std::size_t>(k)] = std::max(sums[static_cast<std::size_t>(k)], long{v});
          places[static_cast<std::size_t>(k)] = add_ends(places[static_cast<std::size_t>(k)], {v, v});
        }
        const auto key = [](const std::pair<int, int>& p) { return p.first; };
        const auto value = [](const std::pair<int, int>& p) { return long{p.second}; };
        CHECK(tine::collect_reduce(pairs, buckets, key, value, 5L, [](long a, long b) { return std::max(a, b); }) ==
              sums);
        const auto place = [](const std::pair<int, int>& p) { return ends{p.second, p.second}; };
        CHECK(tine::collect_reduce(pairs, buckets, key, place, ends{}, add_ends) == places);
      }
    }
  });
}

TEST_CASE("a key that has no bucket is refused") {
  in_pools([] {
    const std::vector<int> v = keys(65'537, pattern::sorted);
    const auto one = [](int) { return 1; };
    CHECK_THROWS_AS(tine::collect_reduce(v, 65'536, std::identity{}, one, 0, std::plus<>{}), std::out_of_range);
    CHECK_THROWS_AS(
        tine::collect_reduce(v, 100'000, [](int k) { return k - 1; }, one, 0, std::plus<>{}), std::out_of_range);
    CHECK(tine::collect_reduce(std::vector<int>{}, 0, std::identity{}, one, 0, std::plus<>{}).empty());
  });
}

TEST_CASE("exceptions of values and operations leave, and nothing leaks") {
  const long before = throwing::alive;
  in_pools([] {
    std::vector<std::pair<int, throwing>> pairs;
    pairs.reserve(6000);
    for (const int k : keys(6000, pattern::random)) pairs.emplace_back(k % 500, k);
    const auto sum = [](const throwing& a, const throwing& b) { return throwing{a.key() ^ b.key()}; };
    for (const long uses : {1L, 2L, 100L, 3000L, 6000L}) {
      CAPTURE(uses);
      throwing::throw_after(uses);
      CHECK_THROWS_AS(tine::group_by_key(pairs), std::runtime_error);
      throwing::throw_after(uses);
      CHECK_THROWS_AS(tine::collect_reduce(pairs, throwing{}, sum), std::runtime_error);
      throwing::throw_after(uses);
      CHECK_THROWS_AS(tine::collect_reduce(
                          pairs, 500, [](const auto& p) { return p.first; }, [](const auto& p) { return p.second; },
                          throwing{}, sum),
                      std::runtime_error);
    }
    throwing::throw_after(0);
    const auto v = pairs_of(keys(65'537, pattern::sorted));
    const auto hash = [](int k) -> std::size_t {
      return k >= 1000 ? throw std::runtime_error{std::to_string(k)} : static_cast<std::size_t>(k);
    };
    CHECK_THROWS_WITH(tine::group_by_key(v, hash), "1000");
  });
  CHECK(throwing::alive == before);
}

TEST_CASE("any pairs: groups and reductions, also observed, recorded and replayed") {
  in_pools([] {
    CHECK(rc::check("group_by_key, collect_reduce", [](const std::vector<std::pair<unsigned char, int>>& pairs) {
      const auto right = groups_of(pairs);
      std::vector<ends> places(256);
      for (const auto& [k, v] : pairs) places[k] = add_ends(places[k], {v & 0xffff, v & 0xffff});
      const auto run = [&] {
        RC_ASSERT(tine::group_by_key(pairs) == right);
        const auto value = [](const auto& p) { return ends{p.second & 0xffff, p.second & 0xffff}; };
        RC_ASSERT(
            tine::collect_reduce(pairs, 256, [](const auto& p) { return p.first; }, value, ends{}, add_ends) == places);
      };
      run_in_all_ways(run);
    }));
  });
}

}  // namespace
