// group_by_key and collect_reduce against sequential loops over the standard library's containers.
#include <tine/algo/collect_reduce.hpp>
#include <tine/algo/group_by_key.hpp>

#include <map>
#include <numeric>
#include <tuple>

#include "unit/algo/laws.hpp"

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

/// An associative operation that does not commute: keeps the first and the last value.
struct ends {
  int first = -1, last = -1;
};

constexpr auto add_ends = [](const ends& a, const ends& b) {
  return ends{a.first < 0 ? b.first : a.first, b.last < 0 ? a.last : b.last};
};

/// The keys in the order of their first appearance, with their values in the order of the range, and with the sums of
/// those.
template <bool Ours>
outcome collections(std::span<int> v, unsigned k) {
  constexpr std::array<int, variants> different{1, 10, 100, 1000, 10'000, 100'000, 1 << 20, 1 << 30, 7};
  std::vector<int> reduced(v.begin(), v.end());
  for (int& x : reduced) x %= different[k];
  const auto pairs = pairs_of(reduced);
  const auto all = [&] {
    if constexpr (Ours) {
      return tine::group_by_key(pairs);
    } else {
      return groups_of(pairs);
    }
  }();
  outcome found;
  for (const auto& [key, values] : all) {
    found.push_back(key);
    append(found, values);
  }
  std::vector<std::pair<int, long>> sums;
  if constexpr (Ours) {
    sums = tine::collect_reduce(pairs, 0L, std::plus<>{});
  } else {
    for (const auto& [key, values] : all) sums.emplace_back(key, std::accumulate(values.begin(), values.end(), 0L));
  }
  for (const auto& [key, sum] : sums) found.insert(found.end(), {long{key}, sum});
  return found;
}

/// Buckets with the reductions of their items, in order.
template <bool Ours>
outcome buckets(std::span<int> v, unsigned k) {
  constexpr std::array<std::size_t, variants> numbers{3000, 70'000, 10, 1000, 100, 1, 10'000, 2, 7};
  const std::size_t n = numbers[k];
  const auto pairs = pairs_of({v.begin(), v.end()});
  const auto key = [n](const std::pair<int, int>& p) { return static_cast<std::size_t>(p.first) % n; };
  const auto value = [](const std::pair<int, int>& p) { return long{p.second}; };
  const auto place = [](const std::pair<int, int>& p) { return ends{p.second, p.second}; };
  const auto greater = [](long a, long b) { return std::max(a, b); };
  std::vector<long> most(n, 5);
  std::vector<ends> places(n);
  if constexpr (Ours) {
    most = tine::collect_reduce(pairs, n, key, value, 5L, greater);
    places = tine::collect_reduce(pairs, n, key, place, ends{}, add_ends);
  } else {
    for (const auto& p : pairs) {
      most[key(p)] = greater(most[key(p)], value(p));
      places[key(p)] = add_ends(places[key(p)], place(p));
    }
  }
  for (const ends& e : places) most.insert(most.end(), {long{e.first}, long{e.last}});
  return most;
}

TEST_CASE("groups and buckets have the values of their keys, in the order of the range") {
  check_laws({TINE_LAW(collections), TINE_LAW(buckets)});
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
    CHECK_THROWS_WITH(tine::group_by_key(v, [](int k) { return static_cast<std::size_t>(below_1000(k)); }), "1000");
  });
  CHECK(throwing::alive == before);
}

}  // namespace
